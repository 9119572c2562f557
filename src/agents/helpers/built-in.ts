import type { Model } from '../../models/model.ts'
import type { Agent } from '../agent.ts'
import type { HelperTools } from './model-helper.ts'
import { createVivaGenerator, vivaGenerator } from './viva-generator.ts'
import { createVivaJudge, vivaJudge, vivaValidator } from './viva-judge.ts'
import { createVivaSimulator, vivaSimulator } from './viva-simulator.ts'

/** What each of the built-in agents is for. */
export const builtInPurposes = {
  [vivaSimulator]: 'play users',
  [vivaJudge]: 'judge',
  [vivaValidator]: 'judge',
  [vivaGenerator]: 'write cases',
} as const

/** Undefined for a name that is none of theirs. */
export function createBuiltIn(
  id: string,
  model: (connector: unknown) => Model,
  /** Tools of simulated users. */
  tools?: HelperTools,
): Agent | undefined {
  switch (id) {
    case vivaSimulator:
      return createVivaSimulator(model, tools)
    case vivaGenerator:
      return createVivaGenerator(model)
    case vivaJudge:
    case vivaValidator:
      return createVivaJudge(id, model)
    default:
      return undefined
  }
}
