import { z } from 'zod'
import { isRecord } from '../json/json.ts'
import { compilePath } from '../json/path.ts'
import { placeholdersIn } from '../json/template.ts'
import { refineByCompiling } from '../json/validation/compiled-text.ts'
import { httpFormatKeys, httpFormatNames } from './http-formats.ts'
import { templateProblem } from './request-placeholders.ts'

const checkPath = refineByCompiling((text) => compilePath(text.replace(/\?$/, '')))

const path = z.string().superRefine(checkPath)
const optionalPath = path.optional()

const template = <T extends z.ZodType>(type: T) =>
  type.superRefine((value, context) => {
    const message = templateProblem(value)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

/** Whether the text is a URL once its placeholders are filled in. */
export const isHttpUrl = (text: string) =>
  /^https?:\/\//.test(text) && URL.canParse(text.replace(/\{\{.*?\}\}/g, 'x'))

const toolCallsSchema = z
  .strictObject({
    path: path.describe('The list of calls'),
    name: path.describe('In a call: the name of the tool'),
    arguments: optionalPath.describe(
      'In a call: its arguments, as data or as JSON text (default: `arguments` or `args`)',
    ),
    result: optionalPath.describe('In a call: what the tool returned'),
    error: optionalPath.describe('In a call: why the tool failed'),
  })
  .meta({ id: 'http-tool-calls' })

export const httpResponseSchema = z
  .strictObject({
    content: optionalPath.describe('The text a person would read'),
    output: optionalPath.describe('What checks look at, if it is not the text'),
    tool_calls: z
      .union([path, toolCallsSchema])
      .optional()
      .describe(
        'The path of a list of `{name, arguments, result?}` (or `args`), or `{path, name, arguments, result}` with a path for each. Without it, the agent hides its tools',
      ),
    awaiting_input: optionalPath.describe('Whether the agent waits for an answer'),
    input_hint: optionalPath.describe('What the agent suggests as input'),
    finish_reason: optionalPath.describe('Why the model stopped'),
    usage: z
      .strictObject({
        input_tokens: optionalPath.describe('The number of input tokens'),
        output_tokens: optionalPath.describe('The number of output tokens'),
        cached_tokens: optionalPath.describe('The number of input tokens that came from a cache'),
        model: optionalPath.describe('The name of the model, by which its price is found'),
        cost: optionalPath.describe('The cost in US dollars, if the agent knows it'),
      })
      .optional()
      .describe('Paths of the token counts, and of the model'),
    error: optionalPath.describe('If this path finds something, the agent has failed'),
  })
  .meta({ id: 'http-response' })

export const httpEventSchema = z
  .strictObject({
    delta: path.describe('The next piece of the text, in the events that have one'),
    end: z
      .string()
      .superRefine((text, context) => {
        if (text.startsWith('$')) checkPath(text, context)
      })
      .optional()
      .describe(
        'What ends the stream: the name of an event, its whole data (`[DONE]`), or a path that exists in it (`$.done`)',
      ),
  })
  .meta({ id: 'http-event' })

/** `agents.<name>` in the config as an object: an HTTP agent with a known format, or with a mapping of its own. */
export const httpAgentSchema = z
  .strictObject({
    url: template(
      z.string().refine((text) => text.startsWith('{{env.') || isHttpUrl(text), {
        error: 'must be an http:// or https:// URL',
      }),
    ).describe('The URL of the agent; `-n` with this URL uses this entry too'),
    method: z
      .enum(['POST', 'PUT', 'PATCH', 'GET'])
      .optional()
      .describe('Default `POST`; with `GET` there is no `request`'),
    headers: template(z.record(z.string(), z.string()))
      .optional()
      .describe('Sent with every request; may contain `{{placeholders}}`'),
    format: z
      .enum(httpFormatNames)
      .optional()
      .describe(
        'The protocol that the agent speaks. It replaces `request`, `response`, `session`, `stream` and `event`',
      ),
    body: template(z.record(z.string(), z.unknown()))
      .optional()
      .describe(
        'With a `format`: further fields of the body, such as `model` or `assistant_id`, with `{{placeholders}}`',
      ),
    request: template(z.unknown()).optional().describe('The body: any JSON, with `{{placeholders}}`'),
    response: httpResponseSchema.optional().describe('JSONPaths of the parts of the answer'),
    session: optionalPath.describe('JSONPath of the value that later turns send back as `{{session}}`'),
    stream: z.literal('sse').optional().describe('`sse`: the agent answers with server-sent events'),
    event: httpEventSchema.optional().describe('How to read the events'),
  })
  .superRefine((agent, context) => {
    const fault = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message })
    if (agent.format !== undefined) {
      for (const [key, message] of listFormatFaults(agent.format, agent)) fault(key, message)
      return
    }
    if (agent.body !== undefined) fault('body', 'needs a `format`; without one, `request` is the whole body')
    const sent = placeholdersIn([agent.url, agent.headers, agent.request])
    if (agent.stream !== undefined && agent.event === undefined)
      fault('stream', 'needs `event.delta`, the path of the text in an event')
    if (agent.event !== undefined && agent.stream === undefined) fault('event', 'needs `stream: "sse"`')
    const { content, output } = agent.response ?? {}
    if (agent.response !== undefined && !agent.event && content === undefined && output === undefined)
      fault('response', 'must have a path for `content` or `output`')
    if (agent.method === 'GET' && agent.request !== undefined) fault('request', 'a GET has no body')
    if (sent.includes('session') && agent.session === undefined)
      fault('session', 'is missing: name the path in the answer of the value for {{session}}')
    if (agent.session !== undefined && !sent.includes('session'))
      fault('session', 'is read from the answer, but {{session}} is not sent anywhere')
  })
  .meta({ id: 'http-agent' })

/** What contradicts the format: each key, with what is wrong with it. */
function listFormatFaults(
  format: keyof typeof httpFormatKeys,
  agent: Record<string, unknown>,
): [key: string, message: string][] {
  const decided = ['request', 'response', 'session', 'stream', 'event'].filter((key) => key in agent)
  const faults = decided.map((key): [string, string] => [
    key,
    `is decided by \`format: "${format}"\`: leave one of them out`,
  ])
  if (agent.method === 'GET') faults.push(['method', `a GET has no body, which \`format\` needs`])
  if (placeholdersIn([agent.url, agent.headers, agent.body]).includes('session'))
    faults.push(['format', 'does not know {{session}}: use {{sessionId}}'])
  const { fills, needs } = httpFormatKeys[format]
  const body = isRecord(agent.body) ? agent.body : {}
  for (const path of fills.filter((path) => hasPath(body, path.split('.'))))
    faults.push(['body', `\`${path}\` is filled by the format: leave it out`])
  for (const key of needs.filter((key) => body[key] === undefined))
    faults.push(['body', `must have \`${key}\``])
  return faults
}

function hasPath(value: unknown, [key, ...rest]: string[]): boolean {
  return key === undefined || (isRecord(value) && key in value && hasPath(value[key], rest))
}

export type HttpAgentConfig = z.infer<typeof httpAgentSchema>
export type HttpResponseMapping = z.infer<typeof httpResponseSchema>
