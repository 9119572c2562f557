import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { flagGroups } from '../src/cli/flag.ts'
import { flagList, flags } from '../src/cli/flags.ts'
import { topics } from '../src/cli/topics/list.ts'
import { reportNames } from '../src/reporters/built-in.ts'
import { project, repository, viva } from './support/viva.ts'

async function print(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await viva(args, { cwd: project() })
  expect([exitCode, stderr]).toEqual([0, ''])
  return stdout
}

describe('viva test --help', () => {
  it('lists the flags in groups, in their order, and ends with two examples', async () => {
    const help = await print('test', '--help')
    const headings = [...help.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading)
    expect(headings).toEqual(['Arguments', ...flagGroups, 'Options', 'Examples'])
    expect(help.split('Examples:')[1]?.match(/^ {2}viva test /gm)).toHaveLength(2)
  })

  it('fits on two screens of 55 lines and 80 columns', async () => {
    const lines = (await print('test', '--help')).split('\n')
    expect(lines.length).toBeLessThan(110)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
  })

  it('every flag has a group and is listed', async () => {
    const help = await print('test', '--help')
    expect(flagList().filter(([, { spec }]) => !help.includes(`  ${spec}`))).toEqual([])
    expect(flagList().filter(([, { group }]) => group === undefined)).toEqual([])
  })

  it('names all reports that -r accepts', () => {
    expect(flags.reporter.values?.toSorted()).toEqual([...reportNames, 'github'].toSorted())
  })
})

describe('viva --help', () => {
  it('lists the commands in groups, with one line each', async () => {
    const help = await print('--help')
    expect(help).toMatch(
      /^Test:\n {2}test +Run cases.*\n {2}eval .*\n {2}worker .*\n {2}queue status .*\n {2}queue clean .*\n {2}audit .*\n {2}grade .*\n {2}mutate .*\n\nResults:/m,
    )
    expect(help).toMatch(/^ {2}judge check +Compare the verdicts/m)
    expect(help.split('\n').length).toBeLessThan(45)
  })

  it('every command has examples of itself', async () => {
    for (const name of [
      'eval',
      'worker',
      'audit',
      'report',
      'merge',
      'compare',
      'history',
      'extract',
      'branch',
      'shrink',
      'agents',
      'help',
    ]) {
      const [, examples = ''] = (await print(name, '--help')).split('\nExamples:\n')
      expect(examples.match(new RegExp(`^  viva ${name}\\b`, 'gm')), name).toHaveLength(2)
    }
  })
})

describe('viva help', () => {
  it('lists the topics', async () => {
    const help = await print('help')
    for (const { name } of topics) expect(help).toContain(`  ${name} `)
  })

  it.each(topics.map(({ name }) => name))(
    '%s fits on a screen, and names a page that exists',
    async (name) => {
      const lines = (await print('help', name)).split('\n')
      expect(lines.length).toBeLessThan(45)
      expect(lines.filter((line) => line.length > 81)).toEqual([])
      const [, page = ''] = /^More: (\S+)/m.exec(lines.join('\n')) ?? []
      expect(readFileSync(join(repository, page), 'utf8')).not.toBe('')
    },
  )

  it('finds a topic by another name', async () => {
    expect(await print('help', 'checks')).toBe(await print('help', 'assertions'))
    expect(await print('help', 'assertions')).toContain('  tool_called ')
  })

  it('has the exit codes of the docs', async () => {
    const table = readFileSync(join(repository, 'docs/results.md'), 'utf8').split('## Exit codes')[1] ?? ''
    const codes = [...table.matchAll(/^\| (\d[\d, ]*) \|/gm)].map(([, code]) => code)
    const help = await print('help', 'exit-codes')
    expect([...help.matchAll(/^ {2}(\d+(?:, \d+)?) /gm)].map(([, code]) => code)).toEqual(codes)
  })

  it('prints the help of a command', async () => {
    expect(await print('help', 'test')).toBe(await print('test', '--help'))
    expect(await print('help', 'judge', 'check')).toBe(await print('judge', 'check', '--help'))
  })

  it('suggests a topic for a misspelt one', async () => {
    const { exitCode, stderr } = await viva(['help', 'asertions'], { cwd: project() })
    expect(stderr).toContain('no help topic "asertions" (did you mean "assertions"?)')
    expect(exitCode).toBe(2)
  })
})
