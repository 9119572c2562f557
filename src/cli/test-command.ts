import type { Agent } from '../agents/agent.ts'
import { createHistoryRecorder } from '../analysis/history/record.ts'
import type { CaseSource } from '../cases/entry.ts'
import type { Selection } from '../cases/select.ts'
import type { DetectedInput } from '../cases/sources/detect.ts'
import { createAwaitingDetector } from '../conversation/awaiting/awaiting.ts'
import { formatProblem } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { createRedact, growingRedact } from '../privacy/secrets.ts'
import { oneLine } from '../reporters/printable.ts'
import type { Reporter } from '../reporters/reporter.ts'
import { type RunOptions, type RunOutcome, run } from '../run/run.ts'
import { untilAborted } from '../scope/deadline.ts'
import { createScriptHost, type ScriptHost } from '../scripts/runner/script-host.ts'
import { knownProcesses } from '../setup/requests/known-process.ts'
import { secretsAround, unsetSecrets } from '../setup/secrets.ts'
import { createServices, type Services } from '../setup/services/services.ts'
import { createAroundRun } from './around-run.ts'
import { createBaseline } from './baseline.ts'
import { checkFlags } from './check-flags.ts'
import { close } from './closing.ts'
import { concealFor, concealLine, isPrivate } from './conceal.ts'
import { reportCoverage } from './coverage.ts'
import type { GivenFlags } from './flags.ts'
import { recordingOf, withHistory } from './history-flags.ts'
import { listCases } from './list-cases.ts'
import { isBuiltInReport } from './outputs.ts'
import { type Prepared, type Preparing, prepare } from './prepare.ts'
import { printWarning } from './print-error.ts'
import { testCommandOf } from './rerun.ts'
import { readResumed } from './resume.ts'
import type { Settings } from './settings.ts'
import { listenForSignals } from './signals.ts'
import { refuseUnknownStubs } from './stubs.ts'
import { openTerminal, type Terminal } from './terminal.ts'
import { writeCases } from './write-cases.ts'

/** What a command does differently that plays cases for another reason. */
export interface Variation extends Preparing {
  /** As the command line has it. */
  command: string
  /** Whom to play instead of the agents under test, and which of the cases. */
  stage(
    prepared: Pick<Prepared, 'variants' | 'source'> & { inputs: readonly DetectedInput[] },
    settings: Settings,
  ): Promise<Staged>
  /** Who tells about it; `others` are those that write files and speak to workflows. */
  reporters(terminal: Terminal, settings: Settings, others: readonly Reporter[]): readonly Reporter[]
  exitCode(): number
}

interface Staged extends Pick<RunOptions, 'order'> {
  agents: ReadonlyMap<string, Agent>
  source: CaseSource
  selection: Selection
}

/** `viva test`: from the flags to an exit code. */
export async function testCommand(given: GivenFlags, variation?: Variation): Promise<number> {
  checkFlags(given)
  const scripts = createScriptHost()
  const signals = listenForSignals()
  try {
    const exitCode = await test(given, scripts, signals.signal, variation)
    return signals.exitCode() ?? exitCode
  } catch (error) {
    const interrupted = signals.exitCode()
    if (interrupted === undefined) throw error
    return interrupted
  } finally {
    signals.stop()
    await scripts.close()
  }
}

async function test(
  given: GivenFlags,
  scripts: ScriptHost,
  signal: AbortSignal,
  variation: Variation | undefined,
): Promise<number> {
  const prepared = await untilAborted(prepare(given, scripts, signal, variation), signal)
  return testPrepared(given, prepared, signal, variation).finally(prepared.close)
}

async function testPrepared(
  given: GivenFlags,
  { project, settings, inputs, ...prepared }: Awaited<ReturnType<typeof prepare>>,
  signal: AbortSignal,
  variation: Variation | undefined,
): Promise<number> {
  const secrets = secretsAround(project)
  const hide = createRedact(secrets)
  for (const name of unsetSecrets(project))
    process.stderr.write(`⚠ secret ${oneLine(name)} of the config is not set: nothing is hidden for it\n`)
  const terminal = openTerminal(given, settings, inputs, {
    project,
    stdoutTaken: prepared.outputs?.stdoutTaken ?? false,
    person: prepared.outputs && prepared.person,
    hide,
  })
  if (prepared.outputs === undefined) {
    const { source, estimated, generated = [] } = prepared
    const variants = estimated?.variants.keys() ?? prepared.variantNames
    const known = { variants, redact: () => hide, print: () => {} }
    const { selection } = await withHistory(settings, project, known)
    await untilAborted(
      listCases(source, selection, estimated, () => generated.length > 0, terminal),
      signal,
    )
    const [output] = settings.outputs
    if (output !== undefined && generated.length > 0) {
      writeCases(output, generated, project.cwd, hide)
      terminal.print(terminal.pen.dim(`  Cases: ${output}`))
    }
    return 0
  }
  const { app, variants, outputs, identity, person } = prepared
  const { network } = app.sources
  const { simulators, caseScripts, scriptCalls, testHosts } = prepared
  const all = [...variants.values()]
  // The rest is in `viva agents --check`.
  for (const problem of all.flatMap(({ warnings = [] }) => warnings).filter(({ hint }) => hint !== undefined))
    process.stderr.write(`⚠ ${oneLine(hide(formatProblem(problem)))}\n`)
  const connector = all.flatMap((resolved) => resolved.connector ?? []).join(', ') || undefined
  // Scripts may be the first to ask for an agent or a connector, so the list may grow while a run goes on.
  const redact = growingRedact(() => [
    ...all.flatMap((resolved) => resolved.secrets),
    ...services.secrets,
    ...app.secrets(),
    ...secrets,
  ])
  person?.hideWith((words) => redact()(words))
  const conceal = concealFor(settings)
  const services = createServices(project, network, (text) => redact()(text))
  const hideAll = (text: string) => concealLine(conceal, redact()(text))
  const aroundRun = createAroundRun(settings, identity, scriptCalls, (line) =>
    terminal.print(terminal.pen.dim(`  ${oneLine(hideAll(line))}`)),
  )
  aroundRun.check()
  if (settings.resume === undefined) outputs.lock()
  const resumed = settings.resume
    ? await readResumed(settings.resume, {
        variants: redact()([...variants.keys()]),
        lock: outputs.lock,
        warn: (text) => printWarning(redact()(text)),
      })
    : undefined
  const staged: Staged = (await variation?.stage({ ...prepared, inputs }, settings)) ?? {
    agents: new Map([...variants].map(([variant, resolved]) => [variant, resolved.agent])),
    source: prepared.source,
    ...(await withHistory(settings, project, {
      variants: variants.keys(),
      redact,
      ...defined({ finished: resumed?.finished }),
      print: (line) => terminal.print(terminal.pen.dim(line)),
    })),
  }
  const { agents, source, selection, order } = staged
  const baseline = createBaseline(settings, redact)
  const recorder = createHistoryRecorder(recordingOf(project, inputs, redact))
  const options: RunOptions = {
    source,
    selection,
    ...defined({ order }),
    stage: {
      agents,
      identity,
      timeoutMs: settings.timeoutMs,
      testTimeoutMs: settings.testTimeoutMs,
      requireChecks: settings.selection.requireChecks,
      retry: settings.retry,
      ...defined({ seed: settings.seed }),
      detectAwaiting: createAwaitingDetector(project.config.awaiting),
      beforeCase: services.beforeCase,
    },
    ...defined({ connector }),
    command: testCommandOf(given, variation?.command),
    parallel: app.sources.toolServers.oneAtATime()
      ? 1
      : Math.min(settings.parallel, ...all.flatMap(({ agent }) => agent.concurrency ?? [])),
    failFast: settings.failFast,
    retries: settings.retries,
    runs: settings.runs,
    budget: settings.budget,
    spentAroundCases: prepared.account.spent,
    ...defined({ gates: settings.gates }),
    maxInfrastructureErrors: settings.maxInfrastructureErrors,
    ...defined({ resumed, compare: baseline?.compare }),
    async prepare(entries) {
      outputs.check()
      await baseline?.check(entries)
      app.sources.toolServers.expect(entries.length * settings.runs * Math.max(1, agents.size))
      await services.start(signal)
      await refuseUnknownStubs(entries, all, knownProcesses(project), signal)
      const named = entries.flatMap(({ simulator, validators = [] }) =>
        [simulator ?? [], ...validators].flat(),
      )
      const reporters = settings.reporters.filter((name) => !isBuiltInReport(name))
      await simulators.load(
        [...named, ...reporters, ...(settings.simulator === undefined ? [] : [settings.simulator])],
        signal,
      )
      await caseScripts.load(signal)
      await aroundRun.before(entries, signal)
    },
    afterPlay: aroundRun.after,
    openStore: outputs.openJournal,
    reporters(opened) {
      const others = outputs.reporters(opened)
      return variation?.reporters(terminal, settings, others) ?? [...terminal.reporters, ...others, recorder]
    },
    redact,
    conceal,
    signal,
  }
  const played = await runWithServices(services, options, terminal).finally(recorder.write)
  baseline?.print(terminal)
  const outcome = { ...played, exitCode: variation?.exitCode() ?? played.exitCode }
  if (settings.coverage) reportCoverage(testHosts, project, terminal)
  for (const mask of conceal.unusedMasks()) printWarning(`--mask ${mask} found nothing`)
  for (const notice of app.sources.toolServers.notices()) printWarning(redact()(notice))
  const resumable =
    variation === undefined && !(isPrivate(settings) && inputs.some(({ kind }) => kind === 'message'))
  return close(outcome, terminal, project, outputs.files, {
    given,
    resumable,
    isRecorded: recorder.isRecorded(),
    hide: redact(),
    hideAll,
  })
}

/** Whatever happens, they are stopped at the end. */
async function runWithServices(
  services: Services,
  options: RunOptions,
  { print, pen }: Terminal,
): Promise<RunOutcome> {
  const parallel = services.oneAtATime ? 1 : options.parallel
  if (parallel < options.parallel)
    print(pen.dim('  Services are reset before each case: one case at a time, whatever --parallel says'))
  try {
    const outcome = await run({ ...options, parallel })
    for (const trouble of await services.troubles(outcome.summary.infrastructureErrors > 0))
      print(pen.line`${pen.red('✗')} ${trouble}`)
    return outcome
  } finally {
    await services.stop()
  }
}
