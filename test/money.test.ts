import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonl, type Line, project, readJsonl, results, viva } from './support/viva.ts'

/** At these prices 1,000 tokens in and 100 out cost $0.0005 and $0.0002: $0.0007 per reply. */
const prices = { priced: { input: 0.5, output: 2 } }
const usage = { input_tokens: 1000, output_tokens: 100 }
const scripted = (rule: object) => ({ type: 'scripted', options: { rules: [{ reply: 'fine', ...rule }] } })

function app(config: object, ...cases: object[]): string {
  return project({
    'app.yao': '{"name": "shop"}',
    'assistants/shop/package.yao': '{"name": "Shop", "connector": "priced"}',
    'assistants/shop/prompts.yml': `- role: system\n  content: ${'word '.repeat(80).trim()}\n`,
    'viva.config.json': JSON.stringify({
      connectors: { priced: scripted({ usage }), other: scripted({ usage }) },
      ...config,
    }),
    'cases.jsonl': jsonl(...cases),
  })
}

const run = (cwd: string, ...more: string[]) =>
  viva(['test', '-n', 'shop', '-i', 'cases.jsonl', '-o', 'out.jsonl', '-o', 'out.json', ...more], { cwd })

describe('costs', () => {
  it('the cost of a run is in its results, summary, report and terminal output', async () => {
    const turns = [{ input: 'a' }, { input: 'b' }]
    const cwd = app({ prices }, { id: 'two', turns, final_assertions: [{ type: 'cost', max: 0.0014 }] })
    const { exitCode, stdout } = await run(cwd)
    expect(exitCode).toBe(0)
    const [result] = results(join(cwd, 'out.jsonl'))
    expect(result).toMatchObject({
      cost: 0.0014,
      usage: { agent: { calls: 2, input_tokens: 2000, output_tokens: 200, cost: 0.0014 } },
      turns: [{ tokens: { ...usage, cost: 0.0007 } }, { tokens: { cost: 0.0007 } }],
    })
    expect(readJsonl(join(cwd, 'out.jsonl')).at(-1)).toMatchObject({ cost: 0.0014, usage: { agent: {} } })
    const report = JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8')) as { summary: Line }
    expect(report.summary).toMatchObject({ cost: 0.0014 })
    expect(stdout).toContain('Cost:    $0.0014 (agent $0.0014)')
  })

  it('attempts that were retried count for the cost', async () => {
    const cwd = app({ prices }, { id: 'no', input: 'a', expected: 'other', retries: 2 })
    expect((await run(cwd)).exitCode).toBe(1)
    expect(readJsonl(join(cwd, 'out.jsonl')).at(-1)).toMatchObject({ cost: 0.0021 })
  })

  it('a case that is more expensive than its cost check allows fails', async () => {
    const cwd = app({ prices }, { id: 'dear', input: 'a', assert: { type: 'cost', max: 0.0001 } })
    const { exitCode, stdout } = await run(cwd)
    expect(exitCode).toBe(1)
    expect(stdout).toContain('the reply cost $0.00070, expected at most $0.00010')
  })

  it('the cost of generators and reporters is in the summary, in no result, and counts for --max-cost', async () => {
    const maker = (reply: unknown) => ({ type: 'scripted', options: { rules: [{ reply, usage }] } })
    const connectors = {
      priced: scripted({ usage }),
      maker: maker({ cases: [{ id: 'made', input: 'a', expected: 'fine' }] }),
      writer: maker('All is well.'),
    }
    const cwd = app({ prices: { ...prices, maker: prices.priced, writer: prices.priced }, connectors })
    for (const [id, connector] of [
      ['gen', 'maker'],
      ['rep', 'writer'],
    ]) {
      mkdirSync(join(cwd, `assistants/${id}`))
      writeFileSync(join(cwd, `assistants/${id}/package.yao`), JSON.stringify({ name: id, connector }))
      writeFileSync(join(cwd, `assistants/${id}/prompts.yml`), '- {role: system, content: Work.}')
    }
    const args = ['-n', 'shop', '-i', 'agents:gen?count=1', '-r', 'rep', '-o', 'out.md', '-o', 'out.jsonl']
    const { exitCode, stdout, stderr } = await viva(['test', ...args, '-o', 'out.json'], { cwd })
    expect(exitCode, stderr).toBe(0)
    expect(stderr).toContain('gave 1 of 1 cases (1 call, 1,100 tokens, $0.00070)')
    expect(readFileSync(join(cwd, 'out.md'), 'utf8')).toBe('All is well.\n')
    const each = { calls: 1, input_tokens: 1000, output_tokens: 100, cost: 0.0007 }
    const all = { usage: { agent: each, generator: each, reporter: each }, cost: expect.closeTo(0.0021) }
    expect(readJsonl(join(cwd, 'out.jsonl')).at(-1)).toMatchObject(all)
    expect(results(join(cwd, 'out.jsonl'))[0]?.usage).toEqual({ agent: { ...each, retries: 0 } })
    expect(JSON.parse(readFileSync(join(cwd, 'out.json'), 'utf8')).summary).toMatchObject(all)
    expect(stdout).toContain('$0.0021 (agent $0.00070, generator $0.00070, reporter $0.00070)')
    const again = await viva(['report', 'out.jsonl', '-r', 'report.json'], { cwd })
    expect(JSON.parse(again.stdout).summary).toMatchObject(all)
    const over = await viva(['test', ...args.slice(0, 4), '--max-cost', '0.0005'], { cwd })
    expect(over.stdout + over.stderr).toContain('--max-cost $0.00050 is reached: $0.00070 spent')
    expect(over.exitCode).toBe(1)
  })

  it('the cost is shown for each variant', async () => {
    const config = { prices: { ...prices, other: { input: 5, output: 20 } } }
    const cwd = app(config, { id: 'a', input: 'a', expected: 'fine' })
    const { stdout } = await run(cwd, '-c', 'priced', '-c', 'other')
    expect(stdout).toMatch(/shop@priced .*\$0\.00070/)
    expect(stdout).toMatch(/shop@other .*\$0\.0070/)
  })

  it('the cost of an agent without a price is unknown, and a cost check does not pass', async () => {
    const cwd = project({
      'agent.mjs': `export default () => ({ content: 'fine', usage: ${JSON.stringify(usage)} })\n`,
      'cases.jsonl': jsonl({ id: 'a', input: 'a', assert: { type: 'cost', max: 100 } }),
    })
    const args = ['test', '-n', './agent.mjs', '-i', 'cases.jsonl', '-o', 'out.jsonl']
    const { exitCode, stdout } = await viva(args, { cwd })
    expect(exitCode).toBe(3)
    expect(stdout).toContain('the cost of the reply is unknown')
    expect(stdout).toContain('Cost:    unknown (agent unknown); set "prices" in the config')
    const [result] = results(join(cwd, 'out.jsonl'))
    expect(result).toMatchObject({ error_kind: 'judge_unknown', usage: { agent: { unpriced_calls: 1 } } })
    expect(result).not.toHaveProperty('cost')
  })

  it('a cost that the agent reports is used', async () => {
    const cwd = project({
      'agent.mjs': `export default () => ({ content: 'fine', usage: { cost: 0.25 } })\n`,
      'cases.jsonl': jsonl({ id: 'a', input: 'a', assert: { type: 'cost', max: 0.2 } }),
    })
    const { exitCode, stdout } = await viva(['test', '-n', './agent.mjs', '-i', 'cases.jsonl'], { cwd })
    expect(exitCode).toBe(1)
    expect(stdout).toContain('the reply cost $0.25, expected at most $0.20')
  })

  it('an invalid price is refused', async () => {
    const cwd = app({ prices: { priced: { input: -1, ouput: 2 } } }, { id: 'a', input: 'a' })
    const { exitCode, stderr } = await run(cwd)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('prices.priced')
    expect(stderr).toContain('did you mean "output"?')
  })
})

describe('--dry-run', () => {
  const cases = [
    { id: 'one', input: 'x'.repeat(400) },
    { id: 'two', turns: [{ input: 'a' }, { input: 'b' }] },
    { id: 'skipped', input: 'a', skip: true },
  ]

  it('--dry-run estimates calls, tokens and cost', async () => {
    const { exitCode, stdout } = await run(app({ prices }, ...cases), '--dry-run')
    expect(exitCode).toBe(0)
    // The prompts have 100 tokens, so that the calls have 100+100, then 100+1, then 100+1+250+1 tokens.
    expect(stdout).toContain('Calls:  about 3 to the agent, 653 tokens in, 750 out')
    expect(stdout).toContain('Cost:   $0.0018')
  })

  it.each([
    // There may be 2 more messages and a third at the limit, each asked for twice at most.
    [{ max_turns: 3 }, 'about 1 to 3 to the agent', 'up to 6 to simulators'],
    [
      { terminate_when: [{ type: 'after_turns', turns: 3 }] },
      'about 1 to 3 to the agent',
      'up to 6 to simulators',
    ],
  ])('--dry-run counts the calls of a simulator with %j', async (limit, calls, simulated) => {
    const simulator = { use: './user.mjs' }
    const cwd = project({
      'agent.mjs': 'export default (x) => x\n',
      'user.mjs': 'export default (x) => x\n',
      'cases.jsonl': jsonl({ id: 'a', turns: [{ input: 'a' }], simulator, ...limit }),
    })
    const { stdout } = await viva(['test', '-n', './agent.mjs', '-i', 'cases.jsonl', '--dry-run'], { cwd })
    expect(stdout).toContain(calls)
    expect(stdout).toContain(simulated)
  })

  it('--dry-run says when the cost is unknown', async () => {
    const cwd = project({ 'agent.mjs': 'export default (x) => x\n', 'cases.jsonl': jsonl(...cases) })
    const { stdout } = await viva(['test', '-n', './agent.mjs', '-i', 'cases.jsonl', '--dry-run'], { cwd })
    expect(stdout).toContain('Cost:   unknown; "prices" in the config')
  })
})

describe('--seed', () => {
  it('--seed reaches the agent and is in the results, and must be a whole number', async () => {
    const cwd = project({
      'agent.mjs': 'export default (_, ctx) => `seed ${ctx.options.seed}`\n',
      'cases.jsonl': jsonl({ id: 'a', input: 'a', expected: 'seed 42' }),
    })
    const args = ['test', '-n', './agent.mjs', '-i', 'cases.jsonl', '-o', 'out.jsonl', '--seed', '42']
    expect((await viva(args, { cwd })).exitCode).toBe(0)
    expect(readJsonl(join(cwd, 'out.jsonl'))[0]).toMatchObject({ type: 'start', seed: 42 })
    const { exitCode, stderr } = await viva([...args.slice(0, -1), 'x'], { cwd })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('--seed x: must be a whole number')
  })
})
