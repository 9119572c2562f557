/** How people name a file of script tests: `scripts.expense.setup`, and its path below the assistants. */
export interface ScriptName {
  id: string
  path: string
}

/** By its place in the project. A file that belongs to no agent is named by its path. */
export function scriptName(file: string): ScriptName {
  const [, agent, script] = /(?:^|\/)assistants\/(.+?)\/src\/(.+)_test\.\w+$/.exec(file) ?? []
  if (agent === undefined || script === undefined) return { id: file, path: file }
  const id = ['scripts', ...agent.split('/'), ...script.split('/')].join('.')
  return { id, path: file.slice(file.indexOf('assistants/') + 'assistants/'.length) }
}
