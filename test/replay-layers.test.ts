import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectOfEveryLayer } from './support/every-layer.ts'
import { conversations, readJournal, record, replay, run } from './support/replays.ts'
import { jsonl, type Line, project, results, viva } from './support/viva.ts'

describe('the journal of a replay', () => {
  it('is the same at --parallel 1 and 16: hooks, tools, simulator, judge, scripts, runs, retries, variants', async () => {
    const { cwd, takeCalls } = projectOfEveryLayer()
    const args = ['-i', 'cases.jsonl', '-n', 'desk', '-c', 'main', '-c', 'other', '--runs', '3']
    const recorded = await record(cwd, [...args, '--parallel', '4'])
    expect(recorded.lines).toHaveLength(6 * 3 * 2 + 1)
    expect(recorded.lines.filter(({ flaky }) => flaky === true)).toMatchObject([{ id: 'shaky', attempt: 2 }])
    expect(takeCalls()).toEqual(['hook', 'judge', 'model', 'script', 'simulator', 'tools'])
    const one = await replay(cwd, args)
    const many = await replay(cwd, [...args, '--parallel', '16'])
    expect(takeCalls()).toEqual([])
    expect(readJournal(many.path)).toEqual(readJournal(one.path))
    expect(conversations(one.lines)).toEqual(conversations(recorded.lines))
    expect([one.exitCode, many.exitCode]).toEqual([recorded.exitCode, recorded.exitCode])
  })
})

describe('a run of every layer, three times with two variants', () => {
  it('is graded with the same verdicts where the results say enough, and only judges and scripts are called', async () => {
    const { cwd, takeCalls } = projectOfEveryLayer()
    const args = ['-i', 'cases.jsonl', '-n', 'desk', '-c', 'main', '-c', 'other', '--runs', '3']
    const live = await run(cwd, [...args, '--parallel', '4'])
    takeCalls()
    const grade = async (out: string, parallel: string) => {
      const flags = ['-i', 'cases.jsonl', '-o', out, '--parallel', parallel]
      const { exitCode, stderr } = await viva(['grade', live.path, ...flags], { cwd })
      expect(exitCode, stderr).toBe(1)
      return join(cwd, out)
    }
    const one = await grade('one.jsonl', '1')
    expect(takeCalls()).toEqual(['judge', 'script'])
    const many = await grade('many.jsonl', '16')
    expect(readJournal(many)).toEqual(readJournal(one))
    const verdicts = (lines: readonly Line[]) =>
      lines
        .filter(({ retrying }) => retrying !== true)
        .map(({ id, variant, run, status, error_kind }) => [id, variant, run, status, error_kind].join(' '))
        .toSorted()
    // The check of these asks for a variable that `before` had set.
    const expected = verdicts(live.lines).map((text) =>
      /^(one|two|three|four) /.test(text) ? text.replace('passed ', 'failed judge_unknown') : text,
    )
    expect(verdicts(results(one))).toEqual(expected)
  })

  it('is gone on with from any turn of any run and variant', async () => {
    const { cwd, takeCalls } = projectOfEveryLayer()
    const args = ['-i', 'tea.jsonl', '-n', 'desk', '-c', 'main', '-c', 'other', '--runs', '3']
    const live = await run(cwd, args)
    takeCalls()
    const place = ['tea', '--variant', 'desk@other', '--run-number', '3', '--turn', '2']
    const out = ['--say', 'How many now?', '-o', 'branch.jsonl', '--save', 'kept.jsonl']
    const { exitCode, stderr } = await viva(['branch', live.path, ...place, ...out], { cwd })
    expect(exitCode, stderr).toBe(0)
    expect(takeCalls()).toEqual(['hook', 'model', 'tools'])
    const [line] = results(join(cwd, 'branch.jsonl'))
    expect(line).toMatchObject({ variant: 'desk@other', total_turns: 1 })
    expect(JSON.stringify(line?.history)).toContain('counter__add')
    expect((await run(cwd, ['-i', 'kept.jsonl', '-n', 'desk'])).exitCode).toBe(0)
  })
})

describe('--live', () => {
  const args = ['-i', 'tea.jsonl', '-i', 'agents:writer?count=1', '-n', 'desk']

  it.each([
    [[], []],
    [['agent'], ['hook', 'model']],
    [['model'], ['model']],
    [['tools'], ['tools']],
    [['simulator'], ['simulator']],
    [['judge'], ['judge']],
    [['generator'], ['generator']],
    [['script'], ['script']],
    [
      ['judge', 'simulator'],
      ['judge', 'simulator'],
    ],
  ])('%j lets out that, and nothing else', async (layers, parts) => {
    const { cwd, takeCalls } = projectOfEveryLayer()
    const recorded = await record(cwd, args)
    expect(recorded.exitCode, recorded.output).toBe(0)
    expect(takeCalls()).toEqual(['generator', 'hook', 'judge', 'model', 'script', 'simulator', 'tools'])
    const replayed = await replay(cwd, [...args, ...layers.flatMap((layer) => ['--live', layer])])
    expect(takeCalls()).toEqual(parts)
    expect(conversations(replayed.lines)).toEqual(conversations(recorded.lines))
    expect(replayed.exitCode, replayed.output).toBe(0)
  })

  it('generator and judge that answer otherwise are heard, and the rest is that of the recording', async () => {
    const { cwd, takeCalls } = projectOfEveryLayer()
    await record(cwd, args)
    takeCalls()
    const refusal = JSON.stringify({ reason: 'it is rude', passed: false, score: 0 })
    writeFileSync(join(cwd, 'connectors/critic.ts'), `export default () => ({ reply: '${refusal}' })\n`)
    expect((await replay(cwd, args)).exitCode).toBe(0)
    const judged = await replay(cwd, [...args, '--live', 'judge'])
    expect(judged.exitCode).toBe(1)
    expect(judged.lines[0]?.error).toContain('it is rude')
    writeFileSync(join(cwd, 'connectors/writer.ts'), `export default () => ({ reply: '{"cases": []}' })\n`)
    rmSync(join(cwd, 'calls.log'), { force: true })
    const written = await replay(cwd, [...args, '--live', 'generator'])
    expect(written.output).toContain('agents:writer gave no case that can be played')
    expect([written.exitCode, takeCalls()]).toEqual([2, []])
  })

  it('a generator that is asked for something else is named with the difference', async () => {
    const { cwd } = projectOfEveryLayer()
    await record(cwd, args)
    const { exitCode, output } = await replay(cwd, ['-i', 'agents:writer?count=2', '-n', 'desk'])
    expect(exitCode).toBe(3)
    expect(output).toContain(
      'the call of a generator (scripted:writer) differs from the nearest recorded one',
    )
    expect(output).toMatch(/recorded ".*count\\":1/)
    expect(output).toMatch(/now ".*count\\":2/)
  })

  it('a judge that is asked about another reply is named with what differs in the data', async () => {
    const agent = (word: string) => `export default () => 'We ${word} have tea.'\n`
    const cwd = project({
      'agent.mjs': agent('do'),
      'judge.mjs': `export default () => ({ reply: '{"reason": "fine", "verdict": "pass", "score": 1}' })\n`,
      'viva.config.json': JSON.stringify({
        connectors: { judge: { type: 'scripted', options: { module: 'judge.mjs' } } },
        helpers: { connector: 'judge' },
      }),
      'cases.jsonl': jsonl({ id: 'a', input: 'Tea?', assert: { type: 'judge', criteria: 'It is polite' } }),
    })
    const cases = ['-i', 'cases.jsonl', '-n', './agent.mjs']
    expect((await record(cwd, cases)).exitCode).toBe(0)
    writeFileSync(join(cwd, 'agent.mjs'), agent('always'))
    const { exitCode, output } = await replay(cwd, [...cases, '--live', 'agent'])
    expect(exitCode).toBe(3)
    expect(output).toMatch(/differs from the nearest .*: recorded "….*We do have tea.*now "….*We always have/)
    expect(output).not.toMatch(/DATA [0-9a-f]{16}/)
  })
})
