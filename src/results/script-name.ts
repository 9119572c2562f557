/** The names of a file of script tests for people: `scripts.expense.setup`, and its path below `assistants/`. */
export interface ScriptName {
  id: string
  path: string
}

/** A file that belongs to no agent is named by its path. */
export function scriptName(file: string): ScriptName {
  const [, path, agent, script] = /(?:^|\/)assistants\/((.+?)\/src\/(.+)_test\.\w+)$/.exec(file) ?? []
  if (path === undefined || agent === undefined || script === undefined) return { id: file, path: file }
  return { id: ['scripts', ...agent.split('/'), ...script.split('/')].join('.'), path }
}
