import { createInterface } from 'node:readline/promises'
import type { Person, Question } from '../conversation/person.ts'
import { shortDuration } from '../duration.ts'
import { createPen, wantsColour } from '../reporters/pen.ts'

/** Somebody at the terminal, who is asked one question at a time. */
export interface Interview extends Person {
  /** Prints now, or when the question that is open has been answered: nothing may tear apart what they type. */
  whenQuiet(print: () => void): void
}

/** Undefined where there is nobody: input or output is no terminal. */
export function personAtTerminal(): Interview | undefined {
  const { stdin, stderr } = process
  if (stdin.isTTY !== true || stderr.isTTY !== true) return undefined
  let queue: Promise<unknown> = Promise.resolve()
  let held: (() => void)[] | undefined

  async function askNow(question: Question, signal: AbortSignal): Promise<string | undefined> {
    signal.throwIfAborted()
    held = []
    try {
      return await readAnswer(question, signal)
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
    whenQuiet(print) {
      if (held) held.push(print)
      else print()
    },
  }
}

/** One line. Nothing for an empty one, for Ctrl-D, and when it takes too long. */
async function readAnswer(question: Question, signal: AbortSignal): Promise<string | undefined> {
  const { caseId, agent, hint, timeoutMs } = question
  const pen = createPen(wantsColour(process.stderr, process.env))
  const lines = [
    pen.line`${pen.cyan('?')} [${caseId}] ${agent === undefined ? 'You begin' : 'The agent waits for you'} (an empty line: no answer)`,
    ...(agent === undefined ? [] : [pen.line`  Agent: ${agent}`]),
    ...(hint === undefined ? [] : [pen.line`  Hint: ${hint}`]),
  ]
  process.stderr.write(`\r\u001b[2K${lines.map(({ text }) => `${text}\n`).join('')}`)
  const reader = createInterface({ input: process.stdin, output: process.stderr })
  const limit = AbortSignal.timeout(timeoutMs)
  // In this mode the terminal gives Ctrl-C to us instead of to the process.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const closed = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)))
  const asked = reader.question('  You: ', { signal: AbortSignal.any([signal, limit]) })
  try {
    return await Promise.race([asked, closed])
  } catch (error) {
    signal.throwIfAborted()
    if (!limit.aborted) throw error
    process.stderr.write(`\n${pen.yellow(`  No answer within ${shortDuration(timeoutMs)}`).text}\n`)
    return undefined
  } finally {
    asked.catch(() => {})
    reader.close()
  }
}
