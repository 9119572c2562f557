import { statSync } from 'node:fs'
import { basename, resolve } from 'node:path'

export const isCode = /\.[cm]?[jt]sx?$/
/** Programs that run the file that they are given. */
const runtimes = /^(?:node|tsx|bun|deno)(?:\.exe)?$/

interface ServerCommand {
  command?: string | undefined
  args?: string[] | undefined
  arguments?: string[] | undefined
  env?: Record<string, string> | undefined
}

/** The files in the command of an MCP server. `isSeen`: it runs the first of them, and no options load more. */
export function findServerCode(
  { command = '', args = [], arguments: words = args, env }: ServerCommand,
  cwd: string,
): { files: string[]; isSeen: boolean } {
  const files = words.map((word) => resolve(cwd, word)).filter(isFile)
  const program = basename(command)
  const [first = '', ...others] = program !== 'node' && words[0] === 'run' ? words.slice(1) : words
  const isSeen =
    runtimes.test(program) &&
    env?.NODE_OPTIONS === undefined &&
    isCode.test(first) &&
    resolve(cwd, first) === files[0] &&
    // `--rules=rules.json` names a file, too.
    !others.some((word) => word.startsWith('-') && word.includes('='))
  return { files, isSeen }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
