import module from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { OutputError } from '../errors.ts'
import { processShell } from '../system/shell.ts'
import { version } from '../version.ts'

// Everything else is loaded only when it is needed: `--version` must answer at once.
const argv = process.argv.slice(2)
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${version}\n`)
} else {
  outliveReaders()
  tuneEngine()
  // Node 22 and later keep the compiled code of the command in a folder for temporary files.
  ;(module as { enableCompileCache?(): void }).enableCompileCache?.()
  const { runProgram } = await import('./program.ts')
  process.exitCode = await runProgram(argv, processShell())
}

/** Flags of V8 that Node 20 to 24 know. A later version may not, and would print that. */
function tuneEngine(): void {
  if (Number.parseInt(process.versions.node, 10) > 24) return
  // V8 would let the heap grow to up to four times what is in use before it collects the garbage of a large run.
  setFlagsFromString('--heap-growing-percent=50')
  // V8 would optimize the HTTP parser (WebAssembly) in a thread during the first request, which takes 45 ms and 40 MB, and
  // the process waits for it at its end. With this budget it does so after about 30 requests.
  setFlagsFromString('--wasm-tiering-budget=200000000')
}

/**
 * `viva … | head`: a reader that has gone is no reason to lose the run. Anything else that goes wrong outside of any
 * call (a full disk under stdout, a bug of ours) ends it, and not with the code of a failed case.
 */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') void fail(new OutputError(`the output cannot be written: ${error.message}`))
    })
  }
  process.on('uncaughtException', fail)
  process.on('unhandledRejection', fail)
}

async function fail(error: unknown): Promise<void> {
  try {
    const { printError } = await import('./print-error.ts')
    printError(process, error)
  } finally {
    process.exit(3)
  }
}
