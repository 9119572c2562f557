import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonl, project, readJsonl, results, viva } from './support/viva.ts'

/** Says no to "bad", and must not be called when the folder has a file named "offline". */
const agent = `import { existsSync } from 'node:fs'
export default async (message) => {
  if (existsSync('offline')) throw new Error('called')
  return message === 'bad' ? 'no' : 'yes'
}
`
const ids = ['bad', 'good-0', 'good-1', 'good-2', 'good-3', 'good-4']
const cases = (value: string) =>
  jsonl(...ids.map((id) => ({ id, input: id, assert: { type: 'contains', value } })))
const test = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs']
const indexes = [1, 2, 3]
const live = indexes.map((index) => `live/${index}.jsonl`)
const replayed = indexes.map((index) => `replayed/${index}.jsonl`)
const recording = (index: number) => `${index}.recording.jsonl`

/** A project with three shards that were run and recorded, and a recording of all of them. */
async function recordedShards(): Promise<string> {
  const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': cases('yes') })
  for (const index of indexes)
    await viva(
      [...test, '--shard', `${index}/3`, '-o', `live/${index}.jsonl`, '--record', recording(index)],
      {
        cwd,
      },
    )
  const texts = indexes.map((index) => readFileSync(join(cwd, recording(index)), 'utf8'))
  writeFileSync(join(cwd, 'all.recording.jsonl'), texts.join(''))
  return cwd
}

function replay(cwd: string, index: number, from: string, ...flags: string[]) {
  const args = ['--shard', `${index}/3`, '--replay', from, '-o', `replayed/${index}.jsonl`, ...flags]
  return viva([...test, ...args], { cwd })
}

async function replayedShards(): Promise<string> {
  const cwd = await recordedShards()
  writeFileSync(join(cwd, 'offline'), '')
  for (const index of indexes) await replay(cwd, index, 'all.recording.jsonl')
  return cwd
}

describe('shards that are replayed', () => {
  it('are merged to results that are replayed, and not in the history', async () => {
    const cwd = await replayedShards()
    const { exitCode, stdout } = await viva(['merge', ...replayed, '-o', 'all.jsonl'], { cwd })
    expect(stdout).toContain('  Origin:  replayed from all.recording.jsonl\n')
    expect(stdout).toContain('  Rate:    not computed: the results are replayed, not of a live run\n')
    expect(exitCode).toBe(1)
    const [start, ...lines] = readJsonl(join(cwd, 'all.jsonl'))
    expect(start).toMatchObject({ origin: { kind: 'replayed', from: 'all.recording.jsonl' }, total_cases: 6 })
    expect(lines.at(-1)).toMatchObject({ origin: 'replayed', pass_rate: null, passed: 5, failed: 1 })
    expect(results(join(cwd, 'all.jsonl')).every(({ origin }) => origin === 'replayed')).toBe(true)
    expect(existsSync(join(cwd, '.viva/history.jsonl'))).toBe(false)
  })

  it('need only their own cases in the recording', async () => {
    const cwd = await recordedShards()
    expect((await replay(cwd, 1, recording(1))).stdout).toContain('  Results: replayed/1.jsonl\n')
    const { exitCode, stderr } = await replay(cwd, 2, recording(1))
    expect(stderr).toContain('✗ 1.recording.jsonl is a recording of other cases')
    expect(exitCode).toBe(2)
  })

  it.each([['--gate', '0.5'], ['--gate-suite', '0.5'], ['--gate-stable'], ['--baseline', 'live/1.jsonl']])(
    'are not merged with %s',
    async (...flags) => {
      const cwd = await replayedShards()
      const { exitCode, stderr } = await viva(['merge', ...replayed, '-o', 'all.jsonl', ...flags], { cwd })
      expect(stderr).toBe(
        `✗ ${flags[0]} is for results of a live run, and these are replayed from all.recording.jsonl: recorded answers say nothing new about the agent\n`,
      )
      expect(exitCode).toBe(2)
      expect(existsSync(join(cwd, 'all.jsonl'))).toBe(false)
    },
  )

  it('are not merged with others that come from elsewhere', async () => {
    const cwd = await replayedShards()
    await replay(cwd, 3, recording(3), '--live', 'judge', '--live', 'agent')
    const [, second = '', third = ''] = replayed
    const { exitCode, stderr } = await viva(
      ['merge', ...live.slice(0, 1), second, third, '-o', 'all.jsonl'],
      {
        cwd,
      },
    )
    const hint = '(run all shards live, or replay them all from one recording: cat joins those of shards)'
    const differ = 'live/1.jsonl are not of one run: they differ in where the results come from'
    expect(stderr.split('\n')).toEqual([
      `✗ ${second} and ${differ} (--replay, --live): replayed from all.recording.jsonl and a live run ${hint}`,
      `✗ ${third} and ${differ} (--replay, --live): replayed from 3.recording.jsonl (live: agent, judge, model) and a live run ${hint}`,
      '2 errors. Nothing was run.',
      '',
    ])
    expect(exitCode).toBe(2)
  })

  it('may name the layers of --live in any order', async () => {
    const cwd = await recordedShards()
    for (const index of indexes) {
      const layers = index === 2 ? ['judge', 'agent'] : ['agent', 'judge']
      await replay(cwd, index, 'all.recording.jsonl', ...layers.flatMap((layer) => ['--live', layer]))
    }
    expect((await viva(['merge', ...replayed, '-o', 'all.jsonl'], { cwd })).exitCode).toBe(1)
  })
})

describe('merged results', () => {
  it('can be graded, and branched from', async () => {
    const cwd = await recordedShards()
    await viva(['merge', ...live, '-o', 'all.jsonl'], { cwd })
    writeFileSync(join(cwd, 'cases.jsonl'), cases('no'))
    const graded = await viva(['grade', 'all.jsonl', '-i', 'cases.jsonl', '-o', 'graded.jsonl'], { cwd })
    expect(graded.stdout).toContain('  Origin:  graded from all.jsonl\n')
    expect(
      results(join(cwd, 'graded.jsonl'))
        .filter(({ status }) => status === 'passed')
        .map(({ id }) => id),
    ).toEqual(['bad'])
    const say = ['branch', 'all.jsonl', 'bad', '--turn', '1', '--say', 'good', '-o', 'branched.jsonl']
    expect((await viva(say, { cwd })).exitCode).toBe(0)
    expect(results(join(cwd, 'branched.jsonl'))).toMatchObject([{ id: 'bad', status: 'passed' }])
  })

  it('are not made of graded shards', async () => {
    const cwd = await recordedShards()
    const [first = '', ...others] = live
    await viva(['grade', first, '-i', 'cases.jsonl', '-o', 'graded.jsonl'], { cwd })
    const { exitCode, stderr } = await viva(['merge', 'graded.jsonl', ...others, '-o', 'all.jsonl'], { cwd })
    expect(stderr).toContain(
      '✗ graded.jsonl was made by viva grade (merge the shards, and grade the merged results)\n',
    )
    expect(exitCode).toBe(2)
  })
})
