/**
 * In the log of a workflow `::x` at the start of a line, and `##[x]` anywhere in it, are commands: no text of an agent may
 * be one, wherever it is printed.
 */
export function withoutCommands(text: string): string {
  return text.replace(/^([^\S\n]*)::/gm, '$1\\::').replaceAll('##[', '##\\[')
}

/** For all that is printed: only in the log of a workflow it must not be what the author did not write. */
export function harmlessInLog(env: NodeJS.ProcessEnv): (text: string) => string {
  return env.GITHUB_ACTIONS === 'true' ? withoutCommands : (text) => text
}

/** The same in JSON, where the text must stay what it is. A line of JSON never begins with a colon. */
export function withoutCommandsInJson(json: string): string {
  return json.replaceAll('##[', '\\u0023#[')
}
