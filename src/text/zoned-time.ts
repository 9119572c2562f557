/** A moment, and the time zone in which it is shown. */
export interface ZonedTime {
  instant: Date
  /** How far its clocks are ahead of UTC. */
  offsetMinutes: number
  /** `Europe/Berlin`. Absent for the zone of this process, whose name takes long to find out. */
  zone?: string
}

export function zonedNow(): ZonedTime {
  return inOwnZone(new Date())
}

function inOwnZone(instant: Date): ZonedTime {
  return { instant, offsetMinutes: -instant.getTimezoneOffset() }
}

/** A date whose fields in UTC are those that the clocks of the zone show. */
export function shownDate({ instant, offsetMinutes }: ZonedTime): Date {
  return new Date(instant.getTime() + offsetMinutes * 60_000)
}

export function zoneName({ zone }: ZonedTime): string {
  return zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** `2026-03-04T05:06:07.000+01:00[Europe/Berlin]`, as in RFC 9557. */
export function formatZonedTime(time: ZonedTime): string {
  const shown = shownDate(time).toISOString().slice(0, -1)
  const minutes = Math.abs(time.offsetMinutes)
  const offset = [Math.floor(minutes / 60), minutes % 60]
    .map((each) => String(each).padStart(2, '0'))
    .join(':')
  return `${shown}${time.offsetMinutes < 0 ? '-' : '+'}${offset}[${zoneName(time)}]`
}

/** A time without a zone is one of this process. */
export function parseZonedTime(text: string): ZonedTime {
  const [, time, sign, hours, minutes, zone] = /^(.*?)([+-])(\d\d):(\d\d)\[(.+)\]$/.exec(text) ?? []
  if (time === undefined || zone === undefined) return inOwnZone(new Date(text))
  const offsetMinutes = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  return { instant: new Date(Date.parse(`${time}Z`) - offsetMinutes * 60_000), offsetMinutes, zone }
}
