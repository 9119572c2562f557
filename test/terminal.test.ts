import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPseudoTerminal, type PseudoTerminal } from './support/pseudo-terminal.ts'
import { jsonl, type Line, project, viva } from './support/viva.ts'

/** An agent that answers when the file `go` exists. */
const waitingAgent = `import { existsSync } from 'node:fs'
export default async (input) => {
  while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20))
  return \`you said: \${input}\`
}
`

/** Lets the agent answer once this text is on the screen, waits for the end, and returns the exit code. */
async function answerAfter(text: string, terminal: PseudoTerminal, cwd: string): Promise<number | null> {
  await terminal.see(text)
  writeFileSync(join(cwd, 'go'), '')
  return terminal.ended()
}

describe('output on a terminal', () => {
  it('a slow reply is printed on a line of its own', async () => {
    const cwd = project({ 'agent.mjs': waitingAgent })
    const terminal = openPseudoTerminal('viva test -i "hello there" -n ./agent.mjs', { cwd })
    expect(await answerAfter('1 running', terminal, cwd)).toBe(0)
    expect(terminal.lines()).toContain('you said: hello there')
  })

  it('every event of --json is printed on a line of its own', async () => {
    const cwd = project({ 'agent.mjs': waitingAgent, 'cases.jsonl': jsonl({ id: 'a', input: 'hello' }) })
    const terminal = openPseudoTerminal('viva test -i cases.jsonl -n ./agent.mjs --json', { cwd })
    await answerAfter('1 running', terminal, cwd)
    const events = terminal.lines().filter((line) => line.includes('"type":"'))
    expect(events.map((line) => (JSON.parse(line) as Line).type)).toContain('case_finished')
  })

  it('what --after-all prints is on a line of its own', async () => {
    const cwd = project({
      'agent.mjs': waitingAgent,
      'cases.jsonl': jsonl({ id: 'a', input: 'hello' }),
      'scripts/clean.ts': 'export function Up() { console.log("cleaned up") }\n',
      'app.yao': '{}',
    })
    const terminal = openPseudoTerminal(
      'viva test -i cases.jsonl -n ./agent.mjs --after-all scripts.clean.Up',
      { cwd },
    )
    await answerAfter('1 running', terminal, cwd)
    expect(terminal.lines()).toContain('  cleaned up')
  })

  it('the progress line names the running cases', async () => {
    const cwd = project({ 'agent.mjs': waitingAgent, 'cases.jsonl': jsonl({ id: 'refund', input: 'hello' }) })
    const terminal = openPseudoTerminal('viva test -i cases.jsonl -n ./agent.mjs', { cwd })
    const line = '0/1 · 0 passed · 0 failed · 1 running: refund'
    expect(await answerAfter(line, terminal, cwd)).toBe(0)
  })
})

/** An agent that answers six times by itself, and then when the file `go` exists. */
const countingAgent = `let asked = 0
export default async (input) => {
  asked += 1
  const isFirst = asked <= 6
  if (isFirst) await new Promise((resolve) => setTimeout(resolve, 250))
  else while (!(await import('node:fs')).existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20))
  return { content: 'you said: ' + input, usage: { input_tokens: 600, output_tokens: 17 } }
}
`

describe('the progress of a run', () => {
  it('is shown on a terminal with the rate, the time left and what was spent, once they are known', async () => {
    const cases = Array.from({ length: 8 }, (_, index) => ({ id: `c${index}`, input: 'x' }))
    const cwd = project({ 'agent.mjs': countingAgent, 'cases.jsonl': jsonl(...cases) })
    const terminal = openPseudoTerminal('viva test -i cases.jsonl -n ./agent.mjs', { cwd })
    const seen = await terminal.see(
      /6\/8 · 6 passed · 0 failed · [\d.]+\/(s|min) · about \w+ left · 3,702 tokens · 1 running: c6/,
    )
    expect(seen).toMatch(/0\/8 · 0 passed · 0 failed · 1 running: c0/)
    writeFileSync(join(cwd, 'go'), '')
    expect(await terminal.ended()).toBe(0)
  })

  const slow =
    'export default async () => { await new Promise((resolve) => setTimeout(resolve, 500)); return "a" }\n'
  const files = { 'agent.mjs': slow, 'cases.jsonl': jsonl({ id: 'a', input: 'x' }) }
  const args = ['test', 'cases.jsonl', '-n', './agent.mjs']
  const line = /^ {2}0\/1 · 0 passed · 0 failed · 1 running: a/m

  it('is printed from time to time where there is no terminal', async () => {
    const often = await viva(args, { cwd: project(files), logProgressEveryMs: 50 })
    expect(often.stdout).toMatch(line)
    const { stdout, stderr } = await viva(args, { cwd: project(files) })
    expect(stdout + stderr).not.toMatch(line)
  })

  it.each([
    ['events', ['--json']],
    ['a report', ['-r', 'report.json']],
  ])('is not printed on stdout beside %s', async (_, flags) => {
    const options = { cwd: project(files), logProgressEveryMs: 50 }
    const { stdout, stderr } = await viva([...args, ...flags], options)
    expect(stderr).toMatch(line)
    expect(stdout).not.toMatch(line)
  })

  it('is not printed on stdout beside a reply', async () => {
    const options = { cwd: project(files), logProgressEveryMs: 50 }
    const { stdout, stderr } = await viva(['test', '-n', './agent.mjs', 'hello there'], options)
    expect(stdout).toBe('a\n')
    expect(stderr).toMatch(/^ {2}0\/1 · /m)
  })
})

describe('failed conversations on the terminal', () => {
  const agent = 'export default (input) => `you said: ${input}`\n'
  const conversation = {
    id: 'talk',
    name: 'Talks',
    turns: [{ input: 'one', assert: { type: 'contains', value: 'ONE' } }, { input: 'two' }],
  }

  it('a failed conversation has its verdict on the first line', async () => {
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': jsonl(conversation) })
    const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs'], { cwd })
    expect(stdout).toMatch(/^► \[talk\] Talks \(2 turns\) → FAILED \([\d.]+m?s\)$/m)
  })

  it('runs of a conversation that went the same way are printed once', async () => {
    const cwd = project({ 'agent.mjs': agent, 'cases.jsonl': jsonl(conversation) })
    const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--runs', '3'], { cwd })
    expect(stdout.match(/^►.*$/gm)).toEqual([
      expect.stringMatching(/^► \[talk\] Talks \(2 turns\) × 3 \(runs 1, 2, 3\) → FAILED \([\d.]+m?s\)$/),
    ])
  })

  it('runs of a conversation that went differently are printed with their numbers', async () => {
    const cwd = project({
      'agent.mjs': 'export default () => `number ${Math.random()}`\n',
      'cases.jsonl': jsonl(conversation),
    })
    const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--runs', '2'], { cwd })
    expect(stdout).toMatch(/^► \[talk\] Talks \(2 turns\) \(run 1\) → FAILED/m)
    expect(stdout).toMatch(/^► \[talk\] Talks \(2 turns\) \(run 2\) → FAILED/m)
  })
})
