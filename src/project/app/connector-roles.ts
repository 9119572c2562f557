import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { isRecord } from '../../json/json.ts'
import type { Project } from '../project.ts'
import { expandEnv } from './env.ts'
import { readYaml } from './read-yaml.ts'

/** Resolves what an app writes as a connector: an id, `$ENV.NAME`, or `use::light` for a role. */
export interface ConnectorRoles {
  idOf(written: string): string
  /** The connector for agents that do not name one. */
  standard: string | undefined
}

/** `roles` of the config override `system` in the app's `agent/agent.yml`. An unknown role falls back to the default. */
export function findRoles(project: Project): ConnectorRoles {
  const roles = new Map<string, string>()
  for (const [role, id] of [...readAppRoles(project), ...Object.entries(project.config.roles ?? {})])
    roles.set(role, id)
  return {
    standard: roles.get('default'),
    idOf(written) {
      const expanded = expandEnv(written, `connector "${written}"`, project.env)
      const role = /^use::(.*)$/.exec(expanded)?.[1]
      if (role === undefined) return expanded
      const id = roles.get(role === '' ? 'default' : role) ?? roles.get('default')
      if (id !== undefined) return expandEnv(id, `connector "${written}"`, project.env)
      const message = `connector "${written}": no connector has the role ${role || 'default'}`
      const hint = `write roles: { ${role || 'default'}: "<connector>" } in viva.config.*`
      throw new ConfigError({ code: 'unknown_role', message, hint })
    },
  }
}

function readAppRoles({ appRoot, cwd }: Project): [string, string][] {
  const path = appRoot === undefined ? undefined : join(appRoot, 'agent', 'agent.yml')
  if (path === undefined || !existsSync(path)) return []
  const settings = readYaml(path, relative(cwd, path), 'bad_agent_settings')
  const system = isRecord(settings) && isRecord(settings.system) ? settings.system : {}
  return Object.entries(system).flatMap(([role, id]) => (typeof id === 'string' ? [[role, id]] : []))
}
