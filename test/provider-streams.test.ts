import { APICallError, InvalidPromptError, streamText } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it, vi } from 'vitest'
import { createEvalSuite } from 'vivavoce'
import { installViva, play as playIn, project, shared } from './support/viva.ts'

const agents = `
import { APICallError, InvalidPromptError, streamText, ToolLoopAgent } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'

const fails = (error) => new MockLanguageModelV3({ async doStream() { throw error } })
const down = fails(new APICallError({ message: 'the model is gone', url: 'https://m.test/v1', requestBodyValues: {}, statusCode: 400, isRetryable: false }))
const invalid = fails(new InvalidPromptError({ prompt: '', message: 'the messages are in disorder' }))
const silent = () => {}

const read = async ({ textStream }) => {
  let text = ''
  for await (const part of textStream) text += part
  return text
}
const stream = (prompt, model = down, more = {}) => streamText({ model, prompt, maxRetries: 0, ...more })

export const text = async (prompt) => await stream(prompt).text
export const loop = async (prompt) => await (await new ToolLoopAgent({ model: down, maxRetries: 0 }).stream({ prompt })).text
export const unseen = async (prompt) => await stream(prompt, down, { onError: silent }).text
export const parts = async (prompt) => await read(stream(prompt))
export const replies = async (prompt) => ({ content: await read(stream(prompt)), tool_calls: [] })
export const fallback = async (prompt) => (await read(stream(prompt))) || 'Try again later.'
export const mistaken = async (prompt) => await stream(prompt, invalid).text
export const mute = async (prompt) => { console.error(new Error('nothing to say')); return '' }
`

const names = ['text', 'loop', 'unseen', 'parts', 'replies', 'fallback', 'mistaken', 'mute'] as const
const cases = [{ id: 'a', input: 'hello', assert: { type: 'not_contains', value: 'secret' } }]

const play = shared(async () => {
  const played = new Map<string, unknown>()
  for (const name of names) {
    const cwd = project({ 'agents.mjs': agents })
    installViva(cwd, 'ai')
    const { exitCode, lines } = await playIn(cwd, cases, ['-n', `./agents.mjs#${name}`])
    const [{ status, fault, error } = {}] = lines
    played.set(name, [exitCode, status, fault, error])
  }
  return played
})

const message = 'https://m.test/v1 answered 400: the model is gone'

describe('a provider that fails behind a stream of the AI SDK', () => {
  it.each(['text', 'loop', 'parts', 'replies'])('is an infrastructure error: %s', async (name) => {
    expect((await play()).get(name)).toEqual([3, 'failed', 'infrastructure', message])
  })

  it('is an infrastructure error where nobody has printed its error', async () => {
    expect((await play()).get('unseen')).toEqual([
      3,
      'failed',
      'infrastructure',
      'No output generated. Check the stream for errors.',
    ])
  })

  it('does not count where the agent answers all the same', async () => {
    expect((await play()).get('fallback')).toEqual([0, 'passed', undefined, undefined])
  })

  it('does not excuse a stream that fails because of the agent', async () => {
    expect((await play()).get('mistaken')).toEqual([
      1,
      'failed',
      'agent',
      expect.stringContaining('the messages are in disorder'),
    ])
  })

  it('is not seen in an empty reply after another error', async () => {
    expect((await play()).get('mute')).toEqual([0, 'passed', undefined, undefined])
  })
})

describe('a provider that fails behind a stream in a suite', () => {
  const down = new APICallError({
    message: 'the model is gone',
    url: 'https://m.test/v1',
    requestBodyValues: {},
    statusCode: 400,
    isRetryable: false,
  })
  const invalid = new InvalidPromptError({ prompt: '', message: 'the messages are in disorder' })
  const failing = (error: Error) =>
    new MockLanguageModelV3({
      async doStream() {
        throw error
      },
    })

  it.each([
    [down, 'await' as const, 'infrastructure', message],
    [down, 'read' as const, 'infrastructure', message],
    [invalid, 'await' as const, 'agent', expect.stringContaining('the messages are in disorder')],
  ])('blames the provider or the agent: %s', async (error, how, fault, text) => {
    const print = vi.spyOn(console, 'error').mockImplementation(() => {})
    const printing = console.error
    const agent = {
      async execute(prompt: string) {
        const result = streamText({ model: failing(error), prompt, maxRetries: 0 })
        if (how === 'await') return await result.text
        let read = ''
        for await (const part of result.textStream) read += part
        return read
      },
    }
    const { results } = await createEvalSuite({ agent }).run([{ input: 'hello' }])
    expect(results[0]).toMatchObject({ passed: false, fault, error: text })
    expect(print).toHaveBeenCalledWith(error)
    expect(console.error).toBe(printing)
    print.mockRestore()
  })

  it('blames the provider where the error is thrown', async () => {
    const agent = {
      async execute(): Promise<string> {
        throw down
      },
    }
    const { results } = await createEvalSuite({ agent }).run([{ input: 'hello' }])
    expect(results[0]).toMatchObject({ passed: false, fault: 'infrastructure', error: message })
  })
})
