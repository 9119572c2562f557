import type { Resolved } from '../agents/resolve.ts'
import { type Connectors, findConnectors } from '../app/connectors.ts'
import { findToolServers, type ToolServers } from '../app/mcps.ts'
import { openNetwork } from '../app/network.ts'
import { noHelpers } from '../assertions/helpers.ts'
import type { CaseSource } from '../cases/entry.ts'
import { noSpeakers, type Simulators } from '../cases/speakers.ts'
import { defined } from '../defined.ts'
import { parseDuration } from '../duration.ts'
import { ConfigError } from '../errors.ts'
import { type DetectedInput, detectInput } from '../inputs/detect.ts'
import { folderOf, openInputs } from '../inputs/open.ts'
import type { Network } from '../network/network.ts'
import { openProject, type Project } from '../project/project.ts'
import { readContextFile } from '../schedule/context-file.ts'
import { startDeadline } from '../scope/deadline.ts'
import type { ScriptHost } from '../scripts/script-host.ts'
import type { GivenFlags } from './flags.ts'
import { createHelpers } from './helpers.ts'
import { type Outputs, planOutputs } from './outputs.ts'
import { type Interview, personAtTerminal } from './person.ts'
import { type Settings, settingsOf } from './settings.ts'
import { createSimulators, type RunSimulators } from './simulators.ts'
import { anyAgent, limitsOf, resolveVariants } from './variants.ts'

/** Code that takes longer to load waits for something that will not come. */
const loadTimeoutMs = 30_000

interface Listing {
  outputs?: undefined
  source: CaseSource
  /** What an estimate is made with; a list needs none. */
  estimated?: Pick<Prepared, 'variants' | 'connectors'>
}

interface Prepared {
  outputs: Outputs
  source: CaseSource
  /** The agents under test, by variant. */
  variants: ReadonlyMap<string, Resolved>
  network: Network
  connectors: Connectors
  toolServers: ToolServers
  simulators: RunSimulators
  /** Who is asked for answers, if anybody is. */
  person: Interview | undefined
  identity: { file: ReturnType<typeof readContextFile> } & Settings['identity']
}

interface Around {
  project: Project
  settings: Settings
  inputs: DetectedInput[]
  /** Lets go of all that was opened for the run, or during it. */
  close(): Promise<void>
}

/** All that can be wrong before a case is read is found here; `--list` and `--dry-run` need no more. */
export async function prepare(
  given: GivenFlags,
  scripts: ScriptHost,
  signal: AbortSignal,
): Promise<Around & (Listing | Prepared)> {
  const cwd = process.cwd()
  const inputs = namedInputs(given, cwd)
  const limitMs = typeof given.timeout === 'string' ? parseDuration(given.timeout) : undefined
  const timeoutMs = Math.min(loadTimeoutMs, limitMs ?? loadTimeoutMs)
  const loading = startDeadline(timeoutMs, signal)
  try {
    const project = await openProject(folderOf(inputs, cwd), cwd, scripts, loading.signal)
    const settings = settingsOf(given, project.config)
    const around = { project, settings, inputs }
    if (settings.list) {
      const where = { project, loading: { scripts, timeoutMs } }
      const any = { limits: anyAgent, helpers: noHelpers, speakers: noSpeakers }
      const source = openInputs(inputs, { ...where, ...any })
      return { ...around, source, close: async () => source.close?.() }
    }

    const network = openNetwork(project, settings.parallel)
    const connectors = findConnectors(project, scripts, network)
    const toolServers = findToolServers(project, network)
    const sources = {
      project,
      connectors,
      toolServers,
      scripts,
      loading: loading.signal,
      network,
    }
    const simulators = createSimulators(sources, timeoutMs)
    const person = settings.skipInteractive ? undefined : personAtTerminal()
    const { simulator, interactive } = settings
    refuseUnknownSimulator(simulator, simulators)
    const variants = await resolveVariants(settings, sources)
    const [first] = variants.values()
    const source = openInputs(inputs, {
      project,
      loading: { scripts, timeoutMs },
      limits: limitsOf([...variants.values()], connectors),
      helpers: createHelpers(connectors, toolServers, [...variants.values()]),
      speakers: { simulators, interactive, ...defined({ simulator, person }) },
      ...defined({ onMissingInput: settings.onMissingInput, agentFolder: first?.folder }),
    })
    const identity = { file: settings.ctx ? readContextFile(settings.ctx) : {}, ...settings.identity }
    const outputs = planOutputs(
      settings,
      source.file,
      project,
      inputs.flatMap((input) => (input.kind === 'cases' ? [input.path] : [])),
    )
    const close = async () => {
      await source.close?.()
      await toolServers.close()
      await network.close()
    }
    if (settings.dryRun) return { ...around, source, close, estimated: { variants, connectors } }
    const run = { network, variants, connectors, toolServers, simulators, person, outputs, identity }
    return { ...around, source, close, ...run }
  } finally {
    loading.release()
  }
}

/** Told once, not for every case that would be played with it. */
function refuseUnknownSimulator(simulator: string | undefined, simulators: Simulators): void {
  const problem = simulator === undefined ? undefined : simulators.problem(simulator, undefined)
  if (problem !== undefined) throw new ConfigError({ code: 'bad_flag', message: `--simulator: ${problem}` })
}

function namedInputs(given: GivenFlags, cwd: string): DetectedInput[] {
  const inputs = [given.input ?? []].flat().map(String)
  if (inputs.length > 0) return inputs.map((input) => detectInput(input, cwd))
  if (given.interactive === true) return [{ kind: 'person', shown: 'you' }]
  throw new ConfigError({
    code: 'no_input',
    message: 'nothing to test: give a case file, a folder or a message with -i',
    hint: 'viva test --help',
  })
}
