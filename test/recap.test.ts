import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startFakeOpenAIServer } from '../src/models/fakes/fake-openai-server.ts'
import { echoAgent, jsonl, project, type VivaOptions, viva } from './support/viva.ts'

const fails = (id: string) => ({ id, input: 'hello', assert: { type: 'contains', value: 'goodbye' } })
const passes = { id: 'passes', input: 'hello', assert: { type: 'contains', value: 'hello' } }
const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl']

/** Runs viva and returns what it prints after the line that says where the results are. */
async function end(flags: readonly string[], options: VivaOptions): Promise<string> {
  const { stdout } = await viva(flags, options)
  return stdout.split(/^ {2}Results: .*\n\n/m)[1] ?? stdout
}

describe('the end of the output of a run', () => {
  it('each failure is listed with id, place and reason, followed by the command that runs them again', async () => {
    const cwd = project({
      'agent.mjs': echoAgent,
      'cases.jsonl': jsonl(passes, fails('one'), { ...fails('two'), name: 'A name' }),
    })
    expect(await end(args, { cwd })).toBe(
      [
        '  Failed',
        '  ✗ [one] cases.jsonl:2',
        '      output does not contain "goodbye"',
        '  ✗ [two] cases.jsonl:3',
        '      output does not contain "goodbye"',
        '',
        '  Run what failed again:',
        "    viva test -i cases.jsonl -n ./agent.mjs --run '^(one|two)$'",
        '',
      ].join('\n'),
    )
  })

  it('failed runs of a case are listed together, and infrastructure errors separately', async () => {
    const server = await startFakeOpenAIServer({
      answer: ({ messages }) => (JSON.stringify(messages).includes('break') ? { status: 400 } : 'hello'),
    })
    onTestFinished(() => server.close())
    const cwd = project({ 'cases.jsonl': jsonl(fails('one'), { id: 'broken', input: 'break' }) })
    const flags = [
      'test',
      '-i',
      'cases.jsonl',
      '-n',
      `openai:${server.url}#m`,
      '--runs',
      '2',
      '-o',
      'x.jsonl',
    ]
    const [failed, errors, again] = (await end(flags, { cwd })).split('\n\n')
    expect(failed).toMatch(/^ {2}Failed\n {2}✗ \[one\] \(runs 1, 2\) cases.jsonl:1\n {6}\S.*goodbye.*$/)
    expect(errors).toMatch(
      /^ {2}Infrastructure errors\n {2}⚠ \[broken\] \(runs 1, 2\) cases.jsonl:2\n {6}\S.*400.*$/,
    )
    expect(again).toContain("--runs 2 --run '^(one|broken)$'")
  })

  it('the command names all failures when there is no history to use', async () => {
    const many = Array.from({ length: 12 }, (_, index) => fails(`case-${index}`))
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(...many), '.viva': 'a file' })
    const { stdout } = await viva(args, { cwd })
    expect(stdout).toContain("--run '^(case-0|case-1|")
    expect(stdout).not.toContain('--last-failed')
  })

  it('the command uses --last-failed when many cases failed, within the selected cases', async () => {
    const many = Array.from({ length: 60 }, (_, index) => fails(`case-${index}`))
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(...many, fails('other')) })
    await viva(args, { cwd })
    const shown = await end([...args, '--run', 'case-'], { cwd })
    expect(shown.match(/✗ \[case-\d+\]/g)).toHaveLength(50)
    expect(shown).toContain('\n  … and 10 more\n')
    const [, command = ''] = /Run what failed again:\n {4}viva (.*)\n$/.exec(shown) ?? []
    expect(command).toBe('test -i cases.jsonl -n ./agent.mjs --run case- --last-failed')
    const again = await viva([...command.split(' '), '-o', 'y.jsonl'], { cwd })
    expect(again.stdout).toContain('(60 test cases)')
  })

  it('places are relative to the folder in which the command was given', async () => {
    const cwd = project({
      'viva.config.json': '{}',
      'agent.mjs': echoAgent,
      'tests/cases.jsonl': jsonl(passes, fails('one')),
    })
    const flags = ['test', '-i', 'cases.jsonl', '-n', '../agent.mjs', '-o', 'x.jsonl']
    expect(await end(flags, { cwd: join(cwd, 'tests') })).toContain('  ✗ [one] cases.jsonl:2\n')
  })

  it('a run that passed ends with the place of its results', async () => {
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(passes) })
    expect((await viva(args, { cwd })).stdout).toMatch(/\n {2}Results: x.jsonl\n$/)
  })
})
