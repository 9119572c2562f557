import { ConfigError } from '../errors.ts'
import { redactAgentName, redactUrl } from './network/address.ts'

export interface OpenAIReference {
  /** The printed form, without the credentials that the address may contain. */
  id: string
  address: URL
  /** Prefix of all request URLs, without a slash at its end. */
  base: string
  model: string
}

export function isOpenAIReference(text: string): boolean {
  return text.startsWith('openai:')
}

/** Parses `openai:http://127.0.0.1:8080/v1#model`. Throws `ConfigError` with that code for anything else. */
export function parseOpenAIReference(reference: string, code: string): OpenAIReference {
  const rest = reference.slice('openai:'.length)
  const at = rest.indexOf('#')
  const model = at === -1 ? '' : rest.slice(at + 1)
  const written = at === -1 ? rest : rest.slice(0, at)
  if (URL.canParse(written) && /^https?:$/.test(new URL(written).protocol) && model !== '') {
    const address = new URL(written)
    const id = `openai:${redactUrl(address).replace(/\/+$/, '')}#${model}`
    return { id, address, base: address.href.replace(/\/+$/, ''), model }
  }
  throw new ConfigError({
    code,
    message: `${redactAgentName(reference)}: not an OpenAI endpoint`,
    hint: 'write openai:http://host:port/v1#model',
  })
}
