import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { noSpeakers } from '../src/cases/speakers.ts'
import { validateCase } from '../src/cases/validate.ts'
import { noCheckHelpers } from '../src/checks/check-helpers.ts'
import { withoutModels } from './support/packed.ts'
import { executedPages, readPage } from './support/pages.ts'
import { demo, installViva, project, repository, viva as runViva } from './support/viva.ts'

/**
 * Code blocks of the README and the docs are executed, each page in a fresh copy of the demo app, of the app that
 * its first line names (`<!-- app: cafe -->`) or in an empty folder (`<!-- app: none -->`); a page can also use
 * packages that are installed here (`<!-- app: none, packages: ai zod -->`):
 * `console` blocks are run and what they print is compared; a block whose first line is `// file: x` is
 * written there; `jsonl` blocks must be valid cases.
 */
interface Block {
  language: string
  text: string
}

function readBlocks(page: string): Block[] {
  const text = readPage(page)
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', body = '']) => ({
    language,
    text: body,
  }))
}

/** Replaces times, which differ from run to run. */
function withoutTimes(output: string): string {
  return output
    .replace(/\b\d+(?:\.\d+)?m?s\b/g, '0ms')
    .replace(/output-\d{14}/g, 'output-20260101000000')
    .replace(/(runs|audits|branches|grades)\/\d{14}/g, '$1/20260101000000')
    .trimEnd()
}

/** A shell in which `viva` is the built command. A command line that is nothing but `viva` runs in this process. */
function shell(): { run(command: string, cwd: string): Promise<string> } {
  const bin = project()
  const viva = `exec "${process.execPath}" "${join(repository, 'bin/viva.js')}" "$@"`
  // A vitest of its own, not one inside this run.
  const vitest = `unset VITEST; exec "${process.execPath}" "${join(repository, 'node_modules/vitest/vitest.mjs')}" "$@"`
  // The real `npx` would look for the package in a registry.
  for (const [name, line] of Object.entries({ viva, vivavoce: viva, vitest, npx: 'exec "$@"' })) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  let last = 0
  return {
    async run(command, cwd) {
      const env = { ...withoutModels(), PATH: `${bin}${delimiter}${process.env.PATH}`, NO_COLOR: '1' }
      if (isOnlyViva(command)) {
        const { exitCode, stdout, stderr } = await runViva(splitWords(command, cwd).slice(1), {
          cwd,
          env: { NO_COLOR: '1' },
        })
        last = exitCode ?? -1
        return stdout + stderr
      }
      const { stdout, stderr, status } = spawnSync('sh', ['-c', command.replace('$?', String(last))], {
        cwd,
        env,
        encoding: 'utf8',
      })
      last = status ?? -1
      return stdout + stderr
    },
  }
}

function isOnlyViva(command: string): boolean {
  const unquoted = command.replace(/"[^"]*"/g, '')
  return unquoted.startsWith('viva ') && !/[|;&<>$()`'\\]/.test(unquoted)
}

/** The words of a command line, as the shell splits, unquotes and expands them. */
function splitWords(command: string, cwd: string): string[] {
  const { stdout } = spawnSync('sh', ['-c', `printf '%s\\0' ${command}`], { cwd, encoding: 'utf8' })
  return stdout.split('\0').slice(0, -1)
}

/** Returns the `$ command` lines, each with the output that follows it. */
function parseCommands(text: string): { command: string; output: string }[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...output] = part.replaceAll('\\\n', ' ').split('\n')
      return { command, output: output.join('\n') }
    })
}

/** Compares output with the page, where a line that is only `…` stands for any number of lines. */
function matches(printed: string, written: string): boolean {
  const [first = '', ...others] = withoutTimes(written).split(/^…$\n?/m)
  const last = others.pop()
  const all = withoutTimes(printed)
  if (last === undefined) return all === first
  if (!all.startsWith(first) || !all.endsWith(last.trimEnd())) return false
  let rest = all.slice(first.length, all.length - last.trimEnd().length)
  return others.every((part) => {
    const at = rest.indexOf(part)
    rest = rest.slice(at + part.length)
    return at !== -1
  })
}

/** The folder in which a page begins. */
function openFolder(page: string): string {
  const [, app, packages = ''] = /^<!-- app: (\w+)(?:, packages: (.+?))? -->/.exec(readPage(page)) ?? []
  const cwd = app === 'none' ? project() : demo(app)
  installViva(cwd, ...packages.split(' ').filter(Boolean))
  return cwd
}

describe.each(executedPages)('code blocks of %s', (page) => {
  const blocks = readBlocks(page)
  const limits = {
    agentId: 'any',
    anyInput: true,
    history: 'given' as const,
    tools: 'served' as const,
    toolsOf: 'docs',
    connectors: 'own' as const,
    connectorProblem: () => undefined,
    presetProblem: () => undefined,
  }
  const findFile = () => ({ path: '', mediaType: '' })

  it('the commands print what the page shows', async () => {
    const cwd = openFolder(page)
    const { run } = shell()
    for (const { language, text } of blocks) {
      const file = /^(?:\/\/|#) file: (\S+)\n/.exec(text)
      if (file?.[1]) {
        mkdirSync(dirname(join(cwd, file[1])), { recursive: true })
        writeFileSync(join(cwd, file[1]), text.slice(file[0].length))
      }
      if (language !== 'console') continue
      for (const { command, output } of parseCommands(text)) {
        const printed = await run(command, cwd)
        if (!matches(printed, output))
          expect(withoutTimes(printed), `$ ${command}`).toBe(withoutTimes(output))
      }
    }
  }, 120_000)

  it('no server of the page listens where the system takes ports for outgoing connections', () => {
    const ports = blocks.flatMap(({ text }) =>
      [...text.matchAll(/127\.0\.0\.1:(\d{4,5})\b/g)].map(([, port]) => Number(port)),
    )
    expect(ports.filter((port) => port >= 32_768)).toEqual([])
  })

  it('the yaml blocks can be parsed', () => {
    for (const { text } of blocks.filter(({ language }) => language === 'yaml'))
      expect(parseAllDocuments(text).flatMap(({ errors }) => errors)).toEqual([])
  })

  it('the jsonl blocks are valid cases', () => {
    for (const { text } of blocks.filter(({ language }) => language === 'jsonl')) {
      const lines = text.split('\n').filter((line) => line.trim() !== '' && !/^\s*(\/\/|#)/.test(line))
      for (const line of lines)
        expect(
          validateCase(JSON.parse(line), { limits, findFile, helpers: noCheckHelpers, speakers: noSpeakers }),
        ).toMatchObject({
          ok: true,
        })
    }
  })
})

describe('README', () => {
  const readme = readPage('README.md')

  it('the README has the commands of CI and of the demo', () => {
    const ci = readFileSync(join(repository, '.ci/run'), 'utf8')
    for (const line of ['npm ci && npm run demo', 'npm ci && npm test']) expect(readme).toContain(line)
    expect(ci).toContain('npm ci && npm test')
  })

  it('the README says how to run its commands in a checkout', () => {
    const [, folder = '', command = ''] = /^ {4}cd (\S+) && alias viva="(.*)"$/m.exec(readme) ?? []
    const cases = /^\$ viva test (-i \S+)/m.exec(readme)?.[1]
    const listed = spawnSync('sh', ['-c', `cd ${folder} && ${command} test ${cases} --list`], {
      cwd: repository,
      encoding: 'utf8',
    })
    expect(listed.stdout).toContain('greeting - Greets and says what it is for')
  })

  it('npm run demo works', () => {
    const { status, stdout } = spawnSync('npm', ['run', '--silent', 'demo'], {
      cwd: repository,
      encoding: 'utf8',
    })
    expect(stdout).toContain('► [flow] Expense Reimbursement Flow (3 turns)')
    expect(status).toBe(0)
  })
})
