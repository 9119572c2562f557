import { resolve } from 'node:path'
import { z } from 'zod'
import { ConfigError } from '../errors.ts'
import { defined, emptyToUndefined } from '../json/defined.ts'
import type { Reporter } from '../reporters/reporter.ts'
import type { Gates } from '../results/gates.ts'
import type { Budget } from '../run/budget.ts'
import { type Layer, layers } from '../scope/tape.ts'
import type { OptionNames } from '../setup/option-names.ts'
import type { ReplaySettings } from '../setup/phases/settings.ts'
import {
  autoRunsProblem,
  defaultAutoRuns,
  mostAutoRuns,
  replayProblem,
  replaySettings,
  withoutAutoProblem,
} from '../setup/run-rules.ts'
import { checkOptions, fields, lazySchema } from './options.ts'
import { type EvalProject, OpenProject } from './project.ts'
import type { AnyReport } from './report.ts'
import type { PlayedResult } from './results.ts'

/** The options of `run`. */
export interface EvalRunOptions<Input = unknown, Output = unknown> {
  /** How many are played at once; default 1. */
  concurrency?: number | undefined
  /** How often each case is played; default 1. `auto`: until it is clear whether it reaches `gates.case`. */
  iterations?: number | 'auto' | undefined
  /** Of `iterations: 'auto'`: how sure it must be, 0.5 to 0.9999. Default 0.95. */
  confidence?: number | undefined
  /** Of `iterations: 'auto'`: the most for each case. Default 30. */
  maxIterations?: number | undefined
  /** What must be reached, where not every play of every case must pass. */
  gates?: EvalGates | undefined
  /** Results of an earlier run: a file (`.jsonl`), or a report. If this run is worse, `exitCode` is 1. */
  baseline?: string | AnyReport | undefined
  /** When it is spent, no further case starts, and `exitCode` is 1. */
  budget?: EvalBudget | undefined
  /** A new file in which all calls are kept, to be replayed later. */
  record?: string | undefined
  /** A recording, from which calls are answered. */
  replay?: string | undefined
  /** Of `replay`: what goes out again. */
  live?: readonly Layer[] | undefined
  /** Of `replay`: `live` lets calls go out that are not in the recording, and adds them to it. Default `error`. */
  replayMissing?: 'error' | 'live' | undefined
  /** A call of a tool that the case does not stub is an error. */
  stubAll?: boolean | undefined
  stopOnFirstFailure?: boolean | undefined
  signal?: AbortSignal | undefined
  /** A project (`openProject`) whose services run beside the agent and are reset before each case. */
  project?: EvalProject | undefined
  /** Of a case: milliseconds, or a text like `'30s'`. Default 2 minutes. */
  timeout?: number | string | undefined
  /** How often a failed case is played again; one that passes then is flaky. Default 0. */
  retries?: number | undefined
  /** A case that checks nothing but that the agent answers is an error. */
  requireChecks?: boolean | undefined
  reporters?: readonly Reporter[] | undefined
  /** Files for the results (`.jsonl`) and for reports (`.html`, `.md`, `.json`, `.xml`, `.txt`). */
  output?: string | readonly string[] | undefined
  /** Called with every play the moment it is over, with the values as they were made. */
  onResult?: ((result: PlayedResult<Input, Output>) => void | Promise<void>) | undefined
  /** `false`: results are only told to `onResult`, and not kept. */
  keepResults?: boolean | undefined
}

/** What a run must reach. Rates are above 0, and at most 1. */
export interface EvalGates {
  /** The pass rate of each case. */
  case?: number | undefined
  /** The mean of the pass rates of all cases. */
  suite?: number | undefined
  /** All plays of every case must pass at the first attempt. */
  stable?: boolean | undefined
}

/** What a run may spend. */
export interface EvalBudget {
  /** In US dollars. */
  cost?: number | undefined
  tokens?: number | undefined
}

const optionsSchema = lazySchema(() => {
  const flag = z.boolean().optional()
  const aboveZero = fields.share(Number.POSITIVE_INFINITY).optional()
  return z.strictObject({
    concurrency: fields.wholeNumber(1).optional(),
    iterations: fields.wholeNumberOrAuto().optional(),
    confidence: z.number().gt(0.5).max(0.9999).optional(),
    maxIterations: fields.wholeNumberUpTo(2, mostAutoRuns).optional(),
    gates: z
      .strictObject({ case: fields.share(1).optional(), suite: fields.share(1).optional(), stable: flag })
      .optional(),
    baseline: z.custom((value) => typeof Object(value) === 'object' || typeof value === 'string').optional(),
    budget: z.strictObject({ cost: aboveZero, tokens: fields.wholeNumber(1).optional() }).optional(),
    record: fields.text().optional(),
    replay: fields.text().optional(),
    live: z.array(z.enum(layers)).optional(),
    replayMissing: z.enum(['error', 'live']).optional(),
    stubAll: flag,
    stopOnFirstFailure: flag,
    signal: z.unknown().optional(),
    project: z.custom((value) => value instanceof OpenProject, 'must be made by openProject').optional(),
    timeout: fields.timeout().optional(),
    retries: fields.wholeNumber(0).optional(),
    requireChecks: flag,
    reporters: z.array(z.unknown()).optional(),
    output: z.union([z.string(), z.array(z.string())]).optional(),
    onResult: fields.callable().optional(),
    keepResults: flag,
  })
})

export const suiteOptionNames: OptionNames = {
  auto: "iterations: 'auto'",
  fixed: 'a fixed number of iterations',
  gate: 'gates.case',
  gateSuite: 'gates.suite',
  gateStable: 'gates.stable',
  confidence: 'confidence',
  maxRuns: 'maxIterations',
  baseline: 'baseline',
  record: 'record',
  replay: 'replay',
  replayFile: 'replay',
  live: 'live',
  replayMissing: 'replayMissing',
  addMissing: "replayMissing: 'live'",
}

/** What the options ask for, in the words of the engine. */
export interface SuiteSettings {
  runs: number
  gates: Gates | undefined
  budget: Budget
  record: string | undefined
  replay: ReplaySettings | undefined
}

/** The rules are those of the flags. */
export function readRunOptions(options: EvalRunOptions): SuiteSettings {
  checkOptions(optionsSchema, options, 'run')
  const { iterations = 1, confidence, maxIterations: maxRuns, gates = {}, baseline, budget } = options
  const { record, replay, live, replayMissing } = options
  const auto = { ...defaultAutoRuns, ...defined({ confidence, maxRuns }) }
  const required = defined({ case: gates.case, suite: gates.suite, stable: gates.stable || undefined })
  const { case: gate, suite: gateSuite, stable: gateStable } = required
  const names = suiteOptionNames
  const problem =
    replayProblem({ replay, live, replayMissing, gate, gateSuite, gateStable, baseline }, names) ??
    (iterations === 'auto'
      ? autoRunsProblem(required, auto, names)
      : withoutAutoProblem({ confidence, maxRuns }, names))
  if (problem !== undefined)
    throw new ConfigError({ code: 'bad_option', ...problem, message: `run: ${problem.message}` })
  const isAuto = iterations === 'auto'
  return {
    runs: isAuto ? auto.maxRuns : iterations,
    gates: emptyToUndefined({ ...required, ...(isAuto && { confidence: auto.confidence }) }),
    budget: {
      ...defined({ cost: budget?.cost, tokens: budget?.tokens }),
      names: { cost: 'budget.cost', tokens: 'budget.tokens' },
    },
    record: record === undefined ? undefined : resolve(record),
    replay: replay === undefined ? undefined : replaySettings(replay, live ?? [], replayMissing ?? 'error'),
  }
}
