import { ConfigError, errorMessage, formatProblem, InfrastructureError, OutputError } from '../errors.ts'
import { secretValues } from '../privacy/secret-variables.ts'
import { createRedactor } from '../privacy/secrets.ts'
import { createPen, wantsColour } from '../reporters/pen.ts'
import { createLogEscape } from '../reporters/workflow-commands.ts'
import type { Shell } from '../system/shell.ts'

type Errors = Pick<Shell, 'stderr' | 'env'>

/** Prints what should be known, though it stops nothing. */
export function printWarning({ stderr, env }: Errors, text: string): void {
  const pen = createPen(wantsColour(stderr, env))
  const warning = createRedactor(secretValues(env))(pen.line`${pen.yellow('⚠')} ${text}`.text)
  stderr.write(`${createLogEscape(env)(warning)}\n`)
}

/** Prints what went wrong: each mistake of the user's on a line; our own bugs with their stack. */
export function printError({ stderr, env }: Errors, error: unknown): void {
  const pen = createPen(wantsColour(stderr, env))
  const redact = createRedactor(secretValues(env))
  const harmless = createLogEscape(env)
  const print = (line: { text: string }) => stderr.write(`${harmless(redact(line.text))}\n`)
  if (error instanceof AggregateError) {
    for (const each of error.errors) printError({ stderr, env }, each)
    return
  }
  if (error instanceof ConfigError) {
    for (const problem of error.problems) print(pen.line`${pen.red('✗')} ${formatProblem(problem)}`)
    if (error.problems.length > 1) print(pen.line`${error.problems.length} errors. Nothing was run.`)
    return
  }
  if (error instanceof OutputError || error instanceof InfrastructureError) {
    print(pen.line`${pen.red('✗')} ${error.message}`)
    return
  }
  const refused = refusedFile(error)
  if (refused !== undefined) {
    print(pen.line`${pen.red('✗')} ${refused}: permission denied`)
    return
  }
  print(pen.line`${pen.red('✗')} viva failed: ${errorMessage(error)}`)
  if (error instanceof Error && error.stack && env.VIVA_DEBUG) print(pen.dim(error.stack))
  else print(pen.dim('This is a bug in viva. VIVA_DEBUG=1 shows where.'))
}

/** The first of several errors is the one that the others followed from. */
export function errorExitCode(error: unknown): number {
  if (error instanceof AggregateError) return errorExitCode(error.errors[0])
  return error instanceof ConfigError || refusedFile(error) !== undefined ? 2 : 3
}

/** The file that the user may not read, where that is the error. What is written reports its own errors. */
function refusedFile(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('path' in error)) return undefined
  return error.code === 'EACCES' && typeof error.path === 'string' ? error.path : undefined
}
