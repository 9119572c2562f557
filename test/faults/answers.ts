import { join } from 'node:path'
import { viva } from '../support/command.ts'
import { jsonl, type Line, results } from '../support/lines.ts'
import { faultText } from './fault.ts'
import type { Part, PartRun } from './part.ts'
import type { Asked } from './server.ts'
import { withFolder } from './workspace.ts'

type Parts = Parameters<typeof faultText>[0]

interface Expected {
  /** `passed`, or an `error_kind`. */
  outcome: string
  /** The number of requests. Default: one. */
  requests?: number
  fault?: 'agent' | 'infrastructure'
}

const passes = (requests = 1): Expected => ({ outcome: 'passed', requests })
const breaks = (outcome: string, requests = 1): Expected => ({ outcome, requests, fault: 'infrastructure' })

/** An agent that does not answer in time fails. */
const late: Expected = { outcome: 'timeout', fault: 'agent' }
/** The reply is empty, and the check fails. */
const empty: Expected = { outcome: 'assertion', fault: 'agent' }

/** There are three retries. */
const all = 4

/** The outcome of each fault, for models and agents. */
const table: [Parts, Expected][] = [
  [{}, passes()],
  [{ status: 400 }, breaks('http')],
  [{ status: 401 }, breaks('http')],
  [{ status: 403 }, breaks('http')],
  [{ status: 404 }, breaks('http')],
  [{ status: 408, times: 1 }, passes(2)],
  [{ status: 422 }, breaks('http')],
  [{ status: 429, times: 2 }, passes(3)],
  [{ status: 429, 'retry-after': '0' }, breaks('rate_limit', all)],
  [{ status: 502, times: 3 }, passes(4)],
  [{ status: 503 }, breaks('http', all)],
  [{ status: 529, times: 1 }, passes(2)],
  [{ status: 301 }, breaks('http')],
  [{ status: 204 }, breaks('bad_response')],
  // Retry-After in every form.
  [{ status: 429, times: 1, 'retry-after': '1' }, passes(2)],
  [{ status: 429, times: 1, 'retry-after': '0.4' }, passes(2)],
  [{ status: 503, times: 1, 'retry-after-ms': '300' }, passes(2)],
  [{ status: 429, times: 1, 'retry-date': '1' }, passes(2)],
  [{ status: 429, times: 1, 'retry-date': '-100' }, passes(2)],
  [{ status: 429, times: 1, 'retry-after': '-5' }, passes(2)],
  [{ status: 429, times: 1, 'retry-after': 'soon' }, passes(2)],
  [{ status: 429, times: 1, 'retry-after': '' }, passes(2)],
  [{ status: 429, times: 1, 'retry-after': '1e3' }, passes(2)],
  // Longer than the time limit of a case.
  [{ status: 429, 'retry-after': '99999999999999999999' }, breaks('rate_limit')],
  [{ status: 429, 'retry-date': '86400' }, breaks('rate_limit')],
  // Connections.
  [{ reset: 'before', times: 1 }, passes(2)],
  [{ reset: 'before' }, breaks('connection', all)],
  [{ reset: 'headers', times: 1 }, passes(2)],
  [{ reset: 'body' }, breaks('truncated', all)],
  [{ cut: 'body' }, breaks('truncated', all)],
  [{ stall: 'before' }, late],
  [{ stall: 'headers' }, late],
  [{ stall: 'body' }, late],
  [{ drip: 1 }, passes()],
  [{ drip: 200 }, late],
  // Bodies.
  [{ html: true }, breaks('bad_response')],
  [{ body: '' }, breaks('bad_response')],
  [{ body: '{"choices":' }, breaks('bad_response')],
  [{ endless: 'text' }, breaks('bad_response')],
  [{ endless: 'spaces', every: 20 }, late],
  [{ endless: 'html', every: 20 }, late],
  [{ encoding: 'gzip' }, passes()],
  [{ encoding: 'deflate' }, passes()],
  [{ encoding: 'br' }, passes()],
  [{ encoding: 'broken' }, breaks('bad_response')],
  [{ encoding: 'bomb' }, breaks('bad_response')],
]

/** Faults that only a model can have. */
const modelTable: [Parts, Expected][] = [
  // All events had arrived.
  [{ cut: 'length', times: 1 }, passes(1)],
  [{ status: 500, times: 1 }, passes(2)],
  [{ status: 500 }, breaks('http', all)],
  [{ body: '[]' }, breaks('bad_response')],
  [{ body: 'null' }, breaks('bad_response')],
  [{ body: '{}' }, breaks('bad_response')],
  [{ body: '{"choices":[]}' }, breaks('bad_response')],
  [{ body: '{"choices":{"length":1}}' }, breaks('bad_response')],
  [{ body: '{"error":{"message":"no","code":"insufficient_quota"}}' }, breaks('quota')],
  [{ endless: 'json', every: 20 }, late],
  [{ endless: 'events', every: 20 }, late],
  [{ endless: 'events' }, breaks('bad_response')],
  [{ endless: 'comments', every: 20 }, late],
  [{ endless: 'line' }, breaks('bad_response')],
  [{ events: 'not-json' }, breaks('bad_response')],
  [{ events: 'number' }, breaks('bad_response')],
  [{ events: 'null' }, breaks('bad_response')],
  [{ events: 'unended' }, breaks('truncated', all)],
  [{ events: 'empty' }, breaks('truncated', all)],
  [{ events: 'error' }, breaks('http', all)],
  [{ events: 'choices-text' }, breaks('bad_response')],
  [{ events: 'delta-list' }, empty],
  [{ events: 'call-number' }, empty],
  [{ events: 'call-index' }, empty],
  [{ events: 'deep' }, breaks('bad_response')],
]

/** Faults that are the fault of an HTTP agent itself. */
const agentTable: [Parts, Expected][] = [
  [{ cut: 'length', times: 1 }, passes(2)],
  [{ status: 500 }, { outcome: 'agent_error', fault: 'agent' }],
  [{ status: 501 }, { outcome: 'agent_error', fault: 'agent' }],
]

export const answers: Part = {
  about: 'every fault of a server, and the result of a case with it',
  counts: {},
  async run(run) {
    await Promise.all([
      playTable(run, 'model', `openai:${run.server.url}#m`, [...table, ...modelTable]),
      playTable(run, 'http', run.server.agentUrl, [...table, ...agentTable]),
    ])
  },
}

async function playTable(
  { server, card, progress }: PartRun,
  name: string,
  agent: string,
  rows: [Parts, Expected][],
): Promise<void> {
  progress(`${rows.length} faults of ${name === 'model' ? 'a model' : 'an http agent'}`)
  const asking = rows.map(([parts, expected], index) => ({
    text: `${name} ${index} ${faultText(parts)}`,
    expected,
  }))
  const cases = asking.map(({ text }, index) => ({
    id: String(index),
    input: text,
    assert: { type: 'contains', value: text },
    // A fast endless body must be read up to the size limit.
    timeout: text.includes('every=') || /stall|drip=200/.test(text) ? '2s' : '20s',
  }))
  const files = {
    'cases.jsonl': jsonl(...cases),
    'viva.config.json': JSON.stringify({ network: { backoff: '5ms' } }),
  }
  await withFolder(files, async (cwd) => {
    const args = ['test', '-i', 'cases.jsonl', '-n', agent, '-o', 'x.jsonl', '--parallel', '12']
    const { exitCode, stderr } = await viva(args, { cwd })
    const isRun = card.check(
      'a server with faults does not break viva',
      exitCode === 1 || exitCode === 3,
      `exit ${exitCode} in ${cwd}: ${stderr}`,
    )
    if (!isRun) return false
    const lines = new Map(results(join(cwd, 'x.jsonl')).map((line) => [line.id, line]))
    const kept = asking.map((asked, index) =>
      checkRow(
        card,
        asked,
        lines.get(String(index)),
        server.log.filter(({ text }) => text === asked.text),
      ),
    )
    return kept.every(Boolean)
  })
}

function checkRow(
  card: PartRun['card'],
  { text, expected }: { text: string; expected: Expected },
  line: Line | undefined,
  log: readonly Asked[],
): boolean {
  const outcome = line?.status === 'passed' ? 'passed' : line?.error_kind
  const said = `${text}\ngot ${outcome}, ${line?.fault}, ${log.length} requests: ${line?.error ?? ''}`
  const isRight = outcome === expected.outcome && line?.fault === expected.fault
  const isOften = log.length === (expected.requests ?? 1)
  return [
    card.check('every fault is reported as what it is', isRight, `${said}\nexpected ${expected.outcome}`),
    card.check(
      'retries are made only where they can help',
      isOften,
      `${said}\nexpected ${expected.requests} requests`,
    ),
    checkRetryAfter(card, log),
  ].every(Boolean)
}

/** Timers may be a millisecond early. */
const timerMs = 2

/** No request may come earlier than the previous answer to the same text allows. */
export function checkRetryAfter(card: PartRun['card'], log: readonly Asked[]): boolean {
  return log.slice(1).every((asked, index) => {
    const { notBefore } = log[index] ?? asked
    if (notBefore === undefined) return true
    return card.check(
      'every Retry-After is respected',
      asked.at >= notBefore - timerMs,
      `${asked.text}: attempt ${asked.attempt} came ${Math.round(notBefore - asked.at)} ms too early`,
    )
  })
}
