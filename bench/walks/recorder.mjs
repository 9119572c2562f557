/**
 * Copied beside the instrumented sources, which import it: notes every module that is evaluated, and every function when
 * it is called for the first time in this process or thread, with the calls on the stack.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { threadId } from 'node:worker_threads'

const records = fileURLToPath(new URL('./records.jsonl', import.meta.url))
const sources = new URL('./src/', import.meta.url).href
const seen = new Set()
/** How many modules are being evaluated: what they call meanwhile belongs to loading. */
let evaluating = 0

export function loading(file, isEntry) {
  write({ file })
  if (!isEntry) evaluating += 1
}

export function loaded() {
  evaluating -= 1
}

export function called(file, name, id) {
  if (evaluating > 0 || seen.has(id)) return
  seen.add(id)
  write({ file, name, stack: readStack() })
}

/** The calls on the stack, innermost first: the function, and the name by which it calls the next one in. */
function readStack() {
  const { stackTraceLimit, prepareStackTrace } = Error
  Error.stackTraceLimit = 100
  Error.prepareStackTrace = undefined
  const lines = new Error().stack.split('\n')
  Object.assign(Error, { stackTraceLimit, prepareStackTrace })
  return lines.flatMap((line) => {
    const [, path, row, column] = /^(.*)\.js:(\d+):(\d+)/.exec(line.split(sources)[1] ?? '') ?? []
    if (path === undefined) return []
    const [, name = ''] = /([\w$#]+)(?: \[as \w+\])? \(/.exec(line) ?? []
    return [
      {
        file: `src/${path}.ts`,
        name,
        async: line.includes(' async '),
        calls: wordAt(path, Number(row), Number(column)),
      },
    ]
  })
}

const texts = new Map()

/** `print` for `screen.print(…)`, and for `screen.print?.(…)`, whose place is behind the name. */
function wordAt(path, row, column) {
  if (!texts.has(path)) texts.set(path, readFileSync(new URL(`${path}.js`, sources), 'utf8').split('\n'))
  const line = texts.get(path)[row - 1]
  const [word] = /^[\w$#]+/.exec(line.slice(column - 1)) ??
    /[\w$#]+(?=\W*$)/.exec(line.slice(0, column - 1)) ?? ['']
  return word
}

/** The clock is the machine's: the records of all processes can be put in order. */
function write(record) {
  const at = process.hrtime.bigint().toString()
  appendFileSync(records, `${JSON.stringify({ at, process: `${process.pid}.${threadId}`, ...record })}\n`)
}
