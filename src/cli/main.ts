import { version } from '../version.ts'

// Everything else is loaded only when it is needed: `--version` must answer at once.
const argv = process.argv.slice(2)
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${version}\n`)
} else {
  const { runProgram } = await import('./program.ts')
  process.exitCode = await runProgram(argv)
}
