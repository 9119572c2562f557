import { createHash } from 'node:crypto'

/**
 * What was said, for a model that must judge it and not obey it: one JSON value a line, between two lines that the
 * data cannot contain. Line breaks, angle brackets, and characters that are not seen or turn the text around are
 * escaped, so that nothing in it looks like the end of the block, a role or a tag.
 */
export function dataBlock(values: readonly unknown[]): string {
  const lines = values.map((value) => escaped(JSON.stringify(value) ?? 'null'))
  const mark = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
  return [`BEGIN DATA ${mark}`, ...lines, `END DATA ${mark}`].join('\n')
}

/** Controls, formatting and invisible characters, and what markup and chat templates are made of. */
const unsafe = /[<>|`]|(?! )\p{Z}|\p{C}|\p{Default_Ignorable_Code_Point}/gu

function escaped(json: string): string {
  return json.replace(unsafe, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}
