const namedVariable =
  /\$ENV\.([A-Za-z_]\w*)|\bprocess\.env(?:\.([A-Za-z_]\w*)|\[["'`](\w+)["'`]\])|\{\{\s*env\.(\w+)/g
/** `const { HOST, PORT: port = '80' } = process.env` */
const destructured = /\{([^{}]*)\}\s*=\s*process\.env\b(?!\s*\??\s*[.[])/g

/** Ways to read variables of the environment that no text names. */
const unnamed = [
  /\bprocess\.env\b(?!\.[A-Za-z_]|\[["'`]\w+["'`]\])/,
  /\bprocess\s*(?:\?\.|\[)/,
  /\bimport\s*\{[^}]*\benv\b[^}]*\}\s*from\s*["'`](?:node:)?process["'`]/,
  // By another name: `require('process').env`, `const { env } = process`, `read(process)`.
  /\b(?:import|require)\s*\(\s*["'`](?:node:)?process["'`]/,
  /\bglobal(?:This)?\s*(?:\?\.)?\s*(?:\.\s*|\[\s*["'`])process\b(?!["'`\]\s]*\.\s*[A-Za-z_])/,
  /\bglobal(?:This)?\s*(?:\?\.)?\s*(?:\.\s*|\[\s*["'`])process\b["'`\]\s]*\.\s*env\b/,
  /(?:[=(,:?]|\.\.\.|\breturn)\s*process\b(?!\s*[.:=(]|[\w'"`-]|[ \t]+\w|\s*\)\s*=>)/,
  /\bimport\.meta\.env\b|\b(?:Deno|Bun)\.env\b|\bloadEnvFile\b/,
]

/** Lines that are only a comment: prose may process things, too. */
export const commentLine = /^[ \t]*(?:\/\/.*|\*(?:\s.*)?|\/\*(?:(?!\*\/).)*(?:\*\/\s*)?)$/gm
const otherName =
  /\bimport\s+(?:\*\s*as\s+)?([\w$]+)\s+from\s*["'`](?:node:)?process["'`]|\b(?:const|let|var)\s+([\w$]+)\s*=\s*require\s*\(\s*["'`](?:node:)?process["'`]\s*\)/g
const brokenChain = /\bprocess\s*\.\s*env\b(?:\s*\.\s*(?=[A-Za-z_]))?/g

/** With `process` by its own name, and its chains on one line: formatters break long ones. */
function normalizeCode(source: string): string {
  let text = source.replace(commentLine, '')
  for (const [found, imported, required] of text.matchAll(otherName)) {
    const name = (imported ?? required ?? '').replaceAll('$', '\\$')
    text = text.replace(found, '').replace(new RegExp(`(?<![\\w$.])${name}(?![\\w$])`, 'g'), 'process')
  }
  return text.replace(brokenChain, (found) => found.replaceAll(/\s/g, ''))
}

/** The variables of the environment that a text names. */
export function listVariables(source: string): string[] {
  const text = normalizeCode(source)
  const names = new Set<string>()
  for (const [, ...found] of text.matchAll(namedVariable))
    for (const name of found) if (name !== undefined) names.add(name)
  for (const [, list = ''] of text.matchAll(destructured))
    for (const [, name = ''] of list.matchAll(/(?:^|,)\s*([A-Za-z_]\w*)/g)) names.add(name)
  return [...names]
}

/** Whether code may also read variables that it does not name. */
export function readsUnnamedVariables(source: string): boolean {
  if (!/env|\bprocess\b/i.test(source)) return false
  const text = normalizeCode(source)
  const rest = text.replace(destructured, (whole, list: string) => (list.includes('...') ? whole : ''))
  return unnamed.some((pattern) => pattern.test(rest))
}
