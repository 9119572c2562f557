import type { CaseList } from '../../cases/case-list.ts'
import type { Start } from '../phase.ts'
import type { OpenRecording } from '../recordings/open-recording.ts'
import type { Services } from './services.ts'

interface RunningServicesNeeds extends Start {
  services: Services
  cases: CaseList
  recording?: Pick<OpenRecording, 'isOffline'> | undefined
  /** Workers start their own. */
  queueConnection?: object | undefined
}

/** They are not needed where all calls are answered from a recording, or made by workers. */
export const runningServicesPhase = {
  name: 'runningServices',
  async open({
    services,
    cases,
    signal,
    recording,
    queueConnection,
  }: RunningServicesNeeds): Promise<Services> {
    if (recording?.isOffline || queueConnection !== undefined) return services
    try {
      // An empty shard needs none.
      if (cases.length > 0) await services.start(signal)
      return services
    } catch (error) {
      await services.stop()
      throw error
    }
  },
  close: (services: Services) => services.stop(),
} as const
