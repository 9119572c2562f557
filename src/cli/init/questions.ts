import { ConfigError } from '../../errors.ts'
import { createPen, wantsColour } from '../../reporters/pen.ts'
import { oneLine } from '../../reporters/printable.ts'
import type { Shell } from '../../system/shell.ts'
import { raiseInterrupt } from '../person.ts'
import type { Question } from './starting-point.ts'

/** Answers the questions of `viva init`: a person, or the defaults. */
export interface Respondent {
  isPerson: boolean
  answer(question: Question): Promise<string>
}

/** With `--yes`, and where nobody can be asked. */
export const defaultAnswers: Respondent = {
  isPerson: false,
  async answer({ text, standard, hint, problem }) {
    const fault = standard === undefined ? undefined : problem?.(standard)
    if (fault !== undefined)
      throw new ConfigError({
        code: 'bad_default',
        message: `${text} The default cannot be used: ${fault}`,
        hint,
      })
    if (standard !== undefined) return standard
    throw new ConfigError({ code: 'no_answer', message: `${text} There is no default`, hint })
  },
}

/** Undefined where input or output is no terminal. */
export function personAnswers(shell: Shell, signal: AbortSignal): Respondent | undefined {
  if (shell.stdin.isTTY !== true || shell.stderr.isTTY !== true) return undefined
  return { isPerson: true, answer: (question) => askUntilValid(question, shell, signal) }
}

async function askUntilValid(question: Question, shell: Shell, signal: AbortSignal): Promise<string> {
  const pen = createPen(wantsColour(shell.stderr, shell.env))
  const standard = question.standard === undefined ? '' : ` [${oneLine(question.standard)}]`
  for (;;) {
    const typed = await readLine(
      pen.line`${pen.cyan('?')} ${question.text}${pen.dim(standard)} `.text,
      shell,
      signal,
    )
    const answer = typed === '' ? question.standard : typed
    const problem = answer === undefined ? 'an answer is needed' : question.problem?.(answer)
    if (answer !== undefined && problem === undefined) return answer
    shell.stderr.write(`${pen.line`  ${pen.yellow(problem ?? '')}`.text}\n`)
  }
}

/** One line of the terminal. Ctrl-D is no answer. */
async function readLine(prompt: string, { stdin, stderr }: Shell, signal: AbortSignal): Promise<string> {
  signal.throwIfAborted()
  const { createInterface } = await import('node:readline')
  const reader = createInterface({ input: stdin, output: stderr, prompt })
  try {
    return await new Promise<string>((resolve, reject) => {
      signal.addEventListener(
        'abort',
        () => {
          stderr.write('\n')
          reject(signal.reason)
        },
        { once: true },
      )
      raiseInterrupt(reader)
      reader.once('line', (line) => resolve(line.trim()))
      reader.once('close', () => {
        const message = 'no answer: nothing was written'
        reject(new ConfigError({ code: 'no_answer', message, hint: '--yes takes the defaults' }))
      })
      reader.prompt()
    })
  } finally {
    reader.close()
  }
}
