import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { InfrastructureError } from '../../errors.ts'
import { findSecrets } from '../../models/network/address.ts'
import type { Network } from '../../models/network/network.ts'
import type { ServiceConfig } from '../../project/config-schema.ts'
import type { Project } from '../../project/project.ts'
import type { Scope } from '../../scope/scope.ts'
import { resolveCommand } from '../../system/find-command.ts'
import { createService, type Service } from '../services/service.ts'
import type { App } from './app.ts'
import type { Secrets } from './secrets.ts'

/** How long the end of a service may take to be noticed. */
const lastWordsMs = 250

/** What runs while the cases are played. */
export interface Services {
  /** In order, each when the one before is ready. */
  start(signal: AbortSignal): Promise<void>
  /** All are reset before a case; one that has ended is an infrastructure error. */
  beforeCase(scope: Scope): Promise<void>
  /** In the other order: what was started later may need what was started before. */
  stop(): Promise<void>
  /** Of those that ended before they were stopped; `expected` when something went wrong that one may explain. */
  troubles(expected: boolean): Promise<string[]>
  /** A reset would pull the state from under cases that are played meanwhile. */
  oneAtATime: boolean
  /** What their addresses hold that no report may show. */
  secrets: readonly string[]
}

interface ServicesNeeds {
  project: Project
  app: App
  secrets: Secrets
}

/** A command that is not there is found before anything is played. */
export const servicesPhase = {
  name: 'services',
  open({ project, app, secrets }: ServicesNeeds): Services {
    const services = createServices(project, app.sources.network, (text) => secrets.redact()(text))
    secrets.add(() => services.secrets)
    return services
  },
} as const

/** None of them is started. */
function createServices(
  { config, root, env }: Project,
  network: Network,
  redact: (text: string) => string,
): Services {
  const configs = config.services ?? []
  const services = configs.map((service, index): Service => {
    const cwd = resolve(root, service.cwd ?? '.')
    return createService(service, {
      network,
      cwd,
      env,
      words: resolveCommand(service.command, { cwd, env, label: `services[${index}].command` }),
      redact,
    })
  })
  let stopped = false
  const ended = () => services.flatMap((service) => service.trouble() ?? [])
  return {
    oneAtATime: configs.some(({ reset }) => reset !== undefined),
    secrets: configs.flatMap(listAddresses).flatMap(findSecrets),
    async start(signal) {
      stopped = false
      for (const service of services) await service.start(signal)
    },
    async beforeCase(scope) {
      const [trouble] = stopped ? ['the services were stopped'] : ended()
      if (trouble !== undefined) throw new InfrastructureError('connection', trouble)
      for (const service of services) await service.reset(scope)
    },
    async troubles(expected) {
      if (expected && services.length > 0) await wait(lastWordsMs)
      return ended()
    },
    async stop() {
      stopped = true
      const errors: unknown[] = []
      for (const service of services.toReversed())
        await service.stop().catch((error: unknown) => void errors.push(error))
      if (errors.length > 0) throw new AggregateError(errors, 'a service could not be stopped')
    },
  }
}

function listAddresses({ url, reset }: ServiceConfig): URL[] {
  const address = typeof reset === 'object' ? reset.url : reset
  return [url, address].flatMap((text) => (text === undefined ? [] : new URL(text)))
}
