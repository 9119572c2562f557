import { inspect } from 'node:util'

/** Receives changes of the text that is sent to the user under an id. */
export type Send = (id: string, change: { text: string } | { more: string }) => void

/** Endless messages of a script must not fill the memory of the runner. */
const maxSentLength = 1024 * 1024

/**
 * `ctx.Send` and similar methods: messages are logged, and their text is what the user reads. `sentBefore` is the number
 * of messages in this turn so far: ids continue from there.
 */
export function createMessaging(print: (line: string) => void, send: Send = () => {}, sentBefore = 0) {
  const counts = { M: sentBefore, B: 0, T: 0 }
  let sent = 0
  const nextId = (kind: keyof typeof counts) => {
    counts[kind] += 1
    return `${kind}${counts[kind]}`
  }
  const note = (verb: string, id: string, ...what: unknown[]) =>
    print([`ctx.${verb}`, id, ...what.filter((item) => item !== undefined).map(formatValue)].join(' '))
  const say = (id: string, change: Change | undefined) => {
    const [text] = Object.values(change ?? {})
    sent += text?.length ?? 0
    if (change !== undefined && sent <= maxSentLength) send(id, change)
  }
  const begin = (verb: string) => (message: unknown, block?: string) => {
    const id = readMessageId(message) ?? nextId('M')
    note(verb, id, message, block)
    say(id, { text: readMessageText(message) ?? '' })
    return id
  }
  const change =
    (verb: string, changed: (...what: unknown[]) => Change | undefined = () => undefined) =>
    (id: string, ...what: unknown[]) => {
      note(verb, id, ...what)
      say(id, changed(...what))
      return id
    }
  const added = (more: unknown): Change | undefined => {
    const text = readMessageText(more)
    return text === undefined ? undefined : { more: text }
  }
  return {
    Send: begin('Send'),
    SendStream: begin('SendStream'),
    Append: change('Append', (more, path) => (isContent(path) ? added(more) : undefined)),
    Replace: change('Replace', (message) => ({ text: readMessageText(message) ?? '' })),
    Merge: change('Merge', readMergedText),
    Set: change('Set', (data, path) =>
      path === contentPath && typeof data === 'string' ? { text: data } : undefined,
    ),
    End: change('End', added),
    EndBlock: change('EndBlock'),
    MessageID: () => nextId('M'),
    BlockID: () => nextId('B'),
    ThreadID: () => nextId('T'),
  }
}

type Change = Parameters<Send>[1]

const contentPath = 'props.content'

function isContent(path: unknown): boolean {
  return path === undefined || path === contentPath
}

function readMessageId(message: unknown): string | undefined {
  const { message_id: id } = (message ?? {}) as { message_id?: unknown }
  return typeof id === 'string' && id !== '' ? id : undefined
}

/** The readable text of a message: progress, pictures and actions have none. */
function readMessageText(message: unknown): string | undefined {
  if (typeof message === 'string') return message
  const { type = 'text', props } = (message ?? {}) as { type?: unknown; props?: { content?: unknown } }
  return type === 'text' && typeof props?.content === 'string' ? props.content : undefined
}

function readMergedText(data: unknown, path: unknown): Change | undefined {
  const { content, props } = (data ?? {}) as { content?: unknown; props?: { content?: unknown } }
  const merged = path === 'props' ? content : props?.content
  return typeof merged === 'string' ? { text: merged } : undefined
}

interface TraceNode {
  id: string
  [method: string]: unknown
}

/** `ctx.trace`: every node and note becomes a line of the log. */
export function createTrace(print: (line: string) => void) {
  let count = 0
  const note = (...words: unknown[]) => print(['ctx.trace', ...words].filter((word) => word !== '').join(' '))
  function add(input: unknown, option?: unknown): TraceNode {
    count += 1
    const id = `N${count}`
    note(id, readLabel(option), formatValue(input))
    return {
      id,
      ID: id,
      Add: add,
      Parallel: parallel,
      ...createNotes(`${id} `, note),
      ...createEnding(id, note),
    }
  }
  function parallel(items: readonly { input: unknown; option?: unknown }[]): TraceNode[] {
    return items.map(({ input, option }) => add(input, option))
  }
  const spaces = new Map<string, unknown>()
  return {
    id: 'trace',
    Add: add,
    Parallel: parallel,
    ...createNotes('', note),
    ...createEnding('', note),
    CreateSpace(option?: unknown) {
      const space = { id: `S${spaces.size + 1}`, option }
      spaces.set(space.id, space)
      note(space.id, readLabel(option))
      return space
    },
    GetSpace: (id: string) => spaces.get(id) ?? null,
    Release: () => {},
  }
}

type Note = (...words: unknown[]) => void

function createNotes(prefix: string, note: Note) {
  return {
    Info: (message: unknown) => note(`${prefix}info:`, formatValue(message)),
    Debug: (message: unknown) => note(`${prefix}debug:`, formatValue(message)),
    Warn: (message: unknown) => note(`${prefix}warn:`, formatValue(message)),
    Error: (message: unknown) => note(`${prefix}error:`, formatValue(message)),
  }
}

/** How a node, or the whole trace, ends. */
function createEnding(id: string, note: Note) {
  let over = false
  const end = (...words: unknown[]) => {
    over = true
    note(id, ...words)
  }
  return {
    SetOutput: (output: unknown) => note(id, 'output:', formatValue(output)),
    SetMetadata: (key: string, value: unknown) => note(id, `${key}:`, formatValue(value)),
    Complete: (output?: unknown) => end('complete', output === undefined ? '' : formatValue(output)),
    MarkComplete: () => end('complete'),
    Fail: (error: unknown) => end('failed:', formatValue(error)),
    IsComplete: () => over,
  }
}

function readLabel(option: unknown): string {
  return typeof option === 'object' && option !== null && 'label' in option ? String(option.label) : ''
}

function formatValue(value: unknown): string {
  return typeof value === 'string'
    ? value
    : inspect(value, { breakLength: Number.POSITIVE_INFINITY, depth: 6 })
}
