/** What the server of the benchmarks answers, by the name of the model that a request asks for. */

/** A constant answer, prepared once: building it must not cost the server time at 0 ms latency. */
const greeting = prepare('Hello from the benchmark.')

/** A simulated user must never repeat a message, so the messages are numbered. */
let messages = 0

const models = {
  bench: () => greeting,
  /** An agent that counts the turns of the conversation. */
  turns: ({ messages }) => prepare(`Hello in turn ${messages.filter(({ role }) => role === 'user').length}.`),
  /** A simulated user, as text. */
  user: () => prepare(nextMessage()),
  /** A simulated user, as the JSON that `viva.simulator` asks for. */
  'user-as-json': () =>
    prepare(JSON.stringify({ reasoning: 'Not done yet.', goal_achieved: false, input: nextMessage() })),
  /** An agent that calls a tool once, and then repeats its result. */
  counter: ({ messages }) => {
    const last = messages.at(-1)
    return last.role === 'tool' ? prepare(last.content) : prepare('', [toolCall])
  },
}

const toolCall = { id: 'call_1', type: 'function', function: { name: 'counter__add', arguments: '{}' } }

/** The headers and the body of the response. */
export function createReply(path, request) {
  const reply = (models[request.model] ?? models.bench)(request)
  // The length of a stream is not known when it begins.
  if (request.stream === true)
    return { headers: { 'content-type': 'text/event-stream' }, body: reply.streamed }
  const body = path.endsWith('/responses') ? reply.response() : reply.whole
  return { headers: { 'content-type': 'application/json', 'content-length': body.length }, body }
}

function nextMessage() {
  messages += 1
  return `Then please tell me about number ${messages}.`
}

function prepare(text, toolCalls) {
  const head = { id: 'chatcmpl-bench', created: 0, model: 'bench' }
  const usage = { prompt_tokens: 12, completion_tokens: 4, total_tokens: 16 }
  const event = (choices, more) =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices, ...more })}\n\n`
  const message = { role: 'assistant', content: text, tool_calls: toolCalls }
  return {
    whole: Buffer.from(
      JSON.stringify({
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: 'stop' }],
        usage,
      }),
    ),
    streamed: Buffer.from(
      [
        // One event per word, as models send them.
        ...text
          .split(/(?<= )/)
          .map((content) => event([{ index: 0, delta: { content }, finish_reason: null }])),
        event([{ index: 0, delta: {}, finish_reason: 'stop' }]),
        event([], { usage }),
        'data: [DONE]\n\n',
      ].join(''),
    ),
    /** The format of OpenAI's newer endpoint, which some peers call. */
    response: () =>
      Buffer.from(
        JSON.stringify({
          id: 'resp_bench',
          object: 'response',
          created_at: 0,
          status: 'completed',
          model: 'bench',
          output: [
            {
              id: 'msg_bench',
              type: 'message',
              status: 'completed',
              role: 'assistant',
              content: [{ type: 'output_text', text, annotations: [] }],
            },
          ],
          usage: { input_tokens: 12, output_tokens: 4, total_tokens: 16 },
        }),
      ),
  }
}
