import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { echoAgent, jsonl, project, results, viva } from './support/viva.ts'

const passes = (id: string) => ({ id, input: id, assert: { type: 'contains', value: id } })
const fails = (id: string) => ({ id, input: id, assert: { type: 'contains', value: 'goodbye' } })
const test = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs']

describe('resumed runs', () => {
  it('a resumed run lists all failures, also those from before', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl(fails('first'), passes('middle'), fails('last')),
    })
    await viva([...test, '--fail-fast', '-o', 'x.jsonl'], { cwd })
    const { stdout } = await viva([...test, '--resume', 'x.jsonl'], { cwd })
    expect(stdout).toContain('Resumed: 1 result already exists')
    expect(stdout).toMatch(
      / {2}Failed\n {2}✗ \[first\] cases.jsonl:1\n.*\n {2}✗ \[last\] cases.jsonl:3\n.*\n\n/,
    )
    expect(stdout).toContain("viva test -i cases.jsonl -n ./agent.mjs --run '^(first|last)$'\n")
  })

  it('the command that finishes a run keeps its outputs, reports and filters', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl({ ...fails('first'), tags: ['smoke'] }, { ...passes('second'), tags: ['smoke'] }),
    })
    const outputs = ['-o', 'out/summary', '-o', 'out/x.jsonl', '-r', 'report.summary']
    const { stdout } = await viva([...test, '--fail-fast', '--tag', 'smoke', ...outputs], { cwd })
    const [, command = ''] = /Finish the run:\n {4}viva (.*)\n/.exec(stdout) ?? []
    expect(command).toContain('--tag smoke --fail-fast -o out/summary -o out/x.jsonl -r report.summary')
    expect(command).toContain('--resume out/x.jsonl')
    rmSync(join(cwd, 'out/summary'))
    await viva(command.split(' '), { cwd })
    expect(readFileSync(join(cwd, 'out/summary'), 'utf8')).toContain('1 of 2 passed')
    expect(results(join(cwd, 'out/x.jsonl')).map(({ id, status }) => [id, status])).toEqual([
      ['first', 'failed'],
      ['second', 'not_run'],
      ['second', 'passed'],
    ])
  })

  it('a resumed run lists the results that no longer count', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl(passes('stays'), passes('goes'), passes('changes')),
    })
    await viva([...test, '-o', 'x.jsonl'], { cwd })
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl(passes('stays'), { ...passes('changes'), name: 'New' }))
    const { stdout } = await viva([...test, '--resume', 'x.jsonl'], { cwd })
    expect(stdout).toContain(
      'ℹ Left out: 2 results of cases that were changed or are no longer selected: goes, changes\n',
    )
  })

  it('a resumed run of script tests lists the results that no longer count', async () => {
    const cwd = project({
      'sum_test.ts': 'function TestA(t) { t.assert.True(true) }\nfunction TestB(t) { t.assert.True(true) }\n',
    })
    await viva(['test', '-i', 'sum_test.ts', '-o', 'x.jsonl'], { cwd })
    const { stdout } = await viva(['test', '-i', 'sum_test.ts', '--resume', 'x.jsonl', '--run', 'TestA'], {
      cwd,
    })
    expect(stdout).toContain('  Resumed: 1 result already exists\n  Left out: 1 result of cases')
    expect(stdout).toContain('are no longer selected: TestB\n')
  })
})

describe('--last-failed --list', () => {
  it('--last-failed --list lists what failed with the named agents', async () => {
    const cwd = project({
      'good.mjs': echoAgent,
      'bad.mjs': 'export default () => "no"\n',
      'cases.jsonl': jsonl(passes('one'), fails('two')),
    })
    const cases = ['test', '-i', 'cases.jsonl', '-n']
    for (const agent of ['./good.mjs', './bad.mjs']) await viva([...cases, agent, '-o', 'x.jsonl'], { cwd })
    const listed = async (...flags: string[]) =>
      (await viva(['test', '-i', 'cases.jsonl', '--last-failed', '--list', ...flags], { cwd })).stdout
    expect(await listed('-n', './good.mjs')).toBe('two\n')
    expect(await listed('-n', './bad.mjs')).toBe('one\ntwo\n')
    expect(await listed('-n', './good.mjs', '-n', './bad.mjs')).toBe('one\ntwo\n')
    expect(await listed()).toBe('one\ntwo\n')
  })

  it('--last-failed --list refuses an unknown agent', async () => {
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(fails('one')) })
    await viva([...test, '-o', 'x.jsonl'], { cwd })
    const { exitCode, stderr } = await viva(
      ['test', '-i', 'cases.jsonl', '--last-failed', '--list', '-n', './none.mjs'],
      { cwd },
    )
    expect(stderr).toContain('none.mjs')
    expect(exitCode).toBe(2)
  })
})
