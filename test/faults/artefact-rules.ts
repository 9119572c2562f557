/** Rules for the text of each kind of report. Each returns the problems it finds. */
type Rule = (text: string) => string[]

/** Only colours may control the terminal. */
export const terminalProblems: Rule = (text) => [
  ...found(text.replace(/\u001b\[[\d;]*m/g, ''), 'a control character', controls),
  ...foreignCommands(text),
]

const controls =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g

/** Lines that a workflow would read as commands, except viva's own annotations. */
function foreignCommands(text: string): string[] {
  const lines = text.split(/\r?\n/).filter((line) => /^\s*::|##\[/.test(line))
  const ours = /^::(?:error|warning) (?:file=[^:]*,line=\d+,)?title=[^:]*::/
  return lines.filter((line) => !ours.test(line)).map((line) => `a command: ${line}`)
}

/** Outside of fences, no text may be markup. */
export const markdownProblems: Rule = (text) => {
  const outside = text
    .replace(/^(`{3,})(?:text|diff)\n.*?\n\1$/gms, '')
    .replace(/<\/?(?:details|summary)>|^> /gm, '')
  return [
    ...found(outside, 'markup', /[<>`]|@|:\/\/|www\.|\]\(/g),
    ...found(text, 'a control character', controls),
    ...foreignCommands(text),
  ]
}

export const jsonLinesProblems: Rule = (text) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => jsonProblems(line))

export const jsonProblems: Rule = (text) => {
  try {
    JSON.parse(text)
    return found(text.replaceAll('\n', ''), 'a control character', /[\u0000-\u001f]/g)
  } catch (error) {
    return [`not JSON: ${error}`]
  }
}

/** A browser checks whether it can be parsed. */
export const xmlProblems: Rule = (text) => [
  ...found(text, 'a control character', /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g),
  ...found(text, 'a document type', /<!(?:DOCTYPE|ENTITY)/g),
]

/** The file itself, before any script runs. */
export const htmlProblems: Rule = (text) => {
  const rest = text.replace(/<(script|style)\b[^>]*>.*?<\/\1>/gs, '')
  return found(rest, 'a live payload', /alert|evil|onerror|onload|<a |<link|<img|src=/g)
}

function found(text: string, what: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].slice(0, 3).map(({ 0: match, index }) => {
    const around = text.slice(Math.max(0, index - 40), index + 40)
    return `${what}, ${JSON.stringify(match)}, in ${JSON.stringify(around)}`
  })
}
