import { placeholdersIn } from '../../json/template.ts'
import { type HttpRequest, sendRequest } from '../../models/http-client.ts'
import { redactUrl } from '../../models/network/address.ts'
import type { Faults } from '../../project/config-schema.ts'
import type { HttpAgentConfig } from '../../project/http-agent-schema.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { Agent } from '../agent.ts'
import { createReadAnswer } from './http-answer.ts'
import { mapAnswer } from './http-mapping.ts'
import {
  addFilesToValues,
  createRequest,
  fillBody,
  type HttpEndpoint,
  type HttpProtocol,
  templateValues,
  withoutSessions,
} from './http-request.ts'

/** The request to a URL that is not in the config. */
const defaultRequest = { input: '{{input}}', session_id: '{{sessionId}}', history: '{{history}}' }

const mappedDisclosure = {
  tools:
    'name the path of the tool calls in the answer with `response.tool_calls` of the agent in the config',
  usage: 'name the paths of the token counts in the answer with `response.usage` of the agent in the config',
}

const unmappedDisclosure = {
  tools:
    'answer with {"content": …, "tool_calls": [{"name": …, "arguments": {…}}]}, or name a `format` or a `response` in the config',
  usage:
    'answer with {"content": …, "usage": {"model": …, "input_tokens": …, "output_tokens": …}}, or name a `format` or a `response` in the config',
}

/** Requests and answers follow a mapping of the config, or the default one. */
export function mappedProtocol(endpoint: HttpEndpoint, faults: Faults | undefined): HttpProtocol {
  const { config } = endpoint
  const template = config.request ?? (config.method === 'GET' ? undefined : defaultRequest)
  const sent = placeholdersIn([config.url, config.headers, template])
  return {
    history: sent.includes('history') || sent.includes('messages') ? 'given' : 'kept',
    tools: toolVisibility(config),
    disclosure: config.response === undefined ? unmappedDisclosure : mappedDisclosure,
    open(context) {
      let session: unknown
      const fill = (values: Data) => createRequest(endpoint, values, fillBody(endpoint, template, values))
      return {
        prepare(turn) {
          const values = templateValues(turn, context, session)
          const request = fill(addFilesToValues(values))
          const { url, body } = fill(withoutSessions(values))
          return {
            request,
            shown: { url, body },
            async send(signal) {
              const read = createReadAnswer({ ...answerContext(request, config), faults })
              const answer = await sendRequest(request, signal, read)
              const { reply, session: renewed } = mapAnswer(config, answer)
              session = renewed ?? session
              return reply
            },
          }
        },
        effects: {
          begin: () => () => session,
          restore: (recorded) => {
            session = recorded
          },
        },
      }
    },
  }
}

function answerContext({ url, headers }: HttpRequest, { event, response }: HttpAgentConfig) {
  const keySent = headers.authorization !== undefined
  return { url, from: redactUrl(url), keySent, event, mapped: response !== undefined }
}

/** Without a mapping an answer may report tool calls; with one, only if it maps them. */
function toolVisibility({ response, stream }: HttpAgentConfig): Agent['tools'] {
  if (response === undefined) return stream === undefined ? 'reported' : 'hidden'
  return response.tool_calls === undefined ? 'hidden' : 'reported'
}
