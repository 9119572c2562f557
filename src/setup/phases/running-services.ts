import type { Start } from '../phase.ts'
import type { Services } from './services.ts'

export const runningServicesPhase = {
  name: 'runningServices',
  async open({ services, signal }: Start & { services: Services }): Promise<Services> {
    try {
      await services.start(signal)
      return services
    } catch (error) {
      await services.stop()
      throw error
    }
  },
  close: (services: Services) => services.stop(),
} as const
