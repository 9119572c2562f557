import type { Agent } from '../agents/agent.ts'
import { resolveAgent } from '../agents/resolve.ts'
import { type Connectors, findConnectors } from '../app/connectors.ts'
import { collect } from '../cases/collect.ts'
import type { CaseDefaults } from '../cases/compile.ts'
import { select } from '../cases/select.ts'
import type { AgentLimits } from '../cases/validate.ts'
import { defined } from '../defined.ts'
import { ConfigError, InterruptedError } from '../errors.ts'
import { type DetectedInput, detectInput } from '../inputs/detect.ts'
import { folderOf, openInputs } from '../inputs/open.ts'
import { openProject, type Project } from '../project/project.ts'
import { type RunOptions, type RunOutcome, run } from '../run.ts'
import { readContextFile } from '../schedule/context-file.ts'
import { createRedact } from '../scope/redact.ts'
import { createScriptHost, type ScriptHost } from '../scripts/script-host.ts'
import { createServices, type Services } from '../services/services.ts'
import { checkFlags } from './check-flags.ts'
import type { GivenFlags } from './flags.ts'
import { planOutputs, shownPath } from './outputs.ts'
import { finishedResults } from './resume.ts'
import { type Settings, settingsOf } from './settings.ts'
import { listenForSignals } from './signals.ts'
import { openTerminal, type Terminal } from './terminal.ts'

/** `viva test`: from the flags to an exit code. */
export async function testCommand(given: GivenFlags): Promise<number> {
  checkFlags(given)
  const scripts = createScriptHost({ permits: Math.max(16, Number(given.parallel ?? 1)) })
  const signals = listenForSignals()
  try {
    const exitCode = await test(given, scripts, signals.signal)
    return signals.exitCode() ?? exitCode
  } catch (error) {
    const interrupted = error instanceof InterruptedError ? signals.exitCode() : undefined
    if (interrupted === undefined) throw error
    return interrupted
  } finally {
    signals.stop()
    await scripts.close()
  }
}

async function test(given: GivenFlags, scripts: ScriptHost, signal: AbortSignal): Promise<number> {
  const cwd = process.cwd()
  const inputs = namedInputs(given, cwd)
  const project = await openProject(folderOf(inputs, cwd), cwd, scripts)
  const settings = settingsOf(given, project.config)
  if (settings.list) return listCases(inputs, project, settings)

  const connectors = findConnectors(project, scripts, settings.parallel)
  const resolved = await resolveAgent(settings.name, {
    project,
    connectors,
    scripts,
    parallel: settings.parallel,
    ...defined({ connectorFlag: settings.connector }),
  })
  const { agent, connector } = resolved
  const source = openInputs(inputs, project, limitsOf(agent, connectors), caseDefaults(settings))
  const redact = () =>
    createRedact([...resolved.secrets, ...connectors.secrets(), ...configuredSecrets(project)])
  const services = createServices(project, (text) => redact()(text))
  if (settings.dryRun) return dryRun(source, settings)

  const outputs = planOutputs(settings, source.file, project)
  const terminal = openTerminal(given, settings, inputs, outputs.stdoutTaken)
  const options: RunOptions = {
    source,
    selection: settings.selection,
    stage: {
      agent,
      identity: { file: settings.ctx ? readContextFile(settings.ctx) : {}, ...settings.identity },
      timeoutMs: settings.timeoutMs,
      retry: settings.retry,
      beforeCase: services.beforeCase,
    },
    variant: connector === undefined ? agent.id : `${agent.id}@${connector}`,
    ...defined({ connector }),
    parallel: settings.parallel,
    failFast: settings.failFast,
    finished: settings.resume ? await finishedResults(settings.resume) : new Map(),
    prepare: () => services.start(signal),
    openJournal: outputs.openJournal,
    reporters: (opened) => [...terminal.reporters, ...outputs.reporters(opened)],
    redact,
    signal,
  }
  return close(await runWithServices(services, options, terminal), terminal, project, outputs.files)
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
    for (const trouble of await services.troubles(outcome.summary.worldFailures > 0))
      print(pen.line`${pen.red('✗')} ${trouble}`)
    return outcome
  } finally {
    await services.stop()
  }
}

function namedInputs(given: GivenFlags, cwd: string): DetectedInput[] {
  const inputs = [given.input ?? []].flat().map(String)
  if (inputs.length > 0) return inputs.map((input) => detectInput(input, cwd))
  throw new ConfigError({
    code: 'no_input',
    message: 'nothing to test: give a case file, a folder or a message with -i',
    hint: 'viva test --help',
  })
}

/** Needs no agent: what is in a file can be looked at anywhere. */
async function listCases(inputs: DetectedInput[], project: Project, settings: Settings): Promise<number> {
  const limits: AgentLimits = {
    agentId: '',
    anyInput: true,
    history: 'given',
    connectorProblem: () => undefined,
  }
  const entries = select(await collect(openInputs(inputs, project, limits, {})), settings.selection)
  const { print, pen } = openTerminal({}, settings, inputs, false)
  for (const entry of entries) {
    const tags = entry.tags.length === 0 ? '' : ` [${entry.tags.join(', ')}]`
    print(pen.line`${entry.id}${entry.name === undefined ? '' : ` - ${entry.name}`}${tags}`)
  }
  return 0
}

async function dryRun(source: RunOptions['source'], settings: Settings): Promise<number> {
  const entries = select(await collect(source), settings.selection)
  const { print, pen } = openTerminal({}, settings, [], false)
  print(
    pen.line`${pen.green('✓')} ${entries.length === 1 ? '1 case is' : `${entries.length} cases are`} valid; no agent was called`,
  )
  return 0
}

function caseDefaults(settings: Settings): CaseDefaults {
  return defined({ onMissingInput: settings.onMissingInput })
}

function limitsOf(agent: Agent, connectors: Connectors): AgentLimits {
  return {
    agentId: agent.id,
    anyInput: agent.input === 'any',
    history: agent.history,
    connectorProblem: (id) => connectors.problem(id),
  }
}

/** Values of the variables that the config lists. */
function configuredSecrets({ config }: Project): string[] {
  return (config.secrets ?? []).flatMap((name) => process.env[name] ?? [])
}

/** Says where things are, and what could not be written. */
function close(outcome: RunOutcome, { print, pen }: Terminal, project: Project, files: string[]): number {
  for (const path of new Set([outcome.journalPath, ...files])) {
    if (!outcome.broken.some(({ name }) => name === path))
      print(pen.dim(`  Results: ${shownPath(project, path)}`))
  }
  for (const { name, message } of outcome.broken)
    print(pen.line`${pen.red('✗')} ${name} could not be written: ${message}`)
  return outcome.broken.length > 0 && outcome.exitCode !== 1 ? 3 : outcome.exitCode
}
