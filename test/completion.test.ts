import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { flagList } from '../src/cli/flags.ts'
import { project, repository, spawnViva, viva } from './support/viva.ts'

/** The shells themselves run the scripts. What is not installed is left out and printed, or fails with VIVA_REQUIRE_ALL=1. */
const isInstalled = (name: string) => spawnSync(name, ['--version']).status === 0
const left = ['zsh', 'fish'].filter((name) => !isInstalled(name))

beforeAll(() => {
  if (left.length === 0) return
  const message = `LEFT OUT: completion in ${left.join(' and ')}, which is not installed`
  if (process.env.VIVA_REQUIRE_ALL === '1') throw new Error(message)
  console.warn(message)
})

/** A project with two agents and a folder of cases, in which the shells find the built command. */
function sample(): string {
  const cwd = project({
    'app.yao': '{}',
    'assistants/shop/clerk/package.yao': '{}',
    'tests/orders.jsonl': '',
    'tests/with space.jsonl': '',
    'viva.config.json': '{"agents": {"barista": "./barista.ts"}}',
  })
  mkdirSync(join(cwd, 'bin'))
  const command = join(cwd, 'bin/viva')
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${join(repository, 'bin/viva.js')}" "$@"\n`)
  chmodSync(command, 0o755)
  return cwd
}

async function script(shell: string): Promise<string> {
  const { exitCode, stdout } = await viva(['completion', shell], { cwd: project() })
  expect(exitCode).toBe(0)
  return stdout
}

function run(shell: string, args: readonly string[], cwd: string): string[] {
  const env = {
    ...process.env,
    PATH: `${join(cwd, 'bin')}${delimiter}${process.env.PATH}`,
    HOME: cwd,
    TERM: 'dumb',
  }
  const { stdout, stderr } = spawnSync(shell, args, { cwd, env, encoding: 'utf8', timeout: 30_000 })
  expect(stderr).toBe('')
  return stdout.split('\n').filter((line) => line !== '')
}

type Complete = (line: string, cwd: string) => Promise<string[]>

/** bash splits the line as it does at the prompt, where a sign is a word of its own. */
const inBash: Complete = async (line, cwd) => {
  writeFileSync(join(cwd, 'completion.bash'), await script('bash'))
  const words = line.split(/ |(?==)|(?<==)/).map((word) => `"${word}"`)
  const ask = `source completion.bash; COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _viva; printf '%s\\n' "\${COMPREPLY[@]}"`
  return run('bash', ['--norc', '-c', ask], cwd)
}

const inFish: Complete = async (line, cwd) => {
  writeFileSync(join(cwd, 'completion.fish'), await script('fish'))
  const ask = `source completion.fish; complete -C '${line}'`
  return run('fish', ['--no-config', '-c', ask], cwd).map((found) => found.split('\t')[0] ?? '')
}

/** zsh completes only at a prompt, so it runs in a terminal of its own. */
const inZsh: Complete = async (line, cwd) => {
  writeFileSync(join(cwd, 'completion.zsh'), await script('zsh'))
  const ask = `
    zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "PS1= ; unsetopt zle_bracketed_paste beep; autoload -Uz compinit; compinit -u -D; source completion.zsh"
    zpty -w shell 'list() { compstate[insert]=; compstate[list]=; local -a all; compadd() { builtin compadd -A all "$@"; print -rl -- $all > found.tmp; cat found.tmp >> found; builtin compadd "$@" }; _main_complete; unfunction compadd; print done > finished }'
    zpty -w shell 'zle -C list complete-word list; bindkey "^X" list; print ready > ready'
    for try in {1..200}; do [[ -s ready ]] && break; sleep 0.05; done
    zpty -w -n shell ${JSON.stringify(line)}$'\\C-x'
    for try in {1..200}; do [[ -s finished ]] && break; sleep 0.05; done
    zpty -d shell
    [[ -f found ]] && cat found
    true`
  return [...new Set(run('zsh', ['-f', '-c', ask], cwd))]
}

const shells: [string, Complete][] = [
  ['bash', inBash],
  ...(left.includes('zsh') ? [] : [['zsh', inZsh] as [string, Complete]]),
  ...(left.includes('fish') ? [] : [['fish', inFish] as [string, Complete]]),
]

describe.each(shells)('completion in %s', (_, complete) => {
  it('offers the commands', async () => {
    const offered = await complete('viva ', sample())
    expect(offered).toEqual(expect.arrayContaining(['test', 'judge', 'doctor', 'completion']))
    expect(offered).not.toContain('--order')
  })

  it('offers the commands below another', async () => {
    expect(await complete('viva judge ', sample())).toEqual(['check'])
    expect(await complete('viva judge check --min', sample())).toEqual([
      expect.stringMatching(/^--min-kappa=?$/),
    ])
  })

  it('offers the flags of a command, and none of another', async () => {
    const offered = (await complete('viva test --', sample())).map((flag) => flag.replace('=', ''))
    const long = flagList().map(([, { spec }]) => /--[\w-]+/.exec(spec)?.[0] ?? '')
    expect(offered.filter((flag) => flag !== '--help').toSorted()).toEqual(long.toSorted())
    expect((await complete('viva compare --', sample())).join(' ')).not.toContain('--parallel')
  })

  it('offers the values of a flag', async () => {
    const expected = ['failed-first', 'slow-first', 'random']
    const offered = await complete('viva test --order ', sample())
    expect(offered.toSorted()).toEqual(expected.toSorted())
    expect(await complete('viva help exit', sample())).toContain('exit-codes')
  })

  it('offers files', async () => {
    const offered = (await complete('viva test -i tests/', sample())).join('\n')
    expect(offered).toContain('orders.jsonl')
    expect(offered).toMatch(/with\\? space\.jsonl/)
    expect((await complete('viva report tests/or', sample())).join('\n')).toContain('orders.jsonl')
  })

  it('offers nothing for a text', async () => {
    expect(await complete('viva test --timeout ', sample())).toEqual([])
  })

  it('offers the agents of the project', async () => {
    const offered = await complete('viva test -n ', sample())
    expect(offered).toEqual(expect.arrayContaining(['barista', 'shop.clerk']))
  })
})

describe('viva completion', () => {
  it('bash completes after a sign', async () => {
    expect(await inBash('viva test --on-missing-input=f', sample())).toEqual(['fail'])
  })

  it('does not run a config that is a module', async () => {
    const cwd = project({
      'app.yao': '{}',
      'assistants/clerk/package.yao': '{}',
      'viva.config.mjs':
        "import { writeFileSync } from 'node:fs'\nwriteFileSync('trace', 'ran')\nexport default { agents: { x: './x.ts' } }",
    })
    const { stdout } = await spawnViva(['completion', '--agents'], { cwd })
    expect(stdout).toBe('clerk\n')
    expect(existsSync(join(cwd, 'trace'))).toBe(false)
  })

  it('prints nothing for a project that is broken', async () => {
    const cwd = project({ 'viva.config.json': '{' })
    expect(await viva(['completion', '--agents'], { cwd })).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  })

  it('says how to install each script, and lists no hidden flag in its help', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const text = await script(shell)
      expect(text).toMatch(/^(#compdef viva\n)?# Completion of viva for \w+\. To install it/)
    }
    const { stdout } = await viva(['completion', '--help'], { cwd: project() })
    expect(stdout).not.toContain('--agents')
  })

  it.each([[[]], [['powershell']]])('refuses %j', async (args) => {
    const { exitCode, stderr } = await viva(['completion', ...args], { cwd: project() })
    expect(stderr).toContain('viva completion takes bash, zsh, fish')
    expect(exitCode).toBe(2)
  })
})
