import { shorten } from '../text/shorten.ts'

/**
 * Text from outside must not move the cursor, recolour, retitle or reorder the terminal it is shown in:
 * control characters, and those that change the direction of text, are shown as escapes.
 */
const unsafe =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]|[\u{e0000}-\u{e007f}]|[\ud800-\udfff]/gu

/** Nearly all texts have nothing to escape, which is found out quickly. */
const plain = /^[\t\n -~\u00a0-\u0600]*$/

/** Escapes a text for the terminal. Line breaks and tabs stay. */
export function printable(text: string): string {
  return plain.test(text) ? text : text.replace(/\r\n/g, '\n').replace(unsafe, escapeCharacter)
}

/** JSON that a terminal shows as it is, and that can be copied from there. */
export function printableJson(value: unknown): string {
  return (JSON.stringify(value) ?? 'null').replace(unsafe, (character) =>
    Array.from(
      { length: character.length },
      (_, place) => `\\u${character.charCodeAt(place).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

/** Puts a text on one line and shortens it. */
export function oneLine(text: string, longest = 120): string {
  // The rest of the text may be megabytes and would not be shown anyway.
  const shown = printable(text.slice(0, longest * 4))
  const line = shorten(/[\n\t]/.test(shown) ? joinLines(shown) : shown.trim(), longest)
  return text.length > longest * 4 && !line.endsWith('…') ? `${line}…` : line
}

function joinLines(text: string): string {
  const lines = text.split('\n').map((line) => line.replaceAll('\t', ' ').trim())
  return lines.filter((line) => line !== '').join(' ⏎ ')
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
}
