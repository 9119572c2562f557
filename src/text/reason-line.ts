import { shorten } from './shorten.ts'

const reasonLimit = 500

/** A reason on one line: neither line breaks nor terminal escapes may reach the line a person reads. */
export function reasonLine(text: string): string {
  let line = ''
  let wasControl = false
  // No regular expression: with an `exec` of the user's, a global one may never end.
  for (let index = 0; index < text.length && line.length <= reasonLimit; index++) {
    const character = text[index] ?? ''
    const isControl = isControlCharacter(character)
    if (!isControl) line += character
    else if (!wasControl) line += ' '
    wasControl = isControl
  }
  return shorten(line, reasonLimit)
}

function isControlCharacter(character: string): boolean {
  if (character < ' ' || character === '\u2028' || character === '\u2029') return true
  return character >= '\u007f' && character <= '\u009f'
}
