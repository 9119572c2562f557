import { isIPv4, isIPv6 } from 'node:net'
import { compilePattern } from '../../text/pattern.ts'

/** The formats that are checked; others are annotations. */
export const formats: Record<string, (text: string) => boolean> = {
  'date-time': isDateTime,
  date: isDate,
  time: isTime,
  duration: (text) => durationForm.test(text) && /\d/.test(text) && !text.endsWith('T'),
  email: (text) => emailForm.test(text) && !/^\.|\.\.|\.@/.test(text),
  hostname: (text) => text.length <= 253 && hostnameForm.test(text),
  ipv4: isIPv4,
  ipv6: (text) => isIPv6(text) && !text.includes('%'),
  uri: (text) => /^[a-z][a-z\d+.-]*:/i.test(text) && isUriText(text) && URL.canParse(text),
  'uri-reference': isUriText,
  uuid: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  'json-pointer': (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text),
  regex: isRegex,
}

const durationForm = /^P(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/

const emailForm =
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)*$/i

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
  const [, hour, minute, second, zoneHour = '0', zoneMinute = '0'] =
    /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|[+-](\d\d):(\d\d))$/i.exec(text) ?? []
  return (
    Number(hour) <= 23 &&
    Number(minute) <= 59 &&
    Number(second) <= 60 &&
    Number(zoneHour) <= 23 &&
    Number(zoneMinute) <= 59
  )
}

// No spaces, quotes or other characters that a URI must escape, and only complete escapes.
function isUriText(text: string): boolean {
  return /^(?:[\w.~:/?#[\]@!$&'()*+,;=-]|%[\da-f]{2})*$/i.test(text) && text.split('#').length <= 2
}

function isRegex(text: string): boolean {
  try {
    compilePattern(text)
    return true
  } catch {
    return false
  }
}
