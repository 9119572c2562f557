/**
 * Splits a command line into words: quotes and backslashes work as in a shell, nothing else does. Throws an error with
 * a message for the author.
 */
export function splitCommand(line: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at)
    if (character === '\\' && quote !== "'" && escapes(line.charAt(at + 1), quote)) {
      at += 1
      word = (word ?? '') + line.charAt(at)
    } else if (quote === '' && /\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (quote === '' && (character === '"' || character === "'")) {
      quote = character
      word ??= ''
    } else if (character === quote) {
      quote = ''
    } else {
      word = (word ?? '') + character
    }
  }
  if (quote !== '') throw new Error(`the quote ${quote} is never closed`)
  return word === undefined ? words : [...words, word]
}

/** Whether a backslash escapes the next character: other backslashes stay, as in Windows paths. */
function escapes(next: string, quote: string): boolean {
  return quote === '"' ? /["\\$`]/.test(next) : /["'\\\s$]/.test(next)
}
