import { readFileSync } from 'node:fs'
import { ConfigError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import { parseJsonc } from '../../json/json-syntax.ts'
import { packageIds } from '../../project/app/package.ts'
import { locateProject } from '../../project/project.ts'
import type { Shell } from '../../system/shell.ts'
import type { Command } from '../command.ts'
import { bashScript } from '../completion/bash.ts'
import { fishScript } from '../completion/fish.ts'
import { completionTable } from '../completion/table.ts'
import { zshScript } from '../completion/zsh.ts'
import { topics } from '../topics/list.ts'

export interface CompletionFlags {
  agents?: boolean
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript }

export function completionCommand(
  name: string | undefined,
  given: CompletionFlags,
  commands: readonly Command<never>[],
  shell: Shell,
): number {
  if (given.agents) {
    for (const agent of listAgents(shell)) shell.stdout.write(`${agent}\n`)
    return 0
  }
  if (name === undefined || !Object.hasOwn(scripts, name)) {
    const names = Object.keys(scripts).join(', ')
    const message = name === undefined ? 'which shell?' : `no completion for ${name}`
    throw new ConfigError({ code: 'unknown_shell', message, hint: `viva completion takes ${names}` })
  }
  const table = completionTable(commands, {
    help: [...topics.map((topic) => topic.name), ...commands.map((command) => command.name)].filter(
      (word) => !word.includes(' '),
    ),
    completion: Object.keys(scripts),
  })
  shell.stdout.write(scripts[name as keyof typeof scripts](table))
  return 0
}

/** While someone types, no code of the project is run and nothing is reported: a config that is a module is not read. */
function listAgents({ cwd, env }: Shell): string[] {
  try {
    const location = locateProject(cwd, cwd, env)
    return [...configuredNames(location.configFile), ...packageIds({ ...location, config: {} })].filter(
      (name) => /^[\w./@-]+$/.test(name),
    )
  } catch {
    return []
  }
}

function configuredNames(path: string | undefined): string[] {
  if (!path?.endsWith('.json')) return []
  const config = parseJsonc(readFileSync(path, 'utf8'), path)
  return isRecord(config) && isRecord(config.agents) ? Object.keys(config.agents) : []
}
