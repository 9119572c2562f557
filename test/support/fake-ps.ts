import { chmodSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { vi } from 'vitest'
import { project } from './viva.ts'

const { platform } = process

/** Lists processes as on macOS, with this shell script in place of `ps`. */
export function fakePs(script: string): void {
  const folder = project({ ps: `#!/bin/sh\n${script}` })
  chmodSync(join(folder, 'ps'), 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`)
  setPlatform('darwin')
}

export function removeFakePs(): void {
  vi.unstubAllEnvs()
  setPlatform(platform)
}

function setPlatform(value: string): void {
  Object.defineProperty(process, 'platform', { value })
}
