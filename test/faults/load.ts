import { join } from 'node:path'
import { ended, startViva } from '../support/command.ts'
import { type Line, results } from '../support/lines.ts'
import { checkRetryAfter } from './answers.ts'
import { drawFault } from './fault.ts'
import type { Part, PartRun } from './part.ts'
import type { Asked } from './server.ts'
import { withFolder } from './workspace.ts'

const parallel = 64
const retries = 3
/** Longer than any case can be asked to wait. */
const timeout = '5s'

export const load: Part = {
  about: `cases at --parallel ${parallel}: 10 % are rejected with 429, 5 % reset, 2 % never answered`,
  counts: { cases: { short: 150, long: 10_000 } },
  async run(run) {
    const { seed, count, server, card, progress } = run
    const texts = Array.from({ length: count('cases') }, (_, index) => `c${index} fault:mix=${seed}`)
    const cases = texts.map((text, index) =>
      JSON.stringify({ id: `c${index}`, input: text, assert: { type: 'equals', value: text } }),
    )
    const files = {
      'cases.jsonl': cases.join('\n'),
      'viva.config.json': JSON.stringify({ network: { backoff: '20ms', retries } }),
    }
    await withFolder(files, async (cwd) => {
      const args = ['test', '-i', 'cases.jsonl', '-n', `openai:${server.url}#m`, '-o', 'x.jsonl']
      const child = startViva([...args, '--parallel', String(parallel), '--timeout', timeout], { cwd })
      const ticker = setInterval(() => progress(`${server.log.length} requests`), 2000)
      const started = performance.now()
      const { exitCode, stderr } = await ended(child)
      clearInterval(ticker)
      card.figure('seconds', Math.round((performance.now() - started) / 1000))
      card.figure('requests', server.log.length)
      const lines = results(join(cwd, 'x.jsonl'))
      card.check(
        'a run with faults ends with code 1 or 3',
        exitCode === 1 || exitCode === 3,
        `exit ${exitCode}: ${stderr}`,
      )
      card.check('every case has one line', lines.length === texts.length, `${lines.length} lines in ${cwd}`)
      checkLines(run, texts, lines)
      for (const log of requestsByText(server.log).values()) checkRetryAfter(card, log)
      return !card.isBroken
    })
  },
}

function checkLines({ card, seed, server }: PartRun, texts: readonly string[], lines: readonly Line[]): void {
  const byId = new Map(lines.map((line) => [line.id, line]))
  const asked = requestsByText(server.log)
  for (const [index, text] of texts.entries()) {
    const line = byId.get(`c${index}`)
    const { outcome, requests } = predict(String(seed), text)
    const got = line?.status === 'passed' ? 'passed' : `${line?.status} ${line?.error_kind} ${line?.fault}`
    card.check(
      'every status is as the seed predicts',
      got === outcome,
      `${text}: ${got}, not ${outcome}: ${line?.error}`,
    )
    const came = asked.get(text)?.length ?? 0
    card.check(
      'every case makes as many requests as the seed predicts',
      came === requests,
      `${text}: ${came}, not ${requests}`,
    )
  }
}

function requestsByText(log: readonly Asked[]): Map<string, Asked[]> {
  const byText = new Map<string, Asked[]>()
  for (const asked of log) byText.set(asked.text, [...(byText.get(asked.text) ?? []), asked])
  return byText
}

/** The expected result of a case, from the faults that the server will draw for its attempts. */
function predict(seed: string, text: string): { outcome: string; requests: number } {
  for (let attempt = 1; ; attempt += 1) {
    const fault = drawFault(seed, text, attempt)
    const isLast = attempt > retries
    if (fault.has('stall')) return { outcome: 'failed timeout agent', requests: attempt }
    if (fault.size === 0) return { outcome: 'passed', requests: attempt }
    if (!isLast) continue
    const kind = fault.has('status')
      ? 'rate_limit'
      : fault.get('reset') === 'before'
        ? 'connection'
        : 'truncated'
    return { outcome: `failed ${kind} infrastructure`, requests: attempt }
  }
}
