import { oneLine } from './printable.ts'

/** Escapes a text so that it is shown as it is: no markup, no links, no mentions. */
export function markdownText(text: string, longest = 300): string {
  return oneLine(text, longest)
    .replace(/[\\`*_{}[\]()#+!|<>~$&]/g, (character) => `&#${character.charCodeAt(0)};`)
    .replace(/@/g, '&#64;')
    .replace(/:\/\/|^::/g, (sign) => `&#58;${sign.slice(1)}`)
    .replace(/\bwww\./gi, (word) => `${word.slice(0, 3)}&#46;`)
}
