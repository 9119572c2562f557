import type { Interface } from 'node:readline'
import type { Person, PersonAnswer, PersonQuestion } from '../conversation/person.ts'
import { defined } from '../json/defined.ts'
import { type Redactor, redactKey } from '../privacy/redact.ts'
import { createPen, type Pen, wantsColour } from '../reporters/pen.ts'
import { oneLine, printable } from '../reporters/printable.ts'
import { startTimer, untilAborted } from '../scope/deadline.ts'
import type { InputStream, OutputStream, Shell } from '../system/shell.ts'
import { shortDuration } from '../text/duration.ts'
import { shorten } from '../text/shorten.ts'

/** Somebody at the terminal, who is asked one question at a time. */
export interface Interview extends Person {
  /** A question is open: what is drawn now would run over what they type. */
  isAsking(): boolean
  /** Prints now, or when the question that is open has been answered: nothing may tear apart what they type. */
  whenQuiet(print: () => void): void
}

type Streams = Pick<Shell, 'stdin' | 'stderr' | 'env'>

/** Undefined where there is nobody: input or output is no terminal. */
export function personAtTerminal(streams: Streams, redact: () => Redactor): Interview | undefined {
  const { stdin, stderr } = streams
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined
  let queue: Promise<unknown> = Promise.resolve()
  let held: (() => void)[] | undefined

  async function askNow(question: PersonQuestion, signal: AbortSignal): Promise<PersonAnswer> {
    signal.throwIfAborted()
    held = []
    try {
      return await interview(withoutSecrets(question, redact()), streams, signal)
    } finally {
      const prints = held
      held = undefined
      for (const print of prints) print()
    }
  }
  return {
    ask(question, signal) {
      const answer = queue.then(() => askNow(question, signal))
      queue = answer.catch(() => {})
      return answer
    },
    isAsking: () => held !== undefined,
    whenQuiet(print) {
      if (held) held.push(print)
      else print()
    },
  }
}

/** A paste comes in pieces; after so long without another key it is over. */
const silenceMs = 50

/** Shows the question, takes one line. */
async function interview(
  question: PersonQuestion,
  { stdin, stderr, env }: Streams,
  signal: AbortSignal,
): Promise<PersonAnswer> {
  const pen = createPen(wantsColour(stderr, env))
  await dropTyped(stdin, signal)
  stderr.write(`${clearLine}${questionText(question, pen)}`)
  const { createInterface } = await import('node:readline')
  const reader = createInterface({ input: stdin, output: stderr, prompt: '  You: ' })
  raiseInterrupt(reader)
  let lines = 0
  reader.on('line', () => {
    lines += 1
  })
  try {
    const answer = await readAnswer(reader, question.timeoutMs, stderr, signal)
    await untilSilent(stdin, signal)
    if (lines > 0 && reader.line !== '') stderr.write('\n')
    if ('none' in answer) stderr.write(`${pen.yellow(`  No message: ${answer.none}`).text}\n`)
    else if (lines > 1 || reader.line !== '')
      stderr.write(`${pen.yellow('  Only the first line is sent: what came after it is dropped').text}\n`)
    return answer
  } finally {
    reader.close()
  }
}

function withoutSecrets({ key, agent, hint, timeoutMs }: PersonQuestion, redact: Redactor): PersonQuestion {
  const shown = defined({ agent: redact(agent), hint: redact(hint) })
  return { key: redactKey(key, redact), timeoutMs, ...shown }
}

const clearLine = '\r\u001b[2K'
const longestShown = 20_000

function questionText({ key, agent, hint }: PersonQuestion, pen: Pen): string {
  const attempt = key.attempt === 1 ? '' : ` (attempt ${key.attempt})`
  const what = agent === undefined ? 'you begin' : 'it is your turn'
  const lines = [
    pen.line`${pen.cyan('?')} [${oneLine(key.id)}]${attempt} ${oneLine(key.variant)}: ${what} (an empty line: no answer)`,
    ...(agent === undefined ? [] : [pen.line`  Agent: ${hanging(agent)}`]),
    ...(hint === undefined ? [] : [pen.line`  Hint: ${oneLine(hint, 500)}`]),
  ]
  return lines.map(({ text }) => `${text}\n`).join('')
}

/** Further lines stand below the first: an agent cannot write a line that looks like one of ours. */
function hanging(text: string): string {
  return printable(shorten(text, longestShown)).trimEnd().replaceAll('\n', '\n         ')
}

/** Their first line, unless they have none, or take too long. */
async function readAnswer(
  reader: Interface,
  timeoutMs: number,
  stderr: OutputStream,
  signal: AbortSignal,
): Promise<PersonAnswer> {
  let stopTimer = () => {}
  let onNewLine = false
  const answer = new Promise<PersonAnswer>((resolve) => {
    reader.once('line', (text) => {
      onNewLine = true
      resolve(text.trim() === '' ? { none: 'an empty line' } : { text })
    })
    reader.once('close', () => resolve({ none: 'Ctrl-D' }))
    const tooLate = { none: `no answer within ${shortDuration(timeoutMs)}` }
    stopTimer = startTimer(timeoutMs, () => resolve(tooLate))
  })
  reader.prompt()
  try {
    return await untilAborted(answer, signal)
  } finally {
    stopTimer()
    if (!onNewLine) stderr.write('\n')
  }
}

/**
 * What was typed before the question is no answer to it: they may have meant another case, or pressed Enter once
 * too often.
 */
async function dropTyped(stdin: InputStream, signal: AbortSignal): Promise<void> {
  const { createInterface } = await import('node:readline')
  const reader = createInterface({ input: stdin, terminal: true })
  raiseInterrupt(reader)
  await untilSilent(stdin, signal)
  reader.close()
  signal.throwIfAborted()
}

/** Until nothing more comes: the rest of a paste is left neither to the next question nor to the shell. */
function untilSilent(stdin: InputStream, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      stdin.off('keypress', hear)
      resolve()
    }, silenceMs)
    const hear = () => void (signal.aborted || timer.refresh())
    stdin.on('keypress', hear)
  })
}

/** While a line is read, the terminal gives Ctrl-C to us instead of to the process. */
export function raiseInterrupt(reader: Interface): void {
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
}
