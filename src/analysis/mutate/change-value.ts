/** Another number of the same size and form: 3500 becomes 4500. */
export function changeNumber(text: string): string {
  return text.replace(/\d/, (digit) => String((Number(digit) % 9) + 1))
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** Another date or time of the same form. */
export function changeDate(text: string): string {
  const weekday = days.indexOf(text)
  if (weekday !== -1) return days[(weekday + 2) % days.length] ?? text
  const iso = /^(\d{4}-\d{2}-)(\d{2})$/.exec(text)
  if (iso) return `${iso[1]}${String(laterDay(Number(iso[2]))).padStart(2, '0')}`
  const time = /^(\d{1,2})(:.*)$/.exec(text)
  if (time) return `${laterHour(time[1] ?? '', text)}${time[2]}`
  // The day is the first number that is no year.
  return text.replace(/(?<!\d)\d{1,2}(?!\d)/, (day) =>
    String(laterDay(Number(day))).padStart(day.startsWith('0') ? 2 : 1, '0'),
  )
}

function laterDay(day: number): number {
  return ((day + 2) % 28) + 1
}

function laterHour(hour: string, text: string): string {
  const hours = /[AaPp]\.?[Mm]/.test(text) ? 12 : 24
  const later = (Number(hour) + 3) % hours
  return String(later === 0 && hours === 12 ? 12 : later).padStart(hour.length, '0')
}

const otherNames = ['Marlow', 'Tessin', 'Corvin', 'Hallgate']

/** Another name of the same kind: a code gets another last sign, a name is replaced by one that nobody has. */
export function changeName(text: string, others: readonly string[] = []): string {
  if (/\d/.test(text)) return changeLastSign(text)
  const other = [...others, ...otherNames].find((name) => name.toLowerCase() !== text.toLowerCase()) ?? ''
  return /^\p{Ll}/u.test(text) ? lowerFirst(other) : other
}

function changeLastSign(text: string): string {
  const digit = text.search(/\d(?=\D*$)/)
  return text.slice(0, digit) + changeNumber(text.slice(digit))
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
