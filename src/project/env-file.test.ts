import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadEnvFile } from './env-file.ts'

describe('the .env of an app', () => {
  const names = ['VIVA_ENV_A', 'VIVA_ENV_B', 'VIVA_ENV_C']
  afterEach(() => {
    vi.unstubAllEnvs()
    for (const name of names) delete process.env[name]
  })

  function load(text: string): (string | undefined)[] {
    const folder = mkdtempSync(join(tmpdir(), 'viva-env-'))
    writeFileSync(join(folder, '.env'), text)
    loadEnvFile(folder)
    return names.map((name) => process.env[name])
  }

  it('sets what is not set', () => {
    expect(load('# a comment\nVIVA_ENV_A=one\nVIVA_ENV_B="two # 2"\nexport VIVA_ENV_C=\'three\'\n')).toEqual([
      'one',
      'two # 2',
      'three',
    ])
  })

  it('leaves what the environment says, also when that is nothing', () => {
    vi.stubEnv('VIVA_ENV_A', 'mine')
    vi.stubEnv('VIVA_ENV_B', '')
    expect(load('VIVA_ENV_A=theirs\nVIVA_ENV_B=theirs')).toEqual(['mine', '', undefined])
  })

  it('need not be there', () => {
    expect(() => loadEnvFile('/nowhere')).not.toThrow()
  })
})
