/**
 * In the log of a GitHub workflow, `::x` at the start of a line and `##[x]` anywhere in it are commands. No text of an
 * agent may act as one, wherever it is printed.
 */
export function escapeCommands(text: string): string {
  return text.replace(/^([^\S\n]*)::/gm, '$1\\::').replaceAll('##[', '##\\[')
}

/** Disables commands in everything that is printed to the log of a workflow; elsewhere the text stays as it is. */
export function createLogEscape(env: NodeJS.ProcessEnv): (text: string) => string {
  return env.GITHUB_ACTIONS === 'true' ? escapeCommands : (text) => text
}

/** Does the same in JSON without changing the parsed text. A line of JSON never starts with a colon. */
export function escapeCommandsInJson(json: string): string {
  return json.replaceAll('##[', '\\u0023#[')
}
