import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { keyHint } from './key-hint.ts'

const check = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('state'), call: z.string() }),
  z.strictObject({ type: z.literal('regex'), pattern: z.string(), value: z.string() }),
  z.strictObject({ type: z.literal('text'), value: z.string() }),
  z.strictObject({ type: z.literal('exact'), value: z.string() }),
  z.strictObject({ type: z.literal('start'), value: z.string() }),
  z.strictObject({ type: z.literal('all'), checks: z.array(z.lazy((): z.ZodType => check)) }),
])

const schema = z.strictObject({
  user: z.string().optional(),
  check: z.union([check, z.array(check)]).optional(),
  simulator: z.strictObject({ use: z.string(), goal: z.string() }).optional(),
  turns: z.array(z.strictObject({ input: z.string() })).optional(),
  servers: z.record(z.string(), z.strictObject({ url: z.string() })).optional(),
  tool: z
    .union([
      z.strictObject({ command: z.string(), args: z.array(z.string()).optional() }),
      z.strictObject({ address: z.string(), headers: z.string().optional() }),
    ])
    .optional(),
})

function hint(key: string, path: (string | number)[] = [], object?: unknown) {
  return keyHint({ key, path, object, schema, whole: 'the case' })
}

describe('the hint for an unknown key', () => {
  it('is the known key with a similar spelling', () => {
    expect(hint('cheek')).toBe('did you mean "check"?')
    expect(hint('colour')).toBeUndefined()
  })

  it('names the type to which the key belongs, if the object has another one', () => {
    expect(hint('call', ['check'], { type: 'regex' })).toBe('"call" belongs with type "state"')
    expect(hint('call', ['check', 0, 'checks', 3], { type: 'regex' })).toBe(
      '"call" belongs with type "state"',
    )
    expect(hint('value', ['check'], { type: 'state' })).toBe(
      '"value" belongs with type "regex", "text", "exact" and others',
    )
  })

  it('names the key that belongs to another form of the object', () => {
    expect(hint('address', ['tool'], { command: 'x', address: 'y' })).toBe(
      '"address" cannot be combined with "command"',
    )
    expect(hint('args', ['tool'], { address: 'y', args: [] })).toBe(
      '"args" cannot be combined with "address"',
    )
    expect(hint('arguments', ['tool'], { command: 'y', arguments: [] })).toBe('did you mean "args"?')
  })

  it('names only keys that the type of the object has', () => {
    expect(hint('patern', ['check'], { type: 'regex' })).toBe('did you mean "pattern"?')
    expect(hint('patern', ['check'], { type: 'text' })).toBeUndefined()
  })

  it.each([
    ['goal', [], '"goal" belongs in simulator'],
    ['input', ['simulator'], '"input" belongs in turns[]'],
    ['turns', ['simulator'], '"turns" belongs in the case'],
    ['url', [], '"url" belongs in servers.*'],
    ['pattern', [], '"pattern" belongs in check'],
    ['use', [], 'did you mean "user"? "use" belongs in simulator'],
  ])('for "%s" in %j is: %s', (key, path, expected) => {
    expect(hint(key, path)).toBe(expected)
  })
})
