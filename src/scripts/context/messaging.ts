import { inspect } from 'node:util'

/** `ctx.Send` and the like: there is nobody to send to, so what is sent is written down. */
export function createMessaging(print: (line: string) => void) {
  const counts = { M: 0, B: 0, T: 0 }
  const nextId = (kind: keyof typeof counts) => {
    counts[kind] += 1
    return `${kind}${counts[kind]}`
  }
  const note = (verb: string, id: string, ...what: unknown[]) =>
    print([`ctx.${verb}`, id, ...what.filter((item) => item !== undefined).map(shown)].join(' '))
  const begin = (verb: string) => (message: unknown, block?: string) => {
    const id = nextId('M')
    note(verb, id, message, block)
    return id
  }
  const change =
    (verb: string) =>
    (id: string, ...what: unknown[]) => {
      note(verb, id, ...what)
      return id
    }
  return {
    Send: begin('Send'),
    SendStream: begin('SendStream'),
    Append: change('Append'),
    Replace: change('Replace'),
    Merge: change('Merge'),
    Set: change('Set'),
    End: change('End'),
    EndBlock: change('EndBlock'),
    MessageID: () => nextId('M'),
    BlockID: () => nextId('B'),
    ThreadID: () => nextId('T'),
  }
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
