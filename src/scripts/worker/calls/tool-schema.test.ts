import { asSchema, jsonSchema, zodSchema } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { toJsonSchema, validateInput } from './tool-schema.ts'

const file = import.meta.filename
const order = z.object({ id: z.string(), urgent: z.boolean().default(false) })
const wanted = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }

/** A schema of a library that cannot describe it. */
const mute = (validate: (value: unknown) => unknown, more: object = {}) => ({
  '~standard': { version: 1, vendor: 'x', validate },
  ...more,
})

describe('the JSON Schema of a tool', () => {
  it.each([
    ['zod', order],
    ['the AI SDK', zodSchema(order)],
    ['a function that makes it', () => zodSchema(order)],
    ['JSON', wanted],
    ['jsonSchema()', jsonSchema({ ...wanted, type: 'object' })],
    ['a promise of it', asSchema(jsonSchema(async () => ({ ...wanted, type: 'object' as const })))],
  ])('can be given by %s', async (_, schema) => {
    expect(await toJsonSchema(schema, file)).toMatchObject(wanted)
  })

  it('is converted by the zod of the project for a schema that does not describe itself', async () => {
    const { _zod } = order
    expect(await toJsonSchema({ ...mute(() => ({})), _zod, def: order.def }, file)).toMatchObject(wanted)
  })

  it('cannot be found for any other schema', async () => {
    await expect(
      toJsonSchema(
        mute(() => ({})),
        '/tools.ts',
      ),
    ).rejects.toThrow('cannot be converted to JSON Schema')
    await expect(toJsonSchema('string', file)).rejects.toThrow('is not a JSON Schema')
    await expect(toJsonSchema([], file)).rejects.toThrow('is not a JSON Schema')
  })
})

describe('the arguments of a tool', () => {
  it('get the defaults of their schema', async () => {
    const complete = { id: 'A7', urgent: false }
    for (const schema of [order, zodSchema(order), () => zodSchema(order)])
      expect(await validateInput(schema, { id: 'A7' }, 'find')).toEqual(complete)
    expect(await validateInput(wanted, { id: 'A7' }, 'find')).toEqual({ id: 'A7' })
    expect(await validateInput(jsonSchema({}), { id: 'A7' }, 'find')).toEqual({ id: 'A7' })
  })

  it('are refused with the places of their faults', async () => {
    await expect(validateInput(order, { id: 1 }, 'find')).rejects.toThrow(
      'wrong arguments for find: id Invalid',
    )
    await expect(validateInput(zodSchema(order), {}, 'find')).rejects.toThrow('wrong arguments for find: ')
    const issues = [{ message: 'is odd', path: [{ key: 'lines' }, 2] }, { message: 'is late' }]
    const refusing = mute(() => ({ issues }))
    await expect(validateInput(refusing, {}, 'find')).rejects.toThrow(
      'wrong arguments for find: lines.2 is odd; is late',
    )
  })
})
