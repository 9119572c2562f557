import { describe, expect, it } from 'vitest'
import type { Data } from '../../../results/transcript/message.ts'
import { createEntries, createMemory } from './memory.ts'
import { watchEntries, watchVariables } from './unrecorded.ts'

function watch(variables: Data) {
  const unrecorded: Data = {}
  return { variables: watchVariables(variables, unrecorded), names: () => Object.keys(unrecorded) }
}

describe('the variables of a recorded conversation', () => {
  it('note what is read and was not set, however it is read', () => {
    for (const read of [
      (variables: Data) => variables.a,
      (variables: Data) => 'a' in variables,
      (variables: Data) => Object.hasOwn(variables, 'a'),
    ]) {
      const { variables, names } = watch({ b: 1 })
      read(variables)
      expect(names()).toEqual(['ctx.variables.a'])
    }
    const { variables, names } = watch({})
    expect(JSON.stringify(variables)).toBe('{}')
    expect(names()).toEqual(['ctx.variables'])
  })

  it('are known where a script has set them', async () => {
    const { variables, names } = watch({ b: 1 })
    variables.a = 2
    delete variables.b
    await Promise.resolve(variables)
    expect([variables.a, typeof variables.toString]).toEqual([2, 'function'])
    expect(names()).toEqual([])
  })

  it('of a live conversation are the variables themselves', () => {
    const variables = {}
    expect(watchVariables(variables, undefined)).toBe(variables)
  })
})

describe('the memory of a recorded conversation', () => {
  it('notes entries that were not set, and what lists them', () => {
    const unrecorded: Data = {}
    const memory = createMemory(watchEntries(createEntries({}), () => unrecorded, 'ctx.memory.user'))
    memory.Set('known', 1)
    expect([memory.Get('known'), Object.keys(unrecorded)]).toEqual([1, []])
    expect([memory.Get('name'), memory.Len()]).toEqual([null, 1])
    expect(Object.keys(unrecorded)).toEqual(['ctx.memory.user: name', 'ctx.memory.user'])
  })
})
