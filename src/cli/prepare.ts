import { resolve as resolvePath } from 'node:path'
import type { Resolved } from '../agents/resolved.ts'
import type { CaseSource } from '../cases/entry.ts'
import { type DetectedInput, detectInput, isSuiteFile } from '../cases/sources/detect.ts'
import { caseFilesIn } from '../cases/sources/folder.ts'
import { expandGlob } from '../cases/sources/glob.ts'
import { folderOf, openInputs } from '../cases/sources/open.ts'
import { noSpeakers, type Simulators } from '../cases/speakers.ts'
import { noHelpers } from '../checks/helpers.ts'
import { ConfigError } from '../errors.ts'
import { defined } from '../json/defined.ts'
import { createRedact } from '../privacy/secrets.ts'
import type { Connectors } from '../project/app/connectors.ts'
import { openProject, type Project } from '../project/project.ts'
import { oneLine } from '../reporters/printable.ts'
import { readContextFile } from '../run/context-file.ts'
import type { Identity } from '../run/identity.ts'
import type { Loading, ScriptHost } from '../scripts/runner/script-host.ts'
import { TestHost } from '../scripts/runner/test-host.ts'
import { secretsAround } from '../setup/secrets.ts'
import { type CaseScripts, createCaseScripts, type ScriptCalls } from './case-scripts.ts'
import type { GivenFlags } from './flags.ts'
import { createGenerate, notForLists, refuseResume } from './generate.ts'
import { createHelperAgents, type HelperAgents } from './helper-agents.ts'
import { createHelpers } from './helpers.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { type Outputs, planOutputs } from './outputs.ts'
import { type Account, createAccount } from './outside-cases.ts'
import { type Interview, personAtTerminal } from './person.ts'
import { createReporterAgents } from './reporter-agents.ts'
import { openSavedRun } from './saved-run.ts'
import { type Settings, settingsOf } from './settings.ts'
import { anyAgent, limitsOf, namesOfVariants, resolveVariants } from './variants.ts'
import { checkCasesTarget } from './write-cases.ts'

interface Listing {
  outputs?: undefined
  source: CaseSource
  /** Cases that were made for this run. */
  generated?: readonly unknown[]
  /** Whose last results `--last-failed` looks at; undefined for all that were ever tested. */
  variantNames?: readonly string[]
  /** What an estimate is made with; a list needs none. */
  estimated?: Pick<Prepared, 'variants' | 'connectors'>
}

export interface Prepared {
  outputs: Outputs
  source: CaseSource
  /** The agents under test, by variant; script tests have none. */
  variants: ReadonlyMap<string, Resolved>
  app: OpenApp
  connectors: Connectors
  simulators: HelperAgents
  caseScripts: CaseScripts
  /** For what the command line names. */
  scriptCalls: ScriptCalls
  testHosts: readonly TestHost[]
  account: Account
  /** Who is asked for answers, if anybody is. */
  person: Interview | undefined
  identity: Identity
}

interface Around {
  project: Project
  settings: Settings
  inputs: DetectedInput[]
  /** Lets go of all that was opened for the run, or during it. */
  close(): Promise<void>
}

/** What a command that plays cases for another reason than `viva test` prepares differently. */
export interface Preparing {
  /** Finds the agents under test. */
  resolve: typeof resolveVariants
  /** The folder in `.viva` for results that no `-o` asks for; without it they are beside the cases. */
  keptIn?: string
  /** Nobody is asked for answers, whatever the cases say. */
  withoutPerson?: boolean
}

/** All that can be wrong before a case is read is found here; `--list` and `--dry-run` need no more. */
export async function prepare(
  given: GivenFlags,
  scripts: ScriptHost,
  signal: AbortSignal,
  preparing: Preparing = { resolve: resolveVariants },
): Promise<Around & (Listing | Prepared)> {
  const cwd = process.cwd()
  const inputs = namedInputs(given, cwd)
  const project = await openProject(folderOf(inputs, cwd), cwd, scripts, signal)
  const around = { project, settings: settingsOf(given, project.config), inputs }
  const load = { scripts, signal }
  return around.settings.list ? listing(around, load) : preparedRun(around, load, preparing)
}

/** What the command line and the config name. */
type Named = Omit<Around, 'close'>

async function listing(around: Named, load: Loading): Promise<Around & Listing> {
  const { project, inputs, settings } = around
  const calls = createCaseScripts(project, undefined, load).in(project.cwd)
  const source = openInputs(inputs, {
    project,
    loading: load,
    limits: anyAgent,
    helpers: () => noHelpers,
    speakers: () => noSpeakers,
    testHost: (path) => new TestHost(path, load.scripts.surroundings, false),
    generate: createGenerate(calls, notForLists, {
      identity: { file: {} },
      target: undefined,
      timeoutMs: settings.timeoutMs,
      agentProblem: () => undefined,
      hide: (text) => text,
      note: () => {},
    }),
  })
  const isAboutAgents = settings.lastFailed && !inputs.every(bringsItsAgent)
  const variantNames = isAboutAgents ? await namesOfVariants(settings, project, load) : undefined
  return { ...around, source, close: async () => source.close?.(), ...defined({ variantNames }) }
}

async function preparedRun(
  around: Named,
  load: Loading,
  { resolve, keptIn, withoutPerson = false }: Preparing,
): Promise<Around & (Listing | Prepared)> {
  const { project, settings, inputs } = around
  const { signal } = load
  const app = openApp(project, load, settings.parallel)
  const { sources, agentPool } = app
  const { connectors, toolServers } = sources
  const variants = inputs.every(bringsItsAgent) ? withoutAgent(settings) : await resolve(settings, sources)

  const [first] = variants.values()
  const caseScripts = createCaseScripts(project, first?.folder, load)
  const scriptCalls = caseScripts.in(folderOf(inputs, project.cwd))
  const { simulator, interactive, timeoutMs } = settings
  const simulators = createHelperAgents(sources, agentPool, caseScripts, simulator)
  const person = settings.skipInteractive || withoutPerson ? undefined : personAtTerminal()
  refuseUnknownSimulator(simulator, simulators.in(folderOf(inputs, project.cwd)))
  const identity = {
    file: settings.ctx ? readContextFile(settings.ctx, contextFolders(project, first)) : {},
    ...settings.identity,
  }
  const hide = hideFor(app, project)
  const isGenerated = inputs.some(({ kind }) => kind === 'generator')
  if (settings.dryRun && isGenerated) checkCasesTarget(settings.outputs, project.cwd)
  if (settings.resume) refuseResume(inputs)
  // Told before the run, not after an hour of it.
  if (settings.baseline !== undefined) await openSavedRun(settings.baseline, {})
  const account = createAccount()
  const aroundCases = { identity, timeoutMs, signal, hide, account }
  const testHosts: TestHost[] = []
  const generated: unknown[] = []
  const source = openInputs(inputs, {
    project,
    loading: load,
    limits: limitsOf([...variants.values()], connectors),
    helpers: (folder) =>
      createHelpers(
        connectors,
        toolServers,
        [...variants.values()],
        caseScripts.in(folder),
        simulators.validatorsIn(folder),
      ),
    speakers: (folder) => ({
      simulators: simulators.in(folder),
      interactive,
      ...defined({ simulator, person }),
    }),
    testHost(path) {
      const host = new TestHost(path, load.scripts.surroundings, settings.coverage)
      testHosts.push(host)
      return host
    },
    generate: createGenerate(scriptCalls, simulators.generators, {
      ...aroundCases,
      target: first,
      agentProblem: agentPool.named.problem,
      note: (line) => process.stderr.write(`${oneLine(hide(line), 300)}\n`),
      keep: (cases) => generated.push(...cases),
      ...defined({ simulator }),
    }),
    ...defined({ onMissingInput: settings.onMissingInput, agentFolder: first?.folder }),
  })
  const outputs = planOutputs(
    settings,
    source.file,
    project,
    [
      ...inputs.flatMap((input) => ('path' in input && input.kind !== 'folder' ? [input.path] : [])),
      ...(settings.baseline === undefined ? [] : [resolvePath(settings.baseline)]),
    ],
    createReporterAgents(simulators, { ...aroundCases, verbose: settings.verbose }),
    keptIn,
  )
  const close = async () => {
    outputs.release()
    await source.close?.()
    await app.close()
  }
  if (settings.dryRun) return { ...around, source, close, generated, estimated: { variants, connectors } }
  const made = { app, variants, connectors, simulators, caseScripts, scriptCalls }
  return { ...around, ...made, source, close, testHosts, account, person, outputs, identity }
}

/** A folder of suites is one that needs no other agent. */
function bringsItsAgent(input: DetectedInput): boolean {
  if (input.kind !== 'folder') return input.kind === 'tests' || input.kind === 'suite'
  const files = caseFilesIn(input.path)
  return files.length > 0 && files.every(isSuiteFile)
}

/** Script tests call what they test themselves, suites bring their agent along: a flag that would change nothing must not be taken in silence. */
function withoutAgent({ names, connectors }: Settings): Map<string, Resolved> {
  const given = [['-n', names] as const, ['-c', connectors] as const].find(
    ([, [value]]) => value !== undefined,
  )
  if (given === undefined) return new Map()
  const message = `${given[0]} ${given[1][0]}: script tests and suites have no agent but their own`
  throw new ConfigError({ code: 'bad_flag', message })
}

/** A file beside the agent's tests may be named from its folder, or from the app's. */
function contextFolders({ packageFolder, appRoot }: Project, agent: Resolved | undefined): string[] {
  return [agent?.folder, packageFolder, appRoot].filter((folder) => folder !== undefined)
}

/** By what is known of secrets when it is used. */
function hideFor(app: OpenApp, project: Project): (text: string) => string {
  return (text) => createRedact([...secretsAround(project), ...app.secrets()])(text)
}

/** Told once, not for every case that would be played with it. */
function refuseUnknownSimulator(simulator: string | undefined, simulators: Simulators): void {
  const problem = simulator === undefined ? undefined : simulators.problem(simulator, undefined)
  if (problem !== undefined) throw new ConfigError({ code: 'bad_flag', message: `--simulator: ${problem}` })
}

function namedInputs(given: GivenFlags, cwd: string): DetectedInput[] {
  const inputs = [given.input ?? []].flat().map(String)
  const named = inputs.flatMap((input) => expandGlob(input, cwd) ?? [input])
  if (named.length > 0) return named.map((input) => detectInput(input, cwd))
  if (given.interactive === true) return [{ kind: 'person', shown: 'you' }]
  throw new ConfigError({
    code: 'no_input',
    message: 'nothing to test: give a case file, a folder or a message with -i',
    hint: 'viva test --help',
  })
}
