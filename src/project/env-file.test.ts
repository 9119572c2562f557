import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { parseEnvFile, readEnvFile, withEnvFile } from './env-file.ts'

describe('the .env file', () => {
  const names = ['VIVA_ENV_A', 'VIVA_ENV_B', 'VIVA_ENV_C']
  afterEach(() => {
    vi.unstubAllEnvs()
    for (const name of names) delete process.env[name]
  })

  function load(text: string): (string | undefined)[] {
    const folder = mkdtempSync(join(tmpdir(), 'viva-env-'))
    writeFileSync(join(folder, '.env'), text)
    const env = withEnvFile(process.env, readEnvFile(folder, process.env))
    return names.map((name) => env[name])
  }

  it('sets variables that are not set', () => {
    expect(load('# a comment\nVIVA_ENV_A=one\nVIVA_ENV_B="two # 2"\nexport VIVA_ENV_C=\'three\'\n')).toEqual([
      'one',
      'two # 2',
      'three',
    ])
  })

  it.each([
    ['A=pa#ss-word', 'pa#ss-word'],
    ['A=value # comment', 'value'],
    ['A=# nothing', ''],
    ['A="a \\"q\\" # x"', 'a "q" # x'],
    ['A="two\\nlines"', 'two\nlines'],
    ['A="two\nlines"', 'two\nlines'],
    ["A='$HOME ${B} \\n'", '$HOME ${B} \\n'],
    ['B=b\nA=${B}/c', 'b/c'],
    ['A = spaced ', 'spaced'],
    ['export A=1', '1'],
    ['A: yaml', 'yaml'],
    ['A=', ''],
    ['A=a=b', 'a=b'],
    ['A=1\r\nB=2', '1'],
  ])('reads %j', (text, value) => {
    expect(parseEnvFile(text).A).toBe(value)
  })

  it('ignores lines that do not set a variable', () => {
    expect(parseEnvFile('# A=1\n\nnot a line\n=x\n2A=3\nB=2')).toEqual({ B: '2' })
  })

  it('does not override the environment, even an empty variable', () => {
    vi.stubEnv('VIVA_ENV_A', 'mine')
    vi.stubEnv('VIVA_ENV_B', '')
    expect(load('VIVA_ENV_A=theirs\nVIVA_ENV_B=theirs')).toEqual(['mine', '', undefined])
  })

  it('need not be there', () => {
    expect(readEnvFile('/nowhere', {})).toEqual({})
  })
})
