import { ConfigError, formatProblem, InfrastructureError, messageOf, OutputError } from '../errors.ts'
import { namedSecrets } from '../privacy/secret-variables.ts'
import { createRedact } from '../privacy/secrets.ts'
import { createPen, wantsColour } from '../reporters/pen.ts'
import { harmlessInLog } from '../reporters/workflow-commands.ts'

/** What should be known, though it stops nothing. */
export function printWarning(text: string): void {
  const pen = createPen(wantsColour(process.stderr, process.env))
  const warning = createRedact(namedSecrets())(pen.line`${pen.yellow('⚠')} ${text}`.text)
  process.stderr.write(`${harmlessInLog(process.env)(warning)}\n`)
}

/** What went wrong, on stderr: each mistake of the user's on a line; our own bugs with their stack. */
export function printError(error: unknown): void {
  const pen = createPen(wantsColour(process.stderr, process.env))
  const redact = createRedact(namedSecrets())
  const harmless = harmlessInLog(process.env)
  const print = (line: { text: string }) => process.stderr.write(`${harmless(redact(line.text))}\n`)
  if (error instanceof ConfigError) {
    for (const problem of error.problems) print(pen.line`${pen.red('✗')} ${formatProblem(problem)}`)
    if (error.problems.length > 1) print(pen.line`${error.problems.length} errors. Nothing was run.`)
    return
  }
  if (error instanceof OutputError || error instanceof InfrastructureError) {
    print(pen.line`${pen.red('✗')} ${error.message}`)
    return
  }
  print(pen.line`${pen.red('✗')} viva failed: ${messageOf(error)}`)
  if (error instanceof Error && error.stack && process.env.VIVA_DEBUG) print(pen.dim(error.stack))
  else print(pen.dim('This is a bug in viva. VIVA_DEBUG=1 shows where.'))
}
