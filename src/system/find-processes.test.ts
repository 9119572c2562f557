import { afterEach, describe, expect, it, vi } from 'vitest'
import { fakePs, removeFakePs } from '../../test/support/fake-ps.ts'
import { project } from '../../test/support/viva.ts'
import { findOwnedProcesses, ownerVariable } from './find-processes.ts'

afterEach(removeFakePs)

describe('processesOwnedBy, where ps lists the environments', () => {
  it('finds a process by its owner after megabytes of other processes', () => {
    const others = Array.from({ length: 2000 }, (_, n) => `${n + 100} node x.js HOME=/${'x'.repeat(1000)}`)
    const list = [...others, ` 77 node y.js A=b ${ownerVariable}=/outer/mine C=d`, ''].join('\n')
    fakePs(`cat ${project({ list })}/list`)
    expect(findOwnedProcesses(['mine'])).toEqual([77])
  })

  it('finds nothing where ps cannot be started', () => {
    fakePs('')
    vi.stubEnv('PATH', '/nowhere')
    expect(findOwnedProcesses(['mine'])).toEqual([])
  })
})
