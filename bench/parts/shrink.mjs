/**
 * Planted bugs: one to three words that the user has to say anywhere in a conversation of 12 to 30 turns. How often `viva
 * shrink` finds exactly the turns that are needed, and how many turns it sends for that. What fails is in turn a check that
 * looks for the mistake, one that expects a text, a tool that was not called, and a checkpoint that was not reached.
 */

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { vivaCommand } from '../contenders.mjs'
import { measureProcess } from '../measure.mjs'
import { writeFiles } from '../project.mjs'

const share = (part) => `${(100 * part).toFixed(0)}%`
export const columns = [
  ['the agent', ({ agent }) => agent],
  ['fails in', ({ rate }) => `${share(rate)} of runs`],
  ['left out', ({ parts }) => parts],
  ['bugs', ({ bugs }) => String(bugs)],
  ['minimal', ({ minimal }) => share(minimal)],
  ['turns sent, median', ({ turns }) => String(turns.median)],
  ['90th percentile', ({ turns }) => String(turns.p90)],
  ['conversations, median', ({ conversations }) => String(conversations.median)],
]

const given = 'is given its history'
const own = 'keeps its own session'
const flakyRate = 0.7

export async function measure({ size, folder }) {
  const random = createRandom(25)
  const bugs = Array.from({ length: size(50, 6) }, (_, index) => plantBug(index, random))
  const server = await startSessions(random)
  try {
    await writeProject(folder, bugs, server.url)
    const rows = []
    for (const [agent, steady, flaky] of [
      [own, 'steady', 'flaky'],
      [given, './steady.mjs', './flaky.mjs'],
    ]) {
      const results = await record(folder, steady)
      rows.push(await shrinkAll(folder, results, bugs, { agent, rate: 1, name: steady, parts: 'turns' }))
      rows.push(
        await shrinkAll(folder, results, bugs, { agent, rate: 1, name: steady, parts: 'turns, words' }),
      )
      rows.push(
        await shrinkAll(folder, results, bugs, { agent, rate: flakyRate, name: flaky, parts: 'turns' }),
      )
    }
    return rows
  } finally {
    await server.close()
  }
}

const chatter =
  'please the table for us near window with some tea and cake today or later maybe if you can'.split(' ')

/** Every word of a bug says to which bug it belongs, and how many words that has: `k7a2`. */
function plantBug(index, random) {
  const among = (from, to) => from + Math.floor(random() * (to - from + 1))
  const turns = among(12, 30)
  const count = among(1, 3)
  const words = Array.from({ length: count }, (_, part) => `k${index}${'abc'[part]}${count}`)
  const places = new Set()
  while (places.size < count) places.add(among(0, turns - 2))
  const needed = [...places].sort((one, other) => one - other)
  const inputs = Array.from({ length: turns }, (_, turn) => {
    const said = Array.from({ length: among(3, 9) }, () => chatter[among(0, chatter.length - 1)])
    const place = needed.indexOf(turn)
    if (place !== -1) said.splice(among(0, said.length), 0, words[place])
    if (turn === turns - 1) said.push('confirm')
    return said.join(' ')
  })
  return { id: `bug${index}`, inputs, needed: [...needed, turns - 1].map((turn) => inputs[turn]), words }
}

/** The agent does what it is asked for at the end of a conversation, unless it is broken. Modules have it as a text. */
function reply(input, isBroken) {
  if (isBroken) return { content: 'An internal error has happened.', tool_calls: [] }
  if (!input.includes('confirm')) return { content: 'Noted.', tool_calls: [] }
  return { content: 'Your table is booked.', tool_calls: [{ name: 'book', arguments: {} }] }
}

const failures = [
  (turns) => ({ turns: withCheck(turns, { type: 'not_contains', value: 'error' }) }),
  (turns) => ({ turns: withCheck(turns, { type: 'contains', value: 'booked' }) }),
  (turns) => ({ turns, final_assertions: { type: 'tool_called', name: 'book' } }),
  (turns) => ({ turns, checkpoints: [{ id: 'booked', assert: { type: 'contains', value: 'booked' } }] }),
]

function withCheck(turns, assert) {
  return turns.map((turn, index) => (index === turns.length - 1 ? { ...turn, assert } : turn))
}

/** Modules have it as a text. */
function isBroken(said) {
  const found = new Set(said.match(/\bk\d+[abc]\d\b/g))
  return [...found].some((word) => {
    const [, bug, count] = /^k(\d+)[abc](\d)$/.exec(word)
    return [...'abc'].slice(0, Number(count)).every((part) => found.has(`k${bug}${part}${count}`))
  })
}

function module(rate) {
  return `const isBroken = ${isBroken}
const reply = ${reply}
const random = (${createRandom})(${rate * 1000})
export default (input, { history = [] }) => {
  const said = [...history.filter(({ role }) => role === 'user').map(({ content }) => content), input].join(' ')
  return reply(input, isBroken(said) && random() < ${rate})
}
`
}

async function writeProject(folder, bugs, url) {
  const agent = (path) => ({
    url: `${url}${path}`,
    request: { text: '{{input}}', session: '{{session}}' },
    response: {
      content: '$.content',
      tool_calls: { path: '$.tool_calls', name: 'name', arguments: 'arguments' },
    },
    session: '$.session',
  })
  await writeFiles(folder, {
    'steady.mjs': module(1),
    'flaky.mjs': module(flakyRate),
    'viva.config.json': { agents: { steady: agent('/1'), flaky: agent(`/${flakyRate}`) } },
    'cases.jsonl': bugs.map(({ id, inputs }, index) => ({
      id,
      ...failures[index % failures.length](inputs.map((input) => ({ input }))),
    })),
  })
}

async function record(folder, agent) {
  const results = 'results.jsonl'
  await rm(join(folder, results), { force: true })
  await viva(folder, 1, ['test', '-i', 'cases.jsonl', '-n', agent, '-o', results])
  return results
}

async function shrinkAll(folder, results, bugs, { agent, rate, name, parts }) {
  const only = parts.split(', ').flatMap((part) => ['--only', part])
  let minimal = 0
  const turns = []
  const conversations = []
  for (const bug of bugs) {
    await rm(join(folder, 'left.jsonl'), { force: true })
    const flags = ['-n', name, '-o', 'left.jsonl', ...only]
    const printed = await shrink(folder, [results, bug.id, ...flags])
    // A failure that did not occur again is not minimal.
    if (printed === undefined) continue
    const [, played, sent] = /^✓ .*\((\d+) conversations?, (\d+) turns?/m.exec(printed)
    conversations.push(Number(played))
    turns.push(Number(sent))
    const left = JSON.parse(readFileSync(join(folder, 'left.jsonl'), 'utf8')).turns.map(({ input }) => input)
    if (isMinimal(left, bug, parts)) minimal += 1
  }
  return {
    agent,
    rate,
    parts,
    bugs: bugs.length,
    minimal: minimal / bugs.length,
    turns: summarise(turns),
    conversations: summarise(conversations),
  }
}

async function shrink(folder, args) {
  try {
    const { printed } = await viva(folder, 0, ['shrink', ...args])
    return printed
  } catch (error) {
    if (error.printed?.includes('does not fail any more')) return undefined
    throw error
  }
}

/** Of words, one is left of the last message, whichever. */
function isMinimal(left, { needed, words }, parts) {
  if (parts === 'turns') return left.join('|') === needed.join('|')
  return left.length === needed.length && left.every((text, index) => isOneWord(text, words, index))
}

function isOneWord(text, words, index) {
  return index < words.length ? words.includes(text) : !text.includes(' ')
}

function summarise(values) {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (part) => sorted[Math.ceil(part * sorted.length) - 1]
  return { median: at(0.5), p90: at(0.9) }
}

const viva = (cwd, exitCode, args) => measureProcess([...vivaCommand, ...args], { cwd, exitCode })

/** An agent with its own sessions. How often it fails is in its path. */
async function startSessions(random) {
  const sessions = new Map()
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { text, session = `s${sessions.size}` } = JSON.parse(body)
    const said = `${sessions.get(session) ?? ''} ${text}`
    sessions.set(session, said)
    const fails = isBroken(said) && random() < Number(request.url.slice(1))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ session, ...reply(text, fails) }))
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

/** mulberry32, which gives the same numbers every time. */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
