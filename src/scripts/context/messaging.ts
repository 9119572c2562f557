import { inspect } from 'node:util'

/** Told of what has been said to the user under an id, whenever it changes. */
export type Send = (id: string, text: string) => void

/** `ctx.Send` and the like: what is sent is written down, and its text is what the user reads. */
export function createMessaging(print: (line: string) => void, send: Send = () => {}) {
  const counts = { M: 0, B: 0, T: 0 }
  const texts = new Map<string, string>()
  const nextId = (kind: keyof typeof counts) => {
    counts[kind] += 1
    return `${kind}${counts[kind]}`
  }
  const note = (verb: string, id: string, ...what: unknown[]) =>
    print([`ctx.${verb}`, id, ...what.filter((item) => item !== undefined).map(shown)].join(' '))
  const say = (id: string, text: string | undefined) => {
    if (text === undefined || texts.get(id) === text) return
    texts.set(id, text)
    send(id, text)
  }
  const begin = (verb: string) => (message: unknown, block?: string) => {
    const id = givenId(message) ?? nextId('M')
    note(verb, id, message, block)
    say(id, textIn(message))
    return id
  }
  const change =
    (verb: string, changed: (text: string, ...what: unknown[]) => string | undefined = () => undefined) =>
    (id: string, ...what: unknown[]) => {
      note(verb, id, ...what)
      say(id, changed(texts.get(id) ?? '', ...what))
      return id
    }
  return {
    Send: begin('Send'),
    SendStream: begin('SendStream'),
    Append: change('Append', (text, more, path) =>
      isContent(path) ? text + (textIn(more) ?? '') : undefined,
    ),
    Replace: change('Replace', (_, message) => textIn(message) ?? ''),
    Merge: change('Merge', (_, data, path) => mergedText(data, path)),
    Set: change('Set', (_, data, path) =>
      path === contentPath && typeof data === 'string' ? data : undefined,
    ),
    End: change('End', (text, more) => text + (textIn(more) ?? '')),
    EndBlock: change('EndBlock'),
    MessageID: () => nextId('M'),
    BlockID: () => nextId('B'),
    ThreadID: () => nextId('T'),
  }
}

const contentPath = 'props.content'

function isContent(path: unknown): boolean {
  return path === undefined || path === contentPath
}

function givenId(message: unknown): string | undefined {
  const { message_id: id } = (message ?? {}) as { message_id?: unknown }
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** What a person reads of a message: progress, pictures and actions are no text. */
function textIn(message: unknown): string | undefined {
  if (typeof message === 'string') return message
  const { type = 'text', props } = (message ?? {}) as { type?: unknown; props?: { content?: unknown } }
  return type === 'text' && typeof props?.content === 'string' ? props.content : undefined
}

function mergedText(data: unknown, path: unknown): string | undefined {
  const { content, props } = (data ?? {}) as { content?: unknown; props?: { content?: unknown } }
  const merged = path === 'props' ? content : props?.content
  return typeof merged === 'string' ? merged : undefined
}

interface TraceNode {
  id: string
  [method: string]: unknown
}

/** `ctx.trace`: every node and note becomes a line of the log. */
export function createTrace(print: (line: string) => void) {
  let count = 0
  const note = (...words: unknown[]) => print(['ctx.trace', ...words].filter((word) => word !== '').join(' '))
  const notes = (prefix: string) => ({
    Info: (message: unknown) => note(`${prefix}info:`, shown(message)),
    Debug: (message: unknown) => note(`${prefix}debug:`, shown(message)),
    Warn: (message: unknown) => note(`${prefix}warn:`, shown(message)),
    Error: (message: unknown) => note(`${prefix}error:`, shown(message)),
  })
  const labelOf = (option: unknown) =>
    typeof option === 'object' && option !== null && 'label' in option ? String(option.label) : ''

  function add(input: unknown, option?: unknown): TraceNode {
    count += 1
    const id = `N${count}`
    note(id, labelOf(option), shown(input))
    return {
      id,
      ID: id,
      Add: add,
      Parallel: parallel,
      ...notes(`${id} `),
      SetOutput: (output: unknown) => note(id, 'output:', shown(output)),
      SetMetadata: (key: string, value: unknown) => note(id, `${key}:`, shown(value)),
      Complete: (output?: unknown) => note(id, 'complete', output === undefined ? '' : shown(output)),
      Fail: (error: unknown) => note(id, 'failed:', shown(error)),
    }
  }
  function parallel(items: readonly { input: unknown; option?: unknown }[]): TraceNode[] {
    return items.map(({ input, option }) => add(input, option))
  }
  return { Add: add, Parallel: parallel, ...notes('') }
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? value
    : inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 6 })
}
