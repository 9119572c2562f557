import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  demo,
  ended,
  type Line,
  type Played,
  play,
  project,
  readJsonl,
  repository,
  results,
  startViva,
  viva,
} from './support/viva.ts'

/** A module that breaks as soon as the user has said all of these, whatever else was said. */
function brokenBy(triggers: readonly string[], { rate = 1, reply = '`Noted: ${input}`' } = {}): string {
  return `let state = 7
function random() {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
}
export default (input, { history = [] }) => {
  const said = [...history.filter(({ role }) => role === 'user').map(({ content }) => content), input].join(' ')
  const isBroken = ${JSON.stringify(triggers)}.every((trigger) => said.includes(trigger))
  if (isBroken && random() < ${rate}) return 'internal error 42'
  return ${reply}
}
`
}

const noError = { type: 'not_contains', value: 'error' }
const inputs = [
  'Hello there. How are you?',
  'I need a table.',
  'For four people',
  'I would pay in Swiss francs. Is that fine?',
  'Near the window',
  'No smoking, please',
  'My name is Kim.',
  'On Sunday at eight',
  'With a cake',
  'And candles',
  'Thanks!',
  'Please confirm it now.',
]
/** The last turn has the check. */
const talk = {
  id: 'talk',
  name: 'A talk',
  turns: inputs.map((input, index) => ({ input, ...(index === 11 && { assert: noError }) })),
}

/** A project whose `results.jsonl` has these cases. */
async function recorded(
  agent = brokenBy(['francs', 'Sunday']),
  cases: readonly object[] = [talk],
  flags: readonly string[] = [],
): Promise<string> {
  const cwd = project({ 'agent.mjs': agent })
  await play(cwd, cases, ['-n', './agent.mjs', ...flags])
  return cwd
}

interface Shrunken extends Omit<Played, 'lines'> {
  /** The case that is left. */
  left: Line | undefined
}

async function shrink(cwd: string, ...args: string[]): Promise<Shrunken> {
  const { exitCode, stdout, stderr } = await viva(['shrink', 'results.jsonl', ...args], { cwd })
  const written = /^ {2}Saved: (.+\.jsonl)$/m.exec(stdout)?.[1]
  const lines = written === undefined ? [] : readJsonl(join(cwd, written))
  expect(lines.length).toBeLessThan(2)
  return { exitCode, stdout, stderr, output: stdout + stderr, left: lines[0] }
}

const said = (left: Line | undefined) => ((left?.turns ?? []) as Line[]).map(({ input }) => input)
const effort = (stdout: string) => {
  const [, conversations, turns] = /^✓ .*\((\d+) conversations?, (\d+) turns?/m.exec(stdout) ?? []
  return { conversations: Number(conversations), turns: Number(turns) }
}

/** Runs what is left as its author will, and expects the same failure. */
async function expectFailure(cwd: string, ...flags: string[]): Promise<Line | undefined> {
  const file = 'talk.shrunk.jsonl'
  const { exitCode } = await viva(['test', '-i', file, '-o', 'again.jsonl', ...flags], { cwd })
  expect(exitCode).toBe(1)
  return results(join(cwd, 'again.jsonl'))[0]
}

describe('viva shrink', () => {
  it('keeps the turns and words that are needed, in a case that can be run', async () => {
    const cwd = await recorded()
    const { exitCode, stdout, left } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(0)
    expect(left).toEqual({
      id: 'talk',
      name: 'A talk (shrunk from results.jsonl, case talk)',
      turns: [{ input: 'francs.' }, { input: 'Sunday' }, { input: expect.any(String), assert: noError }],
      on_missing_input: 'end',
    })
    expect(String(said(left)[2])).not.toContain(' ')
    expect(stdout).toContain('It fails for the same reason in 5 of 5 runs')
    expect(stdout).toContain('    viva test -i talk.shrunk.jsonl -n ./agent.mjs')
    expect(await expectFailure(cwd, '-n', './agent.mjs')).toMatchObject({ error_kind: 'assertion' })
    expect(effort(stdout).turns).toBeLessThan(150)
  })

  it('says what it may come to before it starts, and what it has come to so far', async () => {
    const { stdout } = await shrink(await recorded(), 'talk')
    expect(stdout).toMatch(/^► \[talk\] 12 turns with \d+ words, failed: output contains "error"/)
    expect(stdout).toMatch(/^ {2}Calls: about \d+ to \d+ conversations, [\d,]+ to [\d,]+ turns/m)
    expect(stdout).toMatch(/^ {2}Cost: {2}unknown/m)
    expect(stdout).toMatch(/^ {2}Turns: +12 → 3 turns \(\d+ conversations, \d+ turns so far\)$/m)
    expect(stdout).toMatch(/^ {2}Words: +\d+ → 3 words/m)
  })

  it('leaves out only the parts that it is asked for', async () => {
    const cwd = await recorded()
    const { left } = await shrink(cwd, 'talk', '--only', 'turns')
    expect(said(left)).toEqual([inputs[3], inputs[7], inputs[11]])
    const sentences = await shrink(cwd, 'talk', '--only', 'turns', '--only', 'sentences')
    expect(said(sentences.left)).toEqual(['I would pay in Swiss francs.', inputs[7], inputs[11]])
  })

  it('what is minimal already is written as it is, and says so', async () => {
    const cwd = await recorded(brokenBy(['a']), [{ id: 'talk', turns: [{ input: 'a', assert: noError }] }])
    const { exitCode, stdout, left } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('1 turn with 1 word: it cannot be made smaller')
    expect(said(left)).toEqual(['a'])
    const again = await play(cwd, [left], ['-n', './agent.mjs'])
    expect(again.exitCode).toBe(1)
    expect((await shrink(cwd, 'talk', '-o', 'x.jsonl')).left?.name).toBe(
      'shrunk from results.jsonl, case talk',
    )
  })

  it('what the user says after the failing turn is never sent', async () => {
    const turns = [
      { input: 'francs' },
      { input: 'Sunday', assert: noError },
      { input: 'more' },
      { input: 'x' },
    ]
    const cwd = await recorded(undefined, [{ id: 'talk', turns }])
    const { left, stdout } = await shrink(cwd, 'talk')
    expect(said(left)).toEqual(['francs', 'Sunday'])
    expect(stdout).toContain('► [talk] 2 turns')
  })

  it('a single-turn case and its history become small', async () => {
    const agent = `export default (input, { history = [] }) =>
  history.some(({ content }) => content === 'Use francs') && input.includes('pay') ? 'error' : 'fine'\n`
    const messages = [
      { role: 'system', content: 'Be nice' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Use francs' },
      { role: 'user', content: 'I want to pay now' },
    ]
    const cwd = await recorded(agent, [{ id: 'talk', messages, assert: noError }])
    const { left, stdout } = await shrink(cwd, 'talk')
    expect(left).toMatchObject({
      messages: [{ role: 'assistant', content: 'Use francs' }],
      turns: [{ input: 'pay', assert: noError }],
    })
    expect(stdout).toMatch(/History: +3 → 1 message/)
    await expectFailure(cwd, '-n', './agent.mjs')
  })

  it('the checks of other turns are not made, and one that names its turn follows it', async () => {
    const turns = inputs.map((input) => ({ input, assert: { type: 'contains', value: 'Noted' } }))
    const finals = [{ ...noError, turn: 10 }]
    const cwd = await recorded(brokenBy(['francs', 'candles']), [
      { id: 'talk', turns: turns.map(({ input }) => ({ input })), final_assertions: finals },
    ])
    const { left } = await shrink(cwd, 'talk')
    expect(left).toMatchObject({
      turns: [{ input: 'francs.' }, { input: 'candles' }],
      final_assertions: { ...noError, turn: 2 },
    })
    const failing = await expectFailure(cwd, '-n', './agent.mjs')
    expect(failing?.final_assertions).toMatchObject([{ type: 'not_contains', passed: false }])
  })

  it('a final check of all turns keeps the ones that it needs', async () => {
    const cwd = await recorded(brokenBy(['francs', 'Sunday']), [
      {
        id: 'talk',
        turns: inputs.map((input) => ({ input })),
        final_assertions: [{ ...noError, scope: 'all' }],
      },
    ])
    const { left } = await shrink(cwd, 'talk')
    expect(said(left)).toEqual(['francs.', 'Sunday'])
  })

  it('another failure of the same check does not count, unless --any-reply is given', async () => {
    // Without its context, the last message is not understood, which fails the check too.
    const agent = `export default (input, { history = [] }) => {
  const said = [...history.filter(({ role }) => role === 'user').map(({ content }) => content), input].join(' ')
  if (!said.includes('expense')) return 'I only help with expenses.'
  return said.includes('Paris') ? 'The amount is 0.' : 'Submitted.'
}\n`
    const turns = ['An expense', 'For lunch', 'In Paris', 'Submit it'].map((input) => ({ input }))
    const assert = { type: 'contains', value: 'Submitted' }
    const cwd = await recorded(agent, [
      { id: 'talk', turns: [...turns.slice(0, 3), { ...turns[3], assert }] },
    ])
    const same = await shrink(cwd, 'talk')
    expect(said(same.left)).toEqual(['expense', 'Paris', 'Submit'])
    expect(same.stdout).not.toContain('The recorded reply was')
    const other = await shrink(cwd, 'talk', '--only', 'turns', '--any-reply')
    expect(said(other.left)).toEqual(['Submit it'])
    expect(other.stdout).toContain(
      'The recorded reply was "The amount is 0.", and now it is "I only help with expenses."',
    )
    const { left, stdout } = await shrink(cwd, 'talk', '--only', 'turns', '--reply', 'AMOUNT is')
    expect(said(left)).toEqual(['An expense', 'In Paris', 'Submit it'])
    expect(stdout).not.toContain('The recorded reply was')
    const wrong = await shrink(cwd, 'talk', '--reply', 'nothing like it')
    expect(wrong.exitCode).toBe(2)
    expect(wrong.stderr).toContain('--reply nothing like it: the recorded reply does not contain it')
  })
})

describe('the failures that viva shrink can make small', () => {
  it('a reply that is not like the recorded one is another mistake, unless --any-reply is given', async () => {
    const turns = [{ input: 'Hello' }, { input: 'Confirm it', assert: { type: 'contains', value: 'booked' } }]
    const cwd = await recorded("export default () => 'Sorry, no rate was found.'\n", [{ id: 'talk', turns }])
    writeFileSync(join(cwd, 'agent.mjs'), "export default () => 'Internal oops: zzz'\n")
    const { exitCode, stderr, left } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('a reply that is not like the recorded one: "Internal oops: zzz"')
    expect(stderr).toContain('--any-reply, or --reply')
    expect(left).toBeUndefined()
    expect(existsSync(join(cwd, 'talk.shrunk.jsonl'))).toBe(false)
    expect((await shrink(cwd, 'talk', '--any-reply')).exitCode).toBe(0)
  })

  it.each([
    { type: 'not_contains', value: 'Sorry' },
    { type: 'regex', value: '^Sorry', negate: true },
    { type: 'length', max: 20 },
    { type: 'contains', value: 'booked' },
    { type: 'similar', value: 'Your table is booked.' },
  ])('an apology for another mistake does not count: %j', async (assert) => {
    const agent = `export default (input, { history = [] }) => {
  const said = [...history.filter(({ role }) => role === 'user').map(({ content }) => content), input].join(' ')
  if (/confirm/.test(input)) return /francs/.test(said) && /Sunday/.test(said) ? 'Sorry, no rate was found.' : 'Your table is booked.'
  return input.split(' ').length < 3 ? 'Sorry, I did not understand that.' : 'Noted. What else?'
}\n`
    const turns = inputs.map((input, index) => ({ input, ...(index === 11 && { assert }) }))
    const cwd = await recorded(agent, [{ id: 'talk', turns }])
    const { exitCode, left } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(0)
    expect(said(left)).toEqual(['francs.', 'Sunday', 'confirm'])
  })

  it('both replies are printed if they are not the same, whatever the check looks for', async () => {
    const cwd = await recorded(
      brokenBy(['francs']).replace("'internal error 42'", '`internal error: ${input}`'),
    )
    const { exitCode, stdout } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(
      /The recorded reply was "internal error: Please confirm it now\.", and now it is "internal error: \w+\.?"/,
    )
  })

  it('a tool that was not called in the whole conversation, which ends as it did', async () => {
    const agent = `export default (input, { history = [], tools }) => {
  const said = [...history.map(({ content }) => content), input].join(' ')
  const content = !input.includes('confirm') ? 'Noted.' : said.includes('francs') ? 'No rate was found.' : 'Paid.'
  return { content, tool_calls: content === 'Paid.' ? [{ name: 'pay', arguments: {} }] : [] }
}\n`
    const turns = inputs.map((input) => ({ input }))
    const finals = [{ type: 'tool_called', name: 'pay' }]
    const cwd = await recorded(agent, [{ id: 'talk', turns, final_assertions: finals }])
    const { exitCode, left } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(0)
    expect(said(left)).toEqual(['francs.', 'confirm'])
  })

  it('an error with another quotation is another error, and the recorded one is printed', async () => {
    const agent = `export default (input, { history = [] }) => {
  const said = [...history.map(({ content }) => content), input].join(' ')
  if (!input.includes('confirm')) return 'fine'
  throw new Error(said.includes('francs') ? "cannot read 'rate' of " + said.length : "cannot read 'table'")
}\n`
    const cwd = await recorded(agent, [{ ...talk, turns: inputs.map((input) => ({ input })) }])
    const { left, stdout } = await shrink(cwd, 'talk')
    expect(said(left)).toEqual(['francs.', 'confirm'])
    expect(stdout).toMatch(/The recorded error was ".*cannot read 'rate' of \d+ /)
  })

  it('an error that comes once does not keep a turn', async () => {
    const agent = brokenBy(['francs']).replace(
      'export default (input, { history = [] }) => {',
      `let calls = 0
export default (input, { history = [] }) => {
  calls += 1
  if (calls > 12 && calls % 11 === 0) throw new Error('ECONNRESET')`,
    )
    const cwd = await recorded(agent, [{ id: 'talk', turns: talk.turns.slice(3) }])
    const { exitCode, left, stdout } = await shrink(cwd, 'talk', '--only', 'turns')
    expect(exitCode).toBe(0)
    expect(stdout).not.toContain('It is flaky')
    expect(said(left)).toEqual([inputs[3], inputs[11]])
  })

  it('an error of the agent, whatever numbers and quotations are in it', async () => {
    const agent = `let calls = 0
export default (input, { history = [] }) => {
  const said = [...history.map(({ content }) => content), input].join(' ')
  if (said.includes('francs')) throw new Error('cannot convert "' + input + '" in call ' + ++calls)
  return 'fine'
}\n`
    const cwd = await recorded(agent, [{ ...talk, turns: inputs.map((input) => ({ input })) }])
    const { exitCode, left } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(0)
    expect(said(left)).toEqual(['francs.'])
    expect(await expectFailure(cwd, '-n', './agent.mjs')).toMatchObject({ error_kind: 'agent_error' })
  })

  it('a timeout', async () => {
    const agent = `export default (input, { history = [] }) =>
  input === 'slow' && history.some(({ content }) => content === 'francs') ? new Promise(() => {}) : 'fine'\n`
    const turns = ['a', 'francs', 'b', 'slow', 'c'].map((input) => ({ input }))
    const cwd = await recorded(agent, [{ id: 'talk', turns, timeout: '300ms' }])
    const { exitCode, left } = await shrink(cwd, 'talk', '--runs', '1/1')
    expect(exitCode).toBe(0)
    expect(left).toMatchObject({ timeout: '300ms', turns: [{ input: 'francs' }, { input: 'slow' }] })
  })

  it('an empty reply where nothing is checked', async () => {
    const agent =
      "export default (input) => (input.includes('francs') ? { content: '', tool_calls: [] } : 'fine')\n"
    const cwd = await recorded(agent, [{ ...talk, turns: inputs.map((input) => ({ input })) }])
    expect(said((await shrink(cwd, 'talk')).left)).toEqual(['francs.'])
  })

  it('a forbidden checkpoint, and one that is not reached although the others are', async () => {
    const agent = `export default (input, { history = [] }) => {
  const said = [...history.map(({ content }) => content), input].join(' ')
  if (input.includes('table')) return 'a table'
  return said.includes('francs') && input.includes('confirm') ? 'not confirmed, error' : 'fine'
}\n`
    const turns = inputs.map((input) => ({ input }))
    const reaches = (id: string, value: string, more = {}) => ({
      id,
      assert: { type: 'contains', value },
      ...more,
    })
    const checkpoints = [reaches('table', 'a table'), reaches('booked', 'Booked', { after: ['table'] })]
    const cwd = await recorded(agent, [
      { id: 'talk', turns, checkpoints },
      { id: 'error', turns, checkpoints: [reaches('broken', 'error', { forbidden: true })] },
    ])
    const missing = await shrink(cwd, 'talk')
    expect(missing.exitCode).toBe(0)
    expect(missing.left).toMatchObject({ checkpoints })
    expect(said(missing.left)).toEqual(['table.', 'francs.', 'confirm'])
    const forbidden = await shrink(cwd, 'error')
    expect(said(forbidden.left)).toEqual(['francs.', 'confirm'])
    await expectFailure(cwd, '-n', './agent.mjs')
  })

  it('a question that nobody answers, where that is a failure', async () => {
    const agent = `export default (input, { history = [] }) =>
  history.some(({ content }) => content === 'francs') ? 'Which account?' : 'fine.'\n`
    const turns = ['a', 'francs', 'b'].map((input) => ({ input }))
    const cwd = await recorded(agent, [{ id: 'talk', turns, on_missing_input: 'fail' }])
    const { left } = await shrink(cwd, 'talk')
    expect(left).toMatchObject({ turns: [{ input: 'francs' }, { input: 'b' }], on_missing_input: 'fail' })
  })
})

/** An agent that keeps its own session, which breaks in the same way. */
async function startSessions(triggers: readonly string[]): Promise<{ url: string; sent: string[] }> {
  const sessions = new Map<string, string>()
  const sent: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { text, session = crypto.randomUUID() } = JSON.parse(body) as { text: string; session?: string }
    sent.push(text)
    const heard = `${sessions.get(session) ?? ''} ${text}`
    sessions.set(session, heard)
    response.setHeader('content-type', 'application/json')
    const isBroken = triggers.every((trigger) => heard.includes(trigger))
    response.end(JSON.stringify({ session, output: isBroken ? 'internal error' : `Noted: ${text}` }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent }
}

const sessionConfig = (url: string) =>
  JSON.stringify({
    agents: {
      desk: {
        url,
        request: { text: '{{input}}', session: '{{session}}' },
        response: { content: '$.output' },
        session: '$.session',
      },
    },
  })

describe('the agents of viva shrink', () => {
  it('an agent that keeps its own session is sent everything', async () => {
    const { url, sent } = await startSessions(['francs', 'Sunday'])
    const cwd = project({ 'viva.config.json': sessionConfig(url) })
    await play(cwd, [talk], ['-n', 'desk'])
    sent.length = 0
    const { exitCode, stdout, left } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(0)
    expect(said(left).slice(0, 2)).toEqual(['francs.', 'Sunday'])
    expect(effort(stdout).turns).toBe(sent.length)
    expect(left).not.toHaveProperty('messages')
    await expectFailure(cwd, '-n', 'desk')
  })

  it('an agent that is given its history is not sent the unchanged turns at the start again', async () => {
    const { url } = await startSessions(['francs', 'Sunday'])
    const sending = project({ 'viva.config.json': sessionConfig(url) })
    await play(sending, [talk], ['-n', 'desk'])
    const all = effort((await shrink(sending, 'talk')).stdout)
    const replayed = effort((await shrink(await recorded(), 'talk')).stdout)
    expect(replayed.turns).toBeLessThan(all.turns)
  })

  it('what a simulated user said is said again, to a package of an app', async () => {
    const cwd = demo()
    const cases = [
      {
        id: 'talk',
        input: 'Hello',
        simulator: { use: 'workers.test.user-simulator', goal: 'Submit a dinner with a client' },
        final_assertions: [{ type: 'tool_not_called', name: 'create_expense' }],
        metadata: { from: 'the author' },
      },
    ]
    const { lines } = await play(cwd, cases, ['-n', 'expense'])
    expect(lines[0]).toMatchObject({ status: 'failed', total_turns: 3 })
    const { exitCode, left } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(0)
    expect(left).not.toHaveProperty('simulator')
    expect(left).toMatchObject({ metadata: { from: 'the author' } })
    expect(said(left)).toHaveLength(1)
    expect(await expectFailure(cwd, '-n', 'expense')).toMatchObject({
      turns: [{ tool_calls: [{ name: 'create_expense' }] }],
    })
  })

  it('stubs that are not needed are left out, and a tool is never called for real to find out', async () => {
    const agent = `import { appendFileSync } from 'node:fs'
export default async (input, ctx) => {
  const tools = ctx.tools({
    lookUp: () => { appendFileSync('calls.txt', 'x'); return 'real' },
    order: () => { appendFileSync('calls.txt', 'x'); return 'real' },
    never: () => 'real',
  })
  if (input.includes('francs')) return 'price ' + (await tools.lookUp({}))
  if (input.includes('now')) return 'ordered ' + (await tools.order({}))
  return 'fine'
}\n`
    const stubs = { lookUp: { result: 'cheap' }, order: { result: 'error' }, never: { result: 1 } }
    const cwd = await recorded(agent, [{ ...talk, stubs }])
    const { exitCode, left, stdout } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(0)
    expect(left).toMatchObject({ turns: [{ input: 'now.' }], stubs: { order: { result: 'error' } } })
    expect(Object.keys(left?.stubs ?? {})).toEqual(['order'])
    expect(stdout).toMatch(/Stubs: +3 → 1 stub/)
    // The case file alone has stubs: without it, they are what was answered then.
    const alone = await shrink(cwd, 'talk', '--as-recorded')
    expect(alone.left).toMatchObject({ stubs: { order: { result: 'error' } } })
    expect(existsSync(join(cwd, 'calls.txt'))).toBe(false)
  })

  /** Appends to `calls.txt` whenever the real tool is called. */
  const paying = (when: string, more = '') => `import { appendFileSync } from 'node:fs'
let calls = 0
export default async (input, ctx) => {
  const tools = ctx.tools({ pay: () => { appendFileSync('calls.txt', 'x'); return 'real' } })
  ${more}
  calls += 1
  if (${when}) await tools.pay({}).catch(() => {})
  return 'error'
}\n`

  it('a stub stays if its tool is called in some runs only, and the file is played without calling it', async () => {
    const cwd = await recorded(paying('calls % 5 >= 3'), [{ ...talk, stubs: { pay: { result: 1 } } }])
    const { exitCode, left } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(0)
    expect(left).toMatchObject({ stubs: { pay: { result: 1 } } })
    expect(existsSync(join(cwd, 'calls.txt'))).toBe(false)
  })

  it('a tool that one turn stubs is never called for real in another', async () => {
    const turns = inputs.map((input, index) => ({
      input,
      ...(index === 3 && { stubs: { pay: { result: 1 } } }),
      ...(index === 11 && { assert: noError }),
    }))
    // Without the turn that pays, a later one does.
    const agent = paying(
      "input.includes('francs') || (input.includes('confirm') && !said.includes('francs'))",
      "const said = (ctx.history ?? []).map(({ content }) => content).join(' ')",
    )
    const cwd = await recorded(agent, [{ id: 'talk', turns }])
    const { exitCode, left } = await shrink(cwd, 'talk', '--only', 'turns')
    expect(exitCode).toBe(0)
    expect(said(left)).toEqual([inputs[3], inputs[11]])
    expect(existsSync(join(cwd, 'calls.txt'))).toBe(false)
  })

  it('a stub that was not called is known although the case has changed since', async () => {
    const agent = paying("input === 'now.'")
    const cwd = await recorded(agent, [{ ...talk, stubs: { pay: { result: 1 } } }])
    const path = join(cwd, 'cases.jsonl')
    writeFileSync(path, readFileSync(path, 'utf8').replace('A talk', 'Another talk'))
    const { exitCode } = await shrink(cwd, 'talk', '--as-recorded')
    expect(exitCode).toBe(0)
    expect(existsSync(join(cwd, 'calls.txt'))).toBe(false)
  })

  it('if all calls were stubbed and the case is gone, no other tool is called', async () => {
    const agent = `import { appendFileSync } from 'node:fs'
export default async (input, ctx) => {
  const tools = ctx.tools({ look: () => 'real', pay: () => { appendFileSync('calls.txt', 'x'); return 'real' } })
  if (input.includes('table')) await tools.look({})
  if (input === 'now.') await tools.pay({}).catch(() => {})
  return 'error'
}\n`
    const cwd = await recorded(agent, [{ ...talk, stubs: { look: { result: 1 }, pay: { result: 1 } } }])
    writeFileSync(join(cwd, 'cases.jsonl'), '{"id": "other", "input": "hi"}\n')
    const { exitCode, stdout } = await shrink(cwd, 'talk', '--as-recorded')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^ {4}viva test .*--stub-all/m)
    expect(existsSync(join(cwd, 'calls.txt'))).toBe(false)
  })

  it('a stub of a process stays, because replies do not show whether it is called', async () => {
    const rules = [{ reply: 'error' }]
    const cwd = project({
      'app.yao': '{"name": "shop"}',
      'assistants/shop/package.yao': '{"name": "Shop", "connector": "mind"}',
      'assistants/shop/prompts.yml': '- role: system\n  content: hello\n',
      'assistants/shop/src/index.ts': "function Create() { try { Process('scripts.files.Put') } catch {} }\n",
      'scripts/files.ts': "function Put() { return 'real' }\n",
      'viva.config.json': JSON.stringify({ connectors: { mind: { type: 'scripted', options: { rules } } } }),
    })
    const stubs = { 'scripts.files.Put': { result: 1 } }
    await play(cwd, [{ ...talk, stubs }], ['-n', 'shop'])
    const { exitCode, left } = await shrink(cwd, 'talk', '--only', 'turns', '--only', 'stubs')
    expect(exitCode).toBe(0)
    expect(left).toMatchObject({ turns: [{ input: inputs[11] }], stubs })
  })

  it('every case is played with the seed of the recorded run', async () => {
    const agent = `import { appendFileSync } from 'node:fs'
export default (input, { options }) => {
  appendFileSync('seeds.txt', options?.seed + ' ')
  return options?.seed === 8 ? 'error' : 'fine'
}\n`
    const cwd = await recorded(agent, [talk], ['--seed', '7', '--runs', '2'])
    writeFileSync(join(cwd, 'seeds.txt'), '')
    const { exitCode, stdout } = await shrink(cwd, 'talk', '--run-number', '2')
    expect(exitCode).toBe(0)
    expect(new Set(readFileSync(join(cwd, 'seeds.txt'), 'utf8').trim().split(' '))).toEqual(new Set(['8']))
    expect(stdout).toContain('    viva test -i talk.shrunk.jsonl -n ./agent.mjs --seed 8')
  })

  it('another agent is named with -n, and the recorded one is started only if the project has it', async () => {
    const cwd = await recorded()
    const text = readFileSync(join(cwd, 'results.jsonl'), 'utf8')
    writeFileSync(join(cwd, 'results.jsonl'), text.replaceAll('"agent.mjs"', '"exec:touch started"'))
    const unknown = await shrink(cwd, 'talk')
    expect(unknown.exitCode).toBe(2)
    expect(unknown.stderr).toContain('is not started from a results file (name it with -n)')
    expect(existsSync(join(cwd, 'started'))).toBe(false)
    expect((await shrink(cwd, 'talk', '-n', './agent.mjs')).exitCode).toBe(0)
  })
})

describe('viva shrink with a flaky failure', () => {
  it('a failure in 70 % of runs is noticed, and becomes minimal', async () => {
    const cwd = await recorded(brokenBy(['francs', 'Sunday'], { rate: 0.7 }), [talk], ['--runs', '3'])
    const failed = results(join(cwd, 'results.jsonl')).find(({ status }) => status === 'failed')
    const { exitCode, stdout, left } = await shrink(
      cwd,
      'talk',
      '--only',
      'turns',
      '--run-number',
      String(failed?.run),
    )
    expect(exitCode).toBe(0)
    expect(stdout).toContain('It is flaky: it failed in')
    expect(said(left)).toEqual([inputs[3], inputs[7], inputs[11]])
    expect(stdout).toMatch(/It fails for the same reason in \d+ of 1\d runs/)
  })

  it('the first run that failed is shrunk, unless another one is chosen', async () => {
    const agent = `import { existsSync, writeFileSync } from 'node:fs'
export default () => {
  if (existsSync('called')) return 'error'
  writeFileSync('called', '')
  return 'fine'
}
`
    const cases = [{ id: 'talk', input: 'one', assert: noError }]
    const cwd = await recorded(agent, cases, ['--runs', '3', '--parallel', '1'])
    const { exitCode, stdout } = await shrink(cwd, 'talk')
    expect(stdout).toContain('► [talk] 1 turn with 1 word, run 2 failed: output contains "error"')
    expect(exitCode).toBe(0)
    const first = await shrink(cwd, 'talk', '--run-number', '1', '-o', 'first.jsonl')
    expect(first.exitCode).toBe(2)
    expect(first.stderr).toContain('talk passed: there is no failure to shrink')
  })

  it('--runs says in how many of how many runs a case must fail', async () => {
    const cwd = await recorded(brokenBy(['francs', 'Sunday'], { rate: 0.7 }), [talk], ['--runs', '3'])
    const failed = results(join(cwd, 'results.jsonl')).find(({ status }) => status === 'failed')
    const run = ['--run-number', String(failed?.run), '--only', 'turns']
    const { left, stdout } = await shrink(cwd, 'talk', ...run, '--runs', '2/8')
    expect(said(left)).toEqual([inputs[3], inputs[7], inputs[11]])
    expect(stdout).not.toContain('It is flaky')
  })
})

describe('what the case of viva shrink names', () => {
  const judged = brokenBy(['francs'])
  const files = {
    'agent.mjs': judged,
    'tests/checks.ts': `export const polite = (output) => !output.includes('error')
export const setup = () => ({ ready: true })
`,
    'tests/note.txt': 'francs',
  }
  const byScript = {
    id: 'named',
    before: 'checks.setup',
    turns: [
      { input: 'Hello.' },
      { input: 'I have francs.', assert: { type: 'script', use: 'scripts:checks.polite' } },
    ],
  }

  async function failed(written: object, folder: string, more: Record<string, string> = {}) {
    const moved = Object.entries(files).map(([name, text]) => [name.replace('tests', folder), text])
    const cwd = project({ ...Object.fromEntries(moved), ...more })
    writeFileSync(join(cwd, folder, 'cases.jsonl'), `${JSON.stringify(written)}\n`)
    await viva(['test', '-i', `${folder}/cases.jsonl`, '-n', './agent.mjs', '-o', 'results.jsonl'], { cwd })
    return cwd
  }

  it('files are attached wherever the case is written', async () => {
    const agent = `export default (input) =>
  JSON.stringify(input).includes('"file"') ? 'error' : 'fine'\n`
    const attachments = [{ type: 'file', source: 'file://./note.txt' }]
    const turns = [{ input: 'one' }, { input: 'last', attachments, assert: noError }]
    const cwd = await failed({ id: 'file', turns }, 'tests', { 'agent.mjs': agent })
    const { exitCode, stderr, left } = await shrink(cwd, 'file')
    expect(exitCode).toBe(0)
    expect(stderr).not.toContain('left out')
    expect(JSON.stringify(left)).toContain('"source":"file://./tests/note.txt"')
  })

  it('scripts get other names in a folder above', async () => {
    const cwd = await failed(byScript, 'tests')
    const { exitCode, left } = await shrink(cwd, 'named', '--runs', '1/1')
    expect(exitCode).toBe(0)
    expect(left).toMatchObject({
      before: 'tests.checks.setup',
      turns: [{ assert: { type: 'script', use: 'scripts:tests.checks.polite' } }],
    })
    const again = await viva(['test', '-i', 'named.shrunk.jsonl', '-n', './agent.mjs'], { cwd })
    expect(again.exitCode).toBe(1)
  })

  it('the case is written beside its file if it has scripts that have no other name', async () => {
    const cwd = await failed(byScript, 'version.2')
    const { exitCode, stdout, left } = await shrink(cwd, 'named', '--runs', '1/1')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('viva test -i version.2/named.shrunk.jsonl -n ./agent.mjs')
    expect(left).toMatchObject({ before: 'checks.setup' })
    const elsewhere = await shrink(cwd, 'named', '-o', 'other/small.jsonl')
    expect(elsewhere.exitCode).toBe(2)
    expect(elsewhere.stderr).toContain(
      '-o other/small.jsonl: checks.setup is only found beside the case file (write the case there, with -o version.2/small.jsonl)',
    )
  })
})

describe('the file of viva shrink', () => {
  it('nothing is left of a case that does not fit on the disk', async () => {
    const long = { input: 'word '.repeat(2_000) }
    const cwd = await recorded(undefined, [{ ...talk, turns: [long, ...talk.turns] }])
    // Files can have 4 kB, so that the rest of the case cannot be written.
    const command = `ulimit -f 8 && exec "$0" "$1" shrink results.jsonl talk -o small.jsonl`
    const args = ['-c', command, process.execPath, join(repository, 'bin/viva.js')]
    const { status, stdout, stderr } = spawnSync('sh', args, { cwd, encoding: 'utf8' })
    expect(stdout + stderr).toMatch(/small\.jsonl cannot be written: EFBIG/)
    expect(status).toBe(3)
    expect(existsSync(join(cwd, 'small.jsonl'))).toBe(false)
    expect(
      (await viva(['shrink', 'results.jsonl', 'talk', '-o', 'small.jsonl', '--only', 'turns'], { cwd }))
        .exitCode,
    ).toBe(0)
  })

  it('two that run at once write two files', async () => {
    const cwd = await recorded()
    const runs = await Promise.all(
      [1, 2].map(() => ended(startViva(['shrink', 'results.jsonl', 'talk'], { cwd }))),
    )
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0])
    const saved = runs.map(({ stdout }) => /Saved: (.+)/.exec(stdout)?.[1])
    expect(saved.toSorted()).toEqual(['talk.shrunk-2.jsonl', 'talk.shrunk.jsonl'])
  })

  it('a failure that hardly ever occurs again is an error, and nothing is left', async () => {
    const cwd = await recorded()
    const agent = `let calls = 0
export default (input) => (input.includes('confirm') && ++calls === 2 ? 'error' : 'fine')\n`
    writeFileSync(join(cwd, 'agent.mjs'), agent)
    const { exitCode, stderr } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('talk of results.jsonl fails too seldom: in 1 of 26 runs')
    expect(existsSync(join(cwd, 'talk.shrunk.jsonl'))).toBe(false)
  })

  it('what does not fail again by the given rule is not reported as a success', async () => {
    const cwd = await recorded()
    const agent = `let calls = 0
export default (input) => (input.includes('confirm') && ++calls < 3 ? 'error' : 'fine')\n`
    writeFileSync(join(cwd, 'agent.mjs'), agent)
    const { exitCode, stdout } = await shrink(cwd, 'talk', '--runs', '1/2', '--only', 'turns')
    expect(exitCode).toBe(3)
    expect(stdout).toContain('It did not fail often enough when it was played again: in 0 of 2 runs')
    expect(stdout).toContain('What is kept is not proven')
    expect(stdout).toMatch(/^ {2}Calls: about \d+ to \d+ conversations, \d+ to [\d,]+ turns$/m)
  })
})

describe('viva shrink that is stopped', () => {
  const prices = { priced: { input: 0.5, output: 2 } }
  /** Every reply costs $0.0007. */
  async function pricedApp(): Promise<string> {
    const rules = [
      { when: { user: 'confirm' }, reply: 'error', usage: { input_tokens: 1000, output_tokens: 100 } },
      { reply: 'fine', usage: { input_tokens: 1000, output_tokens: 100 } },
    ]
    const cwd = project({
      'app.yao': '{"name": "shop"}',
      'assistants/shop/package.yao': '{"name": "Shop", "connector": "priced"}',
      'assistants/shop/prompts.yml': '- role: system\n  content: hello\n',
      'viva.config.json': JSON.stringify({
        connectors: { priced: { type: 'scripted', options: { rules } } },
        prices,
      }),
    })
    await play(cwd, [talk], ['-n', 'shop'])
    return cwd
  }

  it('--max-cost keeps the best so far, and the cost is estimated before', async () => {
    const cwd = await pricedApp()
    const { exitCode, stdout, left } = await shrink(cwd, 'talk', '--max-cost', '0.01')
    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/^ {2}Cost: {2}about \$0\.0\d+ to \$\d\.\d+, by what the recorded case cost/m)
    expect(stdout).toMatch(/✗ --max-cost \$0\.010 is reached: \$0\.01\d* spent \(\d+ conversations/)
    expect(stdout).toMatch(/The best so far is kept: \d+ turns? with \d+ words?\. It may not be the smallest/)
    expect(String(said(left).at(-1))).toContain('confirm')
    const whole = await shrink(cwd, 'talk', '-o', 'whole.jsonl')
    expect(whole.exitCode).toBe(0)
    expect(said(whole.left)).toEqual(['confirm'])
  })

  it('a budget that the first conversation exceeds leaves that one', async () => {
    const { exitCode, stdout, left } = await shrink(await pricedApp(), 'talk', '--max-tokens', '1')
    expect(exitCode).toBe(3)
    expect(stdout).toContain('--max-tokens 1 is reached')
    expect(said(left)).toHaveLength(12)
  })

  it('infrastructure that breaks on the way ends it with exit code 3 and the best so far', async () => {
    const { url, sent } = await startSessions(['francs', 'Sunday'])
    const failing = createServer((request, response) => {
      const isDown = sent.length > 60
      if (isDown) {
        response.statusCode = 503
        response.end()
        return
      }
      void forward(request, response, url)
    })
    await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      failing.closeAllConnections()
      failing.close()
    })
    const address = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`
    const config = { ...(JSON.parse(sessionConfig(address)) as object), network: { retries: 0 } }
    const cwd = project({ 'viva.config.json': JSON.stringify(config) })
    await play(cwd, [talk], ['-n', 'desk'])
    const { exitCode, stdout, left } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(3)
    expect(stdout).toMatch(/✗ .*503/)
    expect(said(left).length).toBeGreaterThan(0)
    expect(said(left).length).toBeLessThan(12)
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s keeps the best so far', async (signal, code) => {
    const cwd = await recorded()
    writeFileSync(
      join(cwd, 'agent.mjs'),
      brokenBy(['francs', 'Sunday'])
        .replace('export default (input', 'const answer = (input')
        .concat(`import { appendFileSync } from 'node:fs'
export default async (input, ctx) => {
  appendFileSync('calls.txt', 'x')
  await new Promise((done) => setTimeout(done, 30))
  return answer(input, ctx)
}\n`),
    )
    const child = startViva(['shrink', 'results.jsonl', 'talk'], { cwd })
    const over = ended(child)
    const calls = () => (existsSync(join(cwd, 'calls.txt')) ? readFileSync(join(cwd, 'calls.txt')).length : 0)
    while (calls() < 20 && child.exitCode === null) await wait(20)
    child.kill(signal)
    const { exitCode, stdout } = await over
    expect(exitCode).toBe(code)
    expect(stdout).toContain('Interrupted')
    expect(stdout).toContain('The best so far is kept')
    const [left] = readJsonl(join(cwd, 'talk.shrunk.jsonl'))
    expect(said(left)).toContain(inputs[11])
    await expectFailure(cwd, '-n', './agent.mjs')
  })
})

async function forward(
  request: import('node:http').IncomingMessage,
  response: import('node:http').ServerResponse,
  url: string,
): Promise<void> {
  let body = ''
  for await (const chunk of request) body += chunk
  const answer = await fetch(url, { method: 'POST', body })
  response.setHeader('content-type', 'application/json')
  response.end(await answer.text())
}

describe('viva shrink with bad input', () => {
  it.each<[string, string[], string]>([
    ['an unknown case', ['tlak'], 'no result of a case "tlak" (did you mean talk?)'],
    ['a case that passed', ['good'], 'results.jsonl: good passed: there is no failure to shrink'],
    ['a case that was skipped', ['skipped'], 'results.jsonl: skipped was not judged: it is skipped'],
    ['--runs 3', ['talk', '--runs', '3'], '--runs 3: must be n/m'],
    ['--runs 3/2', ['talk', '--runs', '3/2'], '--runs 3/2: must be n/m'],
    ['--only letters', ['talk', '--only', 'letters'], '--only letters: must be one of turns, sentences'],
    ['an empty --reply', ['talk', '--reply', ' '], '--reply: the text is empty'],
    ['both kinds of replies', ['talk', '--reply', 'x', '--any-reply'], 'cannot be combined'],
    ['an unknown run', ['talk', '--run-number', '2'], 'talk has no result of run 2'],
    ['an unknown variant', ['talk', '--variant', 'x'], 'there is agent.mjs'],
    ['several agents', ['talk', '-n', 'a', '-n', 'b'], '--name: a case is shrunk with one agent'],
    ['an unknown agent', ['talk', '-n', 'a'], 'unknown agent "a"'],
    ['its own results as output', ['talk', '-o', 'results.jsonl'], 'results are read from it'],
    ['an output that exists', ['talk', '-o', 'cases.jsonl'], 'the file already exists, and is not replaced'],
    ['an output of another kind', ['talk', '-o', 'x.json'], 'a case is written to a .jsonl file'],
    ['a bad budget', ['talk', '--max-cost', '0'], '--max-cost 0: must be an amount'],
    ['a flag of viva test', ['talk', '--parallel', '2'], "unknown option '--parallel'"],
  ])('%s is an error', async (_, args, message) => {
    const cases = [talk, { id: 'good', input: 'hi' }, { id: 'skipped', input: 'x', skip: true }]
    const cwd = await recorded(undefined, cases)
    const { exitCode, stderr, left } = await shrink(cwd, ...args)
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
    expect(left).toBeUndefined()
    expect(existsSync(join(cwd, 'talk.shrunk.jsonl'))).toBe(false)
  })

  it('a case that does not fail any more', async () => {
    const cwd = await recorded()
    writeFileSync(join(cwd, 'agent.mjs'), "export default () => 'fine'\n")
    const { exitCode, stderr } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('talk of results.jsonl does not fail any more: it passed in 8 runs')
    expect(stderr).toContain('it had failed: output contains "error"')
    expect(existsSync(join(cwd, 'talk.shrunk.jsonl'))).toBe(false)
    const once = await shrink(cwd, 'talk', '--runs', '1/1')
    expect(once.stderr).toContain('it passed when it was played again')
  })

  it('a case that fails for another reason', async () => {
    const cwd = await recorded()
    writeFileSync(join(cwd, 'agent.mjs'), "export default () => { throw new Error('it broke') }\n")
    const { exitCode, stderr } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('talk of results.jsonl fails for another reason now: agent error: it broke')
    expect(existsSync(join(cwd, 'talk.shrunk.jsonl'))).toBe(false)
  })

  it('a case that has changed since, or is gone, unless only the results are used', async () => {
    const cwd = await recorded()
    const path = join(cwd, 'cases.jsonl')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('A talk', 'Another talk'))
    const changed = await shrink(cwd, 'talk')
    expect(changed.exitCode).toBe(2)
    expect(changed.stderr).toContain('talk in cases.jsonl has changed since it was recorded')
    writeFileSync(path, text.replace('"talk"', '"walk"'))
    const gone = await shrink(cwd, 'talk')
    expect(gone.exitCode).toBe(2)
    expect(gone.stderr).toContain('talk is not in cases.jsonl any more since it was recorded')
    const { exitCode, stderr } = await shrink(cwd, 'talk', '--as-recorded')
    expect(exitCode).toBe(0)
    expect(stderr).toContain('its options and scripts, and stubs that were not called, are not in')
  })

  it('a case with defaults of its file is still the same', async () => {
    const cwd = await recorded(undefined, [{ defaults: { metadata: { a: 1 } } }, talk])
    const { exitCode, left } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(0)
    expect(left).toMatchObject({ metadata: { a: 1 } })
  })

  it('a failure that is not the agent’s', async () => {
    const cwd = project({
      'viva.config.json': JSON.stringify({
        agents: { desk: { url: 'http://127.0.0.1:9/', request: { text: '{{input}}' } } },
        network: { retries: 0 },
      }),
    })
    await play(cwd, [talk], ['-n', 'desk'])
    const { exitCode, stderr } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('talk failed for a reason that is not the agent’s: ')
  })

  it('a journal without conversations', async () => {
    const cwd = await recorded(undefined, [talk], ['--no-transcripts'])
    const { exitCode, stderr } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('talk was recorded without its conversation (--no-transcripts)')
  })

  it('a damaged journal has the cases that are whole', async () => {
    const cwd = await recorded(undefined, [talk, { ...talk, id: 'other' }])
    const path = join(cwd, 'results.jsonl')
    const lines = readFileSync(path, 'utf8').split('\n')
    const torn = lines.findIndex((line) => line.includes('"id":"other"'))
    lines[torn] = lines[torn]?.slice(0, 200) ?? ''
    writeFileSync(path, lines.join('\n'))
    const other = await shrink(cwd, 'other')
    expect(other.exitCode).toBe(2)
    expect(other.stderr).toContain('1 line cannot be read')
    expect(other.stderr).toContain('no result of a case "other" (its cases are talk)')
    expect((await shrink(cwd, 'talk')).exitCode).toBe(0)
  })

  it.each([
    ['no results file', '{"id": "talk", "input": "hi"}\n', 'is not a results file of viva'],
    ['an empty file', '', 'is not a results file of viva'],
  ])('%s is an error', async (_, text, message) => {
    const cwd = project({ 'agent.mjs': brokenBy([]), 'results.jsonl': text })
    const { exitCode, stderr } = await shrink(cwd, 'talk')
    expect(stderr).toContain(message)
    expect(exitCode).toBe(2)
  })

  it('a missing file, and a folder, are errors', async () => {
    const cwd = project({ 'agent.mjs': brokenBy([]) })
    expect((await shrink(cwd, 'talk')).stderr).toContain('no such file: results.jsonl')
    mkdirSync(join(cwd, 'results.jsonl'))
    expect((await shrink(cwd, 'talk')).stderr).toContain('is no file')
  })

  it('a script test has no conversation', async () => {
    const cwd = demo()
    await viva(['test', '-i', 'scripts.expense.setup', '-o', 'results.jsonl'], { cwd })
    const id = String(results(join(cwd, 'results.jsonl'))[0]?.id)
    const { exitCode, stderr } = await shrink(cwd, id)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`${id} is a script test, which has no conversation`)
  })

  it('the same id with two agents is ambiguous', async () => {
    const cwd = project({ 'agent.mjs': brokenBy(['francs']), 'other.mjs': brokenBy(['francs']) })
    await play(cwd, [talk], ['-n', './agent.mjs', '-n', './other.mjs'])
    const { exitCode, stderr } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('choose one with --variant: agent.mjs, other.mjs')
    expect((await shrink(cwd, 'talk', '--variant', 'other.mjs')).exitCode).toBe(0)
  })

  it('a failure that depends on the simulated user has no static case', async () => {
    const cwd = demo()
    const simulator = { use: 'workers.test.user-simulator', goal: 'Submit a dinner with a client' }
    const cases = [{ id: 'talk', input: 'Hello', simulator, max_turns: 2, on_max_turns_reached: 'fail' }].map(
      (each) => ({ ...each, terminate_when: [{ type: 'contains', value: 'never' }] }),
    )
    const { lines } = await play(cwd, cases, ['-n', 'expense'])
    expect(lines[0]).toMatchObject({ error_kind: 'max_turns' })
    const { exitCode, stderr } = await shrink(cwd, 'talk')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('talk cannot be shrunk: that it failed (max turns (2) exceeded) depends on')
  })

  it('private data and secrets are not written', async () => {
    const cwd = await recorded()
    writeFileSync(join(cwd, 'viva.config.json'), JSON.stringify({ masks: ['email'] }))
    const masked = await shrink(cwd, 'talk')
    expect(masked.exitCode).toBe(2)
    expect(masked.stderr).toContain('private data is not recorded here')
    writeFileSync(join(cwd, 'viva.config.json'), '{}')
    const env = { MY_TOKEN: 'Please confirm it' }
    const { exitCode, stderr } = await viva(['shrink', 'results.jsonl', 'talk'], { cwd, env })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('the case holds a secret')
    expect(existsSync(join(cwd, 'talk.shrunk.jsonl'))).toBe(false)
  })
})
