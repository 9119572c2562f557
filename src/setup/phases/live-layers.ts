import type { DetectedInput } from '../../cases/sources/detect.ts'
import { ConfigError } from '../../errors.ts'
import { flagNames } from '../option-names.ts'
import { liveLayerProblem } from '../run-rules.ts'
import type { Settings } from './settings.ts'
import type { Variants } from './variants.ts'

interface LiveNeeds {
  inputs: readonly DetectedInput[]
  settings: Settings
  variants: Variants
}

/** What may go out is known when the agents are. */
export const liveLayersPhase = {
  name: 'liveLayers',
  open({ inputs, settings: { replay }, variants }: LiveNeeds): void {
    const live = replay?.live ?? []
    const hidden = { id: 'the agent of a suite', showsModel: false, showsTools: live.includes('agent') }
    const problems = [...variants.values()].map(({ agent, connectors, isModel }) => {
      const showsModel = connectors !== 'none' || isModel === true
      const isWrapped = agent.tools === 'wrapped' && live.includes('agent')
      const shows = { id: agent.id, showsModel, showsTools: agent.tools === 'served' || isWrapped }
      return liveLayerProblem(live, shows, flagNames)
    })
    // What script tests call is seen like any other call.
    const isSuite = ({ kind }: DetectedInput) => kind === 'suite' || (kind !== 'tests' && variants.size === 0)
    if (inputs.some(isSuite)) problems.push(liveLayerProblem(live, hidden, flagNames))
    const problem = problems.find((each) => each !== undefined)
    if (problem !== undefined) throw new ConfigError({ code: 'bad_flag', ...problem })
  },
} as const
