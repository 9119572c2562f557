import { ConfigError } from '../../errors.ts'

/** One snapshot: of a part of a case, with one variant of the agent. */
export interface Snapshot {
  id: string
  part: string
  variant: string
  text: string
}

const fieldNames = { case: 'id', part: 'part', agent: 'variant' } as const
const indent = '    '
const fieldPattern = /^(case|part|agent): (.*)$/
/** Follows the fields of a text with control characters. Without it, a text is as it was, whatever backslashes it has. */
const escapedMark = 'text: escaped'
/** A terminal would obey them, and git takes a file that has them for a binary one. */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/** Identifies a snapshot within its file. */
export function snapshotName({ id, part, variant }: Omit<Snapshot, 'text'>): string {
  return JSON.stringify([id, part, variant])
}

/** The text of a snapshot file: sorted, so that the same snapshots are the same file. */
export function formatSnapshots(caseFile: string, snapshots: Iterable<Snapshot>): string {
  const blocks = [...snapshots]
    .sort((left, right) => compareNames(left, right))
    .map(
      ({ id, part, variant, text }) =>
        `case: ${quoteIfNeeded(id)}\npart: ${quoteIfNeeded(part)}\nagent: ${quoteIfNeeded(variant)}\n${formatText(text)}\n`,
    )
  return [
    `# Snapshots of ${caseFile}, written by viva. Review a change like code; --update-snapshots accepts it.\n`,
    ...blocks,
  ].join('\n')
}

function compareNames(left: Snapshot, right: Snapshot): number {
  for (const name of ['id', 'part', 'variant'] as const) {
    const order = left[name].localeCompare(right[name], 'en', { numeric: true })
    if (order !== 0) return order
  }
  return 0
}

/** A value with a line break, a control character, or blanks at its ends is written as JSON. */
function quoteIfNeeded(value: string): string {
  const isPlain = !(/^$|^["\s]|\s$|[\n\r\u2028\u2029]/.test(value) || controls.test(value))
  return isPlain ? value : escapeControls(JSON.stringify(value))
}

function escapeControls(text: string): string {
  return text.replace(
    new RegExp(controls, 'g'),
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function formatText(text: string): string {
  if (!controls.test(text)) return indentLines(text)
  return `${escapedMark}\n${indentLines(escapeControls(text.replaceAll('\\', '\\\\')))}`
}

function unescapeText(text: string): string {
  return text.replace(/\\(?:u([\da-f]{4})|\\)/g, (_, code?: string) =>
    code === undefined ? '\\' : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

function indentLines(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : indent + line))
    .join('\n')
}

/** `file` is the path for messages. Throws `ConfigError` for a line that no snapshot has. */
export function parseSnapshots(content: string, file: string): Map<string, Snapshot> {
  const found = new Map<string, Snapshot>()
  const lines = content.replaceAll('\r\n', '\n').split('\n')
  let at = 0
  while (at < lines.length) {
    const line = lines[at] ?? ''
    if (line === '' || line.startsWith('#')) {
      at += 1
      continue
    }
    const begin = at
    const { snapshot, next } = parseOne(lines, begin, file)
    const name = snapshotName(snapshot)
    if (found.has(name)) throw badLine(file, begin, 'the same snapshot is in the file twice')
    found.set(name, snapshot)
    at = next
  }
  return found
}

function parseOne(
  lines: readonly string[],
  begin: number,
  file: string,
): { snapshot: Snapshot; next: number } {
  const snapshot: Snapshot = { id: '', part: '', variant: '', text: '' }
  let at = begin
  for (const wanted of Object.keys(fieldNames) as (keyof typeof fieldNames)[]) {
    const [, name, value = ''] = fieldPattern.exec(lines[at] ?? '') ?? []
    if (name !== wanted) throw badLine(file, at, describeLine(lines[at] ?? '', wanted))
    snapshot[fieldNames[wanted]] = unquote(value, file, at)
    at += 1
  }
  const isEscaped = lines[at] === escapedMark
  if (isEscaped) at += 1
  const text: string[] = []
  for (; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line !== '' && !line.startsWith(indent)) break
    text.push(line.slice(indent.length))
  }
  const written = text.join('\n').trimEnd()
  snapshot.text = isEscaped ? unescapeText(written) : written
  return { snapshot, next: at }
}

function describeLine(line: string, wanted: string): string {
  if (/^(?:<{7}|={7}|>{7}|\|{7})/.test(line)) return 'a merge conflict is not resolved'
  return `expected "${wanted}: …": the lines of a text begin with four spaces`
}

function unquote(value: string, file: string, at: number): string {
  if (!value.startsWith('"')) return value
  try {
    return String(JSON.parse(value))
  } catch {
    throw badLine(file, at, 'a value that begins with a quotation mark must be JSON')
  }
}

function badLine(file: string, at: number, message: string): ConfigError {
  const hint = 'fix it, or delete the file and run the cases again'
  return new ConfigError({ code: 'bad_snapshots', message, file, line: at + 1, hint })
}
