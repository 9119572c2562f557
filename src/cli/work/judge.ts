import { setMaxListeners } from 'node:events'
import { relative, resolve } from 'node:path'
import {
  type Judged,
  type JudgeReport,
  judgeLabel,
  judgeReport,
} from '../../analysis/judge-check/check-judge.ts'
import { readLabels } from '../../analysis/judge-check/labels.ts'
import { ConfigError } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import type { Redactor } from '../../privacy/redact.ts'
import { createPen, type Inked, wantsColour } from '../../reporters/pen.ts'
import { oneLine } from '../../reporters/printable.ts'
import { usageText } from '../../reporters/usage-text.ts'
import { addUsage, type Usage } from '../../results/usage.ts'
import { usageToLine } from '../../results/usage-line.ts'
import { fixedLimit } from '../../run/queue/concurrency-limit.ts'
import { listQueue, runQueue } from '../../run/queue/run-queue.ts'
import { outsideCases } from '../../setup/outside-cases.ts'
import type { OpenedBy } from '../../setup/phase.ts'
import { appSetup } from '../../setup/phase-lists.ts'
import type { Shell } from '../../system/shell.ts'
import { agentName } from '../../text/agent-name.ts'
import { printWarning } from '../print-error.ts'
import { untilInterrupted } from '../signals.ts'

export interface JudgeFlags {
  criteria?: string
  use?: string
  connector?: string
  samples?: string
  parallel?: string
  minKappa?: string
  threshold?: string
  json?: boolean
}

const labelTimeoutMs = 300_000

/** `viva judge check labels.jsonl`: how far a judge agrees with people. */
export function judgeCommand(path: string, given: JudgeFlags, shell: Shell): Promise<number> {
  const wanted = readFlags(given)
  return untilInterrupted(shell, (signal) => {
    const warn = (text: string) => printWarning(shell, text)
    return appSetup.use(
      { signal, shell, warn, settings: wanted, named: [], inputs: [], variants: new Map() },
      async (opened) => {
        const { report, used } = await checkJudge(path, given, wanted, opened)
        const redact = opened.secrets.redact()
        const { cost } = used.unpricedCalls === undefined ? used : {}
        const figures = { ...report, usage: usageToLine({ judge: used }), ...defined({ cost }) }
        if (given.json) shell.stdout.write(`${JSON.stringify(redact(figures), null, 2)}\n`)
        else print(report, used, wanted, redact, shell)
        return judgeExitCode(report, wanted.minKappa)
      },
    )
  })
}

interface Wanted {
  use: string
  samples: number
  parallel: number
  minKappa: number | undefined
  threshold: number | undefined
}

async function checkJudge(
  path: string,
  given: JudgeFlags,
  { use, samples, parallel, threshold }: Wanted,
  { shell: { cwd }, app, helpers, signal }: OpenedBy<typeof appSetup>,
): Promise<{ report: JudgeReport; used: Usage }> {
  // As many listen to it as there are labels.
  setMaxListeners(0, signal)
  const file = resolve(cwd, path)
  const labels = await readLabels(file, relative(cwd, file), given.criteria)
  const { problem, agent } = helpers.agents.validatorsIn(cwd)
  const connector = given.connector === undefined ? undefined : app.sources.connectors.named(given.connector)
  const wrong = problem(use, connector)
  if (wrong !== undefined) throw new ConfigError({ code: 'bad_judge', message: wrong })
  await helpers.agents.load([use], signal)
  const judge = await agent(use)
  const judged: Judged[] = []
  let used: Usage = { calls: 0, retries: 0 }
  const spend = (usage: Usage) => {
    used = addUsage(used, usage)
  }
  const options = { samples, ...defined({ connector, threshold }) }
  const stop = new AbortController()
  signal.addEventListener('abort', () => stop.abort(signal.reason), { once: true })
  await runQueue(listQueue(labels), fixedLimit(parallel), stop, async (label) => {
    const outside = { identity: { file: {} }, agentId: '', timeoutMs: labelTimeoutMs, signal, spend }
    judged.push(
      await outsideCases({ id: label.id, ...outside }, (scope) => judgeLabel(judge, label, options, scope)),
    )
  })
  signal.throwIfAborted()
  return { report: judgeReport(judged.sort((left, right) => left.label.line - right.label.line)), used }
}

/** 1: it agrees too little, or cannot be told from chance. 3: it could not judge all of them. */
function judgeExitCode({ count, kappa, errors }: JudgeReport, minKappa: number | undefined): number {
  const isTooLow = count > 0 && minKappa !== undefined && (kappa === undefined || kappa.value < minKappa)
  if (isTooLow) return 1
  return errors.length > 0 ? 3 : 0
}

const mostShown = 10

function print(
  report: JudgeReport,
  used: Usage,
  { use, minKappa }: Wanted,
  hide: Redactor,
  { stdout, env }: Shell,
): void {
  const pen = createPen(wantsColour(stdout, env))
  const line = (inked: Inked) => stdout.write(`${inked.text}\n`)
  const { count, accuracy, kappa, confusion, disagreements, errors } = report
  const figure = (value: number) => value.toFixed(2)
  line(pen.line`${use} against ${count} labels`)
  line(pen.line`  accuracy       ${accuracy === undefined ? 'nothing was judged' : figure(accuracy)}`)
  line(
    kappa === undefined
      ? pen.line`  Cohen's kappa  not known: it takes labels and verdicts of both kinds`
      : pen.line`  Cohen's kappa  ${figure(kappa.value)} (95%: ${figure(kappa.low)} to ${figure(kappa.high)})`,
  )
  line(pen.line`  cost           ${usageText(used)}`)
  line(pen.line``)
  line(pen.line`  label    judge: pass   fail   unknown`)
  for (const label of ['pass', 'fail'] as const) {
    const { pass, fail, unknown } = confusion[label]
    line(
      pen.line`  ${label}     ${String(pass).padStart(11)}${String(fail).padStart(7)}${String(unknown).padStart(10)}`,
    )
  }
  if (disagreements.length > 0) line(pen.line`\n  ${pen.bold('It disagrees with')}`)
  for (const { id, label, judge, score, reason } of disagreements.slice(0, mostShown)) {
    const scored = score === undefined ? '' : ` (${figure(score)})`
    line(
      pen.line`  ${pen.red('✗')} ${hide(id)}: labelled ${label}, judged ${judge}${scored}: ${oneLine(hide(reason), 160)}`,
    )
  }
  if (disagreements.length > mostShown)
    line(pen.line`    and ${disagreements.length - mostShown} more (--json)`)
  for (const { id, error } of errors)
    line(pen.line`  ${pen.yellow('⚠')} ${hide(id)}: not judged: ${oneLine(hide(error), 200)}`)
  if (judgeExitCode(report, minKappa) === 1)
    line(
      pen.line`\n${pen.red('✗')} kappa is ${kappa === undefined ? 'not known' : 'below'} ${kappa === undefined ? '' : (minKappa ?? '')}`,
    )
}

function readFlags({
  use = 'viva.judge',
  samples = '1',
  parallel = '4',
  minKappa,
  threshold,
}: JudgeFlags): Wanted {
  const number = (name: string, value: string, least: number, most: number, whole: boolean) => {
    const read = Number(value)
    if (value.trim() !== '' && read >= least && read <= most && (!whole || Number.isInteger(read)))
      return read
    const kind = whole ? 'a whole number' : 'a number'
    throw new ConfigError({
      code: 'bad_flag',
      message: `--${name} ${value}: must be ${kind} from ${least} to ${most}`,
    })
  }
  return {
    use: agentName(use),
    samples: number('samples', samples, 1, 15, true),
    parallel: number('parallel', parallel, 1, 1000, true),
    minKappa: minKappa === undefined ? undefined : number('min-kappa', minKappa, -1, 1, false),
    threshold: threshold === undefined ? undefined : number('threshold', threshold, 0, 1, false),
  }
}
