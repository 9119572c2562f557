import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import type { Agent } from '../agents/agent.ts'
import { createFindFile } from '../cases/attached-file.ts'
import { readFileDefaults, withFileDefaults } from '../cases/file-defaults.ts'
import { readCaseList } from '../cases/sources/returned-cases.ts'
import { type AgentLookup, noSpeakers } from '../cases/speakers.ts'
import { validateCase } from '../cases/validate.ts'
import { noCheckHelpers } from '../checks/check-helpers.ts'
import { ConfigError, errorMessage, InfrastructureError, InterruptedError } from '../errors.ts'
import { isRecord } from '../json/json.ts'
import type { Model } from '../models/model.ts'
import { untilAborted } from '../scope/deadline.ts'
import { createGenerate } from '../setup/helpers/generate.ts'
import type { OpenedBy } from '../setup/phase.ts'
import { appSetup } from '../setup/phase-lists.ts'
import { type Services, servicesPhase } from '../setup/phases/services.ts'
import { anyAgent } from '../setup/phases/variants.ts'
import { processShell } from '../system/shell.ts'
import { agentName } from '../text/agent-name.ts'
import { checkOptions, fields, lazySchema } from './options.ts'
import { keepSecretSource } from './secrets.ts'

/** The options of `openProject`. */
export interface ProjectOptions {
  /** Where the project is looked for: this folder, then those above it. Default: the working folder. */
  folder?: string | undefined
  /** Is called with what should be known, though it stops nothing. Default: `console.warn`. */
  warn?: ((text: string) => void) | undefined
}

/** A case that a generator has written, in the form of case files. */
export interface GeneratedCase {
  id: string
  input: unknown
  [field: string]: unknown
}

/** An open project: the connectors, helper agents, generators and services of its `viva.config` or app folder. */
export interface EvalProject {
  /** A connector, as the provider of judges, simulated users and conditions. */
  provider(connector: string): Model
  /** An agent or a script (`scripts:tests.judge`) of the project, or `viva.judge`, as the provider of `createJudge`. */
  judge(name: string): Promise<Agent>
  /** An agent or a script of the project that plays the user, as the provider of `aiUser`. */
  simulator(name: string): Promise<Agent>
  /** Asks `agents:NAME`, or calls `scripts:FILE.FUNCTION`, with these parameters. */
  generate(reference: string, parameters?: Record<string, unknown>): Promise<GeneratedCase[]>
  /** Stops the services and ends everything that was started for the project. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const projectOptions = lazySchema(() =>
  z.strictObject({ folder: fields.text().optional(), warn: fields.callable().optional() }),
)

const nameSchema = lazySchema(() => fields.text())

/** How many calls scripts and models may have at once. */
const parallel = 64
const generatorTimeoutMs = 300_000

const projectSetup = appSetup.with(servicesPhase).with({
  name: 'stoppedServices',
  open: ({ services }: { services: Services }) => services,
  close: (services: Services) => services.stop(),
})

/**
 * Opens a project, so that suites can use its connectors, helper agents, generators and services.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { writeFileSync } from 'node:fs'
 * import { accuracy, createEvalSuite, createJudge, openProject } from 'vivavoce'
 *
 * writeFileSync('viva.config.json', '{}')
 * writeFileSync('tests.ts', `
 *   export function judge({ criteria }) {
 *     return { criteria: criteria.map(({ id }) => ({ criterion: id, reason: 'It greets.', score: 100 })) }
 *   }
 *   export function generate({ count }) {
 *     return Array.from({ length: count }, (_, index) => ({ id: 'g' + index, input: 'Hello ' + index }))
 *   }
 * `)
 *
 * const project = await openProject()
 * const judge = createJudge({ provider: await project.judge('scripts:tests.judge'), criteria: [accuracy()] })
 * const cases = await project.generate('scripts:tests.generate', { count: 2 })
 * const suite = createEvalSuite({ agent: { execute: (text: string) => `${text}!` }, judge })
 * const { summary } = await suite.run(
 *   cases.map(({ id, input }) => ({ id, input: String(input) })),
 *   { project },
 * )
 * await project.close()
 * assert.equal(summary.passed, 2)
 */
export async function openProject(options: ProjectOptions = {}): Promise<EvalProject> {
  checkOptions(projectOptions, options, 'openProject')
  const { folder = '.', warn = console.warn } = options
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError({ code: 'no_such_folder', message: `openProject: no such folder: ${folder}` })
  const controller = new AbortController()
  const { opened, close } = await projectSetup.open({
    signal: controller.signal,
    shell: { ...processShell(), cwd: resolve(folder) },
    warn,
    settings: { parallel },
    named: [],
    inputs: [],
    variants: new Map(),
  })
  return new OpenProject(opened, async () => {
    controller.abort(new InterruptedError('the project was closed'))
    await close()
  })
}

/** Services that a run uses until it gives them back. */
export interface BorrowedServices {
  services: Services
  giveBack(): void
}

export class OpenProject implements EvalProject {
  readonly #opened: OpenedBy<typeof projectSetup>
  readonly #close: () => Promise<void>
  readonly #forgetSecrets: () => void
  #starting: Promise<void> | undefined
  #closing: Promise<void> | undefined
  /** Runs whose services are reset before each case take turns. */
  #turn: Promise<void> = Promise.resolve()

  constructor(opened: OpenedBy<typeof projectSetup>, close: () => Promise<void>) {
    this.#opened = opened
    this.#close = close
    this.#forgetSecrets = keepSecretSource(opened.secrets.values)
  }

  provider(connector: string): Model {
    this.#refuseClosed()
    checkOptions(nameSchema, connector, 'provider')
    return this.#opened.app.sources.connectors.model(connector)
  }

  judge(name: string): Promise<Agent> {
    return this.#helper(name, this.#opened.helpers.agents.validatorsIn(this.#opened.shell.cwd))
  }

  simulator(name: string): Promise<Agent> {
    return this.#helper(name, this.#opened.helpers.agents.in(this.#opened.shell.cwd))
  }

  async generate(reference: string, parameters: Record<string, unknown> = {}): Promise<GeneratedCase[]> {
    this.#refuseClosed()
    checkOptions(nameSchema, reference, 'generate')
    const { app, helpers, secrets, signal, warn } = this.#opened
    const generate = createGenerate(helpers.scriptCalls, helpers.agents.generators, {
      identity: { file: {} },
      target: undefined,
      timeoutMs: generatorTimeoutMs,
      signal,
      agentProblem: app.agentPool.named.problem,
      hide: (text) => secrets.redact()(text),
      note: warn,
    })
    try {
      return this.#readCases(await generate(reference, parameters, this.#problems), reference)
    } catch (error) {
      if (error instanceof ConfigError || error instanceof InfrastructureError) throw error
      throw badGenerator(`${reference}: ${errorMessage(error)}`)
    }
  }

  /** The services, started by the run that needs them first. */
  async borrowServices(signal: AbortSignal): Promise<BorrowedServices> {
    this.#refuseClosed()
    const { services } = this.#opened
    this.#starting ??= this.#start(services)
    await untilAborted(this.#starting, signal)
    if (!services.oneAtATime) return { services, giveBack: () => {} }
    const before = this.#turn
    let giveBack = () => {}
    this.#turn = new Promise((resolve) => {
      giveBack = resolve
    })
    try {
      await untilAborted(before, signal)
    } catch (error) {
      // Those behind it go on waiting for those before it.
      before.then(giveBack)
      throw error
    }
    return { services, giveBack }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close().finally(this.#forgetSecrets)
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** What is wrong with a case, whatever agent it will be played with. */
  readonly #problems = (value: unknown): string[] => {
    const { cwd, root } = this.#opened.project
    const findFile = createFindFile([cwd], root)
    const around = { limits: anyAgent, findFile, helpers: noCheckHelpers, speakers: noSpeakers }
    const validated = validateCase(value, around)
    return validated.ok ? [] : validated.issues.map(({ message }) => message)
  }

  /** They must be right as they are: what was written by an agent was corrected or left out before. */
  #readCases(given: unknown, reference: string): GeneratedCase[] {
    const list = readCaseList(given)
    if (list === undefined) throw badGenerator(`${reference} returned no list of cases`)
    const defaults = readFileDefaults(list[0])
    const cases = defaults === undefined ? list : list.slice(1)
    if (cases.length === 0) throw badGenerator(`${reference} returned an empty list`)
    const named = cases.map((each, index) =>
      isRecord(each)
        ? { id: `case-${index + 1}`, ...withFileDefaults(each, defaults?.defaults ?? {}) }
        : each,
    )
    const problems = named.flatMap((each, index) =>
      this.#problems(each).map((problem) => `${reference}: case ${index + 1}: ${problem}`),
    )
    if (problems.length > 0)
      throw new ConfigError(problems.map((message) => ({ code: 'bad_generator', message })))
    return named as unknown as GeneratedCase[]
  }

  /** Not with the signal of a run: others use them too. */
  async #start(services: Services): Promise<void> {
    try {
      await services.start(this.#opened.signal)
    } catch (error) {
      await services.stop().catch(() => {})
      this.#starting = undefined
      throw error
    }
  }

  #refuseClosed(): void {
    if (this.#closing !== undefined)
      throw new ConfigError({ code: 'closed_project', message: 'the project is closed' })
  }

  async #helper(name: string, lookup: AgentLookup): Promise<Agent> {
    this.#refuseClosed()
    checkOptions(nameSchema, name, 'the name of an agent')
    const use = agentName(name)
    const message = lookup.problem(use, undefined)
    if (message !== undefined) throw new ConfigError({ code: 'unknown_agent', message })
    const { helpers, signal } = this.#opened
    await helpers.agents.load([use], signal)
    await helpers.scripts.load(signal)
    return lookup.agent(use)
  }
}

function badGenerator(message: string): ConfigError {
  return new ConfigError({ code: 'bad_generator', message })
}
