/** A piece of text that is put into another one, in the place of some of it or of nothing. */
export interface TextEdit {
  offset: number
  length: number
  text: string
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((left, right) => right.offset - left.offset)
    .reduce((changed, { offset, length, text: piece }) => {
      return changed.slice(0, offset) + piece + changed.slice(offset + length)
    }, text)
}

/** The spaces at the beginning of the line. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

/** Whether only spaces stand before it on its line. */
export function beginsLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset))
}

export function lineBreak(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

/** A file without spaces keeps that style. */
export function spaceLike(text: string): '' | ' ' {
  return /":\S/.test(text) && !/": /.test(text) ? '' : ' '
}

/** JSON on one line, with the spaces that a text has in its own. */
export function renderLike(value: unknown, text: string): string {
  const space = spaceLike(text)
  const pad = /\{ "/.test(text) && !/\{"/.test(text) ? ' ' : ''
  return render(value, space, pad)
}

function render(value: unknown, space: string, pad: string): string {
  if (Array.isArray(value)) return `[${value.map((item) => render(item, space, pad)).join(`,${space}`)}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  if (fields.length === 0) return '{}'
  const written = fields.map(([key, field]) => `${JSON.stringify(key)}:${space}${render(field, space, pad)}`)
  return `{${pad}${written.join(`,${space}`)}${pad}}`
}
