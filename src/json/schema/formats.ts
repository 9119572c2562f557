import { isIPv4 } from 'node:net'
import { compileEcmaScriptPattern } from './ecmascript-pattern.ts'
import { isIPv6Address, isUri, isUriReference } from './uri.ts'

/** The formats that are checked; others are annotations. */
export const formats: Record<string, (text: string) => boolean> = {
  'date-time': isDateTime,
  date: isDate,
  time: isTime,
  duration: (text) => durationForm.test(text) && /\d/.test(text) && !text.endsWith('T'),
  email: isEmail,
  hostname: (text) => text.length <= 253 && hostnameForm.test(text),
  ipv4: isIPv4,
  ipv6: isIPv6Address,
  uri: isUri,
  'uri-reference': isUriReference,
  uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  'json-pointer': (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text),
  regex: isRegex,
}

// No unit may be left out between two others (RFC 3339): `P1Y2D` is none.
const durationDate = String.raw`(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?`
const durationTime = String.raw`(?:T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?`
const durationForm = new RegExp(`^P(?:\\d+W|${durationDate}${durationTime})$`)

const atoms = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const quoted = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/
const domain = /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const [name, host] = [text.slice(0, at), text.slice(at + 1)]
  if (at === -1 || !(atoms.test(name) || quoted.test(name))) return false
  const [, version, address = ''] = /^\[(IPv6:)?(.*)\]$/i.exec(host) ?? []
  return domain.test(host) || (version === undefined ? isIPv4(address) : isIPv6Address(address))
}

const minutesOfDay = 24 * 60

const hostnameForm = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

function isDateTime(text: string): boolean {
  const [date = '', time = '', ...more] = text.split(/t/i)
  return more.length === 0 && isDate(date) && isTime(time)
}

function isDate(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (year === undefined) return false
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

function isTime(text: string): boolean {
  const [, hour, minute, second, sign = '+', zoneHour = '0', zoneMinute = '0'] =
    /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text) ?? []
  const zone = (sign === '+' ? -1 : 1) * (Number(zoneHour) * 60 + Number(zoneMinute))
  const minuteOfDay = (Number(hour) * 60 + Number(minute) + zone + minutesOfDay) % minutesOfDay
  return (
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    // A leap second is the last of a day in UTC.
    Number(second) <= (minuteOfDay === minutesOfDay - 1 ? 60 : 59) &&
    Number(zoneHour) <= 23 &&
    Number(zoneMinute) <= 59
  )
}

function isRegex(text: string): boolean {
  try {
    compileEcmaScriptPattern(text)
    return true
  } catch {
    return false
  }
}
