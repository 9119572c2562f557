import { chmodSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { project } from '../../test/support/viva.ts'
import { ownerVariable, processesOwnedBy } from './find-processes.ts'

const { platform } = process

function setPlatform(value: string): void {
  Object.defineProperty(process, 'platform', { value })
}

/** A `ps` as macOS has it, which lists what this script prints. */
function withPs(script: string): void {
  const folder = project({ ps: `#!/usr/bin/env node\n${script}` })
  chmodSync(join(folder, 'ps'), 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
  setPlatform('darwin')
}

afterEach(() => {
  vi.unstubAllEnvs()
  setPlatform(platform)
})

describe('processes that ps lists with their environment', () => {
  it('are found by their owner after megabytes of others', () => {
    withPs(`
      const others = Array.from({ length: 2000 }, (_, n) => \`\${n + 100} node x.js HOME=/\${'x'.repeat(1000)}\`)
      process.stdout.write([...others, ' 77 node y.js A=b ${ownerVariable}=/outer/mine C=d', ''].join('\\n'))`)
    expect(processesOwnedBy(['mine'])).toEqual([77])
  })

  it('are none where ps cannot be started', () => {
    withPs('')
    vi.stubEnv('PATH', '/nowhere')
    expect(processesOwnedBy(['mine'])).toEqual([])
  })
})
