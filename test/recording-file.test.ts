import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { record, replay, run } from './support/replays.ts'
import { echoAgent, jsonl, project, viva } from './support/viva.ts'

const args = ['-i', 'cases.jsonl', '-n', './agent.mjs']

const simple = (...cases: object[]) =>
  project({
    'agent.mjs': echoAgent,
    'cases.jsonl': jsonl(...(cases.length > 0 ? cases : [{ id: 'a', input: 'x' }])),
    'other.jsonl': jsonl({ id: 'b', input: 'y' }),
  })

/** A line with the sum that a recording has of it. */
function sealed(line: object): string {
  const open = JSON.stringify(line).slice(0, -1)
  return `${open},"sum":"${createHash('sha256').update(open).digest('hex').slice(0, 16)}"}\n`
}

describe('a recording that cannot be written', () => {
  it.each<[string, (cwd: string) => void, string, string, number]>([
    ['is below a file', () => {}, 'cases.jsonl/x', 'cases.jsonl/x cannot be written: E', 3],
    ['is in a folder that cannot be written to', () => {}, '/proc/x', '/proc/x cannot be written', 3],
    ['is a device', () => {}, '/dev/null', 'recording /dev/null: the file exists', 2],
    [
      'is written by another run',
      (cwd) => {
        const owner = { id: 'x', pid: 1, host: 'elsewhere', boot: '', start: '', since: '2030-01-01' }
        writeFileSync(join(cwd, 'new.rec.lock'), `${JSON.stringify(owner)}\n`)
      },
      'new.rec',
      'new.rec is being written by another run',
      2,
    ],
    [
      'is the file of the results',
      (cwd) => symlinkSync('old.jsonl', join(cwd, 'link.rec')),
      'link.rec',
      '-o and --record are the same file: link.rec',
      2,
    ],
    [
      'leads to the file of the results',
      (cwd) => symlinkSync('gone.rec', join(cwd, 'fresh.jsonl')),
      'gone.rec',
      '-o and --record are the same file: gone.rec',
      2,
    ],
  ])('is refused before anything is played or lost if it %s', async (_, prepare, file, message, code) => {
    const cwd = simple()
    prepare(cwd)
    const out = file === 'gone.rec' ? 'fresh.jsonl' : 'old.jsonl'
    await viva(['test', ...args, '-o', 'old.jsonl'], { cwd })
    const before = readFileSync(join(cwd, 'old.jsonl'), 'utf8')
    const { exitCode, stderr } = await viva(['test', ...args, '-o', out, '--record', file], { cwd })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('bug in viva')
    expect(exitCode).toBe(code)
    expect(readFileSync(join(cwd, 'old.jsonl'), 'utf8')).toBe(before)
    expect(existsSync(join(cwd, 'new.rec'))).toBe(false)
  })

  it.each([
    ['test', ...args, '--replay', 'cases.jsonl/x'],
    ['recording', 'list', 'cases.jsonl/x'],
  ])('%s says that there is no file below a file', async (...command) => {
    const cwd = simple()
    const { exitCode, stderr } = await viva(command, { cwd })
    expect(stderr).toContain('cases.jsonl/x: no such file')
    expect(exitCode).toBe(2)
  })
})

describe('a recording of a run', () => {
  it('is named at its end, like its results', async () => {
    const cwd = simple()
    expect((await record(cwd, args)).output).toContain('\n  Recording: calls.jsonl\n')
    expect((await replay(cwd, args)).output).not.toContain('Recording:')
  })

  it('does not grow by replays that find everything', async () => {
    const cwd = simple()
    await record(cwd, args)
    const { size } = statSync(join(cwd, 'calls.jsonl'))
    expect((await replay(cwd, [...args, '--replay-missing', 'live'])).exitCode).toBe(0)
    expect(statSync(join(cwd, 'calls.jsonl')).size).toBe(size)
  })

  it('that a newer version has added to is refused, not called damaged', async () => {
    const cwd = simple()
    await record(cwd, args)
    const header = { type: 'recording', schema_version: 99, viva_version: '9.0.0', created_at: '2030-01-01' }
    appendFileSync(join(cwd, 'calls.jsonl'), sealed(header))
    const { exitCode, output } = await replay(cwd, args)
    expect(output).toContain('calls.jsonl was recorded by viva 9.0.0, which is newer than this one')
    expect(exitCode).toBe(2)
  })

  it('is made in a folder that is not there yet', async () => {
    const cwd = simple()
    expect((await run(cwd, [...args, '--record', 'kept/deep/calls.rec'])).exitCode).toBe(0)
    expect((await run(cwd, [...args, '--replay', 'kept/deep/calls.rec'])).exitCode).toBe(0)
  })

  it('keeps its place when it is a link to a file that is not there yet', async () => {
    const cwd = simple()
    mkdirSync(join(cwd, 'kept'))
    symlinkSync('kept/calls.rec', join(cwd, 'link.rec'))
    const { exitCode, output } = await run(cwd, [...args, '--record', 'link.rec'])
    expect(output).toContain('recording link.rec: the file exists')
    expect(exitCode).toBe(2)
  })
})
