import { ConfigError } from '../errors.ts'
import { redactAgentName, redactUrl } from './network/address.ts'

/** `openai:` or `openai-responses:` with the rest. */
const openAIReference = /^(openai(?:-responses)?):(.*)$/s

export interface OpenAIReference {
  /** Which of OpenAI's APIs the server speaks: chat completions or responses. */
  type: OpenAIType
  /** The printed form, without the credentials that the address may contain. */
  id: string
  address: URL
  /** Prefix of all request URLs, without a slash at its end. */
  base: string
  model: string
}

type OpenAIType = 'openai' | 'openai-responses'

export function isOpenAIReference(text: string): boolean {
  return openAIReference.test(text)
}

/** Parses `openai:http://127.0.0.1:8080/v1#model`. Throws `ConfigError` with that code for anything else. */
export function parseOpenAIReference(reference: string, code: string): OpenAIReference {
  const [, prefix, rest = ''] = openAIReference.exec(reference) ?? []
  const type: OpenAIType = prefix === 'openai-responses' ? prefix : 'openai'
  const at = rest.indexOf('#')
  const model = at === -1 ? '' : rest.slice(at + 1)
  const written = at === -1 ? rest : rest.slice(0, at)
  if (URL.canParse(written) && /^https?:$/.test(new URL(written).protocol) && model !== '') {
    const address = new URL(written)
    const id = `${type}:${redactUrl(address).replace(/\/+$/, '')}#${model}`
    return { type, id, address, base: address.href.replace(/\/+$/, ''), model }
  }
  throw new ConfigError({
    code,
    message: `${redactAgentName(reference)}: not an OpenAI endpoint`,
    hint: `write ${type}:http://host:port/v1#model`,
  })
}
