/** Control, formatting and invisible characters, and the characters of markup and chat templates. */
const unsafe = /[<>|`]|(?! )\p{Z}|\p{C}|\p{Default_Ignorable_Code_Point}/gu

/**
 * A value as JSON on one line. Line breaks, angle brackets, and characters that are invisible or change the direction of
 * text are escaped, so that nothing in it looks like the end of a block, a role or a tag.
 */
export function jsonLine(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(unsafe, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}
