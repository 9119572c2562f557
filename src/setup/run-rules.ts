import type { Gates } from '../results/gates.ts'
import { leastRuns } from '../results/statistics/sequential.ts'
import type { Layer } from '../scope/tape.ts'
import type { OptionNames } from './option-names.ts'
import type { ReplaySettings } from './phases/settings.ts'

/** Settings that are right, but not beside each other. */
export interface RuleProblem {
  message: string
  hint?: string
}

/** Runs of a case until it is clear whether it reaches the gate. */
export interface AutoRuns {
  confidence: number
  /** For each case. */
  maxRuns: number
}

export const defaultAutoRuns: AutoRuns = { confidence: 0.95, maxRuns: 30 }

export const mostAutoRuns = 1000

/** What is only for `auto`. */
export function withoutAutoProblem(
  asked: { confidence: unknown; maxRuns: unknown },
  names: OptionNames,
): RuleProblem | undefined {
  const idle = (['confidence', 'maxRuns'] as const).find((name) => asked[name] !== undefined)
  return idle && { message: `${names[idle]} is for ${names.auto}` }
}

/** What keeps `auto` from finding an answer. */
export function autoRunsProblem(
  { case: gate, suite }: Pick<Gates, 'case' | 'suite'>,
  { confidence, maxRuns }: AutoRuns,
  names: OptionNames,
): RuleProblem | undefined {
  const { auto } = names
  if (gate === undefined)
    return { message: `${auto} needs ${names.gate}, the pass rate that is to be found out` }
  if (gate >= 1)
    return {
      message: `${auto} ${names.gate} ${gate}: no number of runs shows that a case always passes`,
      hint: 'use a gate below 1',
    }
  if (suite !== undefined)
    return {
      message: `${names.gateSuite} cannot be told with ${auto}: runs that stop when the answer is clear are no fair sample`,
      hint: `use ${names.fixed} for it`,
    }
  const { reached } = leastRuns({ gate, confidence })
  if (reached <= maxRuns) return undefined
  return {
    message: `${auto}: for a gate of ${gate} to be reached takes at least ${reached} runs, ${names.maxRuns} is ${maxRuns}`,
    hint:
      reached * 2 <= mostAutoRuns
        ? `give it ${names.maxRuns} ${reached * 2}, or a lower gate or confidence`
        : 'use a lower gate or confidence',
  }
}

/** What is asked for of recordings. */
export interface RecordingRequest {
  replay: unknown
  live: unknown
  replayMissing: unknown
  gate: unknown
  gateSuite: unknown
  gateStable: unknown
  baseline: unknown
}

/** A verdict on the agent needs new answers of the agent. */
export const notWithReplay = ['gate', 'gateSuite', 'gateStable', 'baseline'] as const

/** What cannot be replayed, as far as the settings say it. */
export function replayProblem(asked: RecordingRequest, names: OptionNames): RuleProblem | undefined {
  if (asked.replay === undefined) {
    const idle = (['live', 'replayMissing'] as const).find((name) => asked[name] !== undefined)
    return idle && { message: `${names[idle]} is for ${names.replayFile}` }
  }
  const verdict = notWithReplay.find((name) => asked[name] !== undefined)
  return (
    verdict && {
      message: `${names[verdict]} cannot be combined with ${names.replay}: recorded answers say nothing new about the agent`,
    }
  )
}

/** Without the agent there is no model. */
export function replaySettings(
  file: string,
  live: readonly Layer[],
  missing: ReplaySettings['missing'],
): ReplaySettings {
  const layers = new Set(live.includes('agent') ? [...live, 'model' as const] : live)
  return { file, live: [...layers], missing }
}

/** An agent whose model or tools are its own affair goes out as a whole, or not at all. */
export function liveLayerProblem(
  live: readonly Layer[],
  { id, showsModel, showsTools }: { id: string; showsModel: boolean; showsTools: boolean },
  names: OptionNames,
): RuleProblem | undefined {
  const isHidden = (layer: Layer) =>
    layer === 'model' ? !showsModel && !live.includes('agent') : layer === 'tools' && !showsTools
  const layer = (['model', 'tools'] as const).find((each) => live.includes(each) && isHidden(each))
  return (
    layer && {
      message: `${names.live} ${layer}: ${id} calls its ${layer} itself, where viva cannot see it`,
      hint: `use ${names.live} agent: the agent is one layer`,
    }
  )
}
