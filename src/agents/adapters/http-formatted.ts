import { isRecord } from '../../json/json.ts'
import { sendRequest } from '../../models/http-client.ts'
import type { Faults } from '../../project/config-schema.ts'
import type { HttpFormatName } from '../../project/http-formats.ts'
import type { Data } from '../../results/transcript/message.ts'
import { httpFormats } from './http-formats/list.ts'
import { createReadFormat, type FormatReading } from './http-formats/read-format.ts'
import {
  createRequest,
  fillBody,
  type HttpEndpoint,
  type HttpProtocol,
  templateValues,
  withoutSessions,
} from './http-request.ts'

/** Requests and answers follow a protocol that viva knows. */
export function formatProtocol(
  name: HttpFormatName,
  endpoint: HttpEndpoint,
  faults: Faults | undefined,
): HttpProtocol {
  const format = httpFormats[name]
  const { url: address, body: template = {} } = endpoint.config
  const fillOwn = (values: Data) => {
    const filled = fillBody(endpoint, template, values)
    return isRecord(filled) ? filled : {}
  }
  return {
    history: format.keepsHistory?.(address) === true ? 'kept' : 'given',
    tools: 'reported',
    disclosure: format.disclosure,
    open: (context) => ({
      prepare(turn) {
        const values = templateValues(turn, context)
        const own = fillOwn(values)
        const body = mergeBody(format.createBody({ ...turn, context, address, own }), own)
        const request = createRequest(endpoint, values, body)
        const keySent = request.headers.authorization !== undefined
        const callPrefix = `call_${values.messages.length}`
        const sent = { url: request.url, keySent, callPrefix, faults, body, turns: turn.view.turns }
        let reading: FormatReading | undefined
        const stable = withoutSessions(values)
        return {
          request,
          shown: {
            url: createRequest(endpoint, stable, undefined).url,
            body: mergeBody({ messages: values.messages }, fillOwn(stable)),
          },
          async send(signal, scope) {
            const current = createReadFormat(name, format, sent, scope)
            reading = current
            const reply = await sendRequest(request, signal, current.read)
            // The answer was finished before it was certain that nothing follows.
            scope.refund(current.waitedMs())
            return reply
          },
          misfit: () => reading?.misfit(),
        }
      },
    }),
  }
}

/** Fields of the config replace those of the format; objects are merged. */
function mergeBody(body: Data, own: Data): Data {
  const merged: Data = { ...body }
  for (const [key, value] of Object.entries(own)) {
    const given = body[key]
    merged[key] = isRecord(given) && isRecord(value) ? mergeBody(given, value) : value
  }
  return merged
}
