import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { findRoles } from './connector-roles.ts'

function roles(settings: string, config: Record<string, string> = {}) {
  const appRoot = mkdtempSync(join(tmpdir(), 'viva-roles-'))
  mkdirSync(join(appRoot, 'agent'))
  writeFileSync(join(appRoot, 'agent', 'agent.yml'), settings)
  return findRoles({
    root: appRoot,
    cwd: appRoot,
    appRoot,
    config: { roles: config },
    env: process.env,
    envFile: {},
  })
}

describe('findRoles', () => {
  afterEach(() => vi.unstubAllEnvs())
  const settings = 'system:\n  default: big\n  light: small\n  heavy: 7\nuses: {}'

  it('returns an id unchanged', () => {
    expect(roles(settings).idOf('gpt-4o')).toBe('gpt-4o')
  })

  it('reads an environment variable, which may name a role', () => {
    vi.stubEnv('WANTED', 'gpt-4o')
    expect(roles(settings).idOf('$ENV.WANTED')).toBe('gpt-4o')
    vi.stubEnv('WANTED', 'use::light')
    expect(roles(settings).idOf('$ENV.WANTED')).toBe('small')
    expect(() => roles(settings).idOf('$ENV.NOT_WANTED')).toThrow(
      'environment variable NOT_WANTED is not set',
    )
  })

  it('returns the connector of the role, or else the default', () => {
    const { idOf, standard } = roles(settings)
    expect([idOf('use::light'), idOf('use::vision'), idOf('use::heavy'), idOf('use::'), standard]).toEqual([
      'small',
      'big',
      'big',
      'big',
      'big',
    ])
  })

  it('prefers the roles of the config to those of the app', () => {
    const { idOf, standard } = roles(settings, { light: 'mine', default: 'other' })
    expect([idOf('use::light'), idOf('use::vision'), standard]).toEqual(['mine', 'other', 'other'])
  })

  it('throws with a hint when there are no roles', () => {
    const { idOf, standard } = roles('')
    expect(standard).toBeUndefined()
    expect(() => idOf('use::light')).toThrow(
      'connector "use::light": no connector has the role light (write roles: { light: "<connector>" } in viva.config.*)',
    )
  })

  it('names the settings file that cannot be parsed', () => {
    expect(() => roles('system: [')).toThrow(/^agent\/agent\.yml: /)
  })
})
