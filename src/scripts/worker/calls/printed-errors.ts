import { isRecord } from '../../../json/json.ts'
import type { PrintedErrorEvent } from '../../protocol/provider-call.ts'
import { describeThrown } from '../../protocol/thrown.ts'

type Print = typeof console.error

const sdkErrors = /^(?:AI_|Gateway)\w*Error$/

let watching = 0
let replaced: { own: Print; watched: Print } | undefined

/** Runs work, and reports errors of the AI SDK that are printed meanwhile: `streamText` does not throw those of its stream. */
export async function watchPrintedErrors<T>(
  report: (event: PrintedErrorEvent) => void,
  work: () => Promise<T>,
): Promise<T> {
  watching += 1
  if (replaced === undefined || console.error !== replaced.watched) replaced = watchConsole(report)
  try {
    return await work()
  } finally {
    watching -= 1
    if (watching === 0) stopWatching()
  }
}

function watchConsole(report: (event: PrintedErrorEvent) => void): typeof replaced {
  const own = console.error
  const watched: Print = (...printed) => {
    const [error] = printed
    if (isRecord(error) && sdkErrors.test(String(error.name)))
      report({ type: 'printed_error', failure: describeThrown(error) })
    own.apply(console, printed)
  }
  console.error = watched
  return { own, watched }
}

/** What the user's code has put in its place meanwhile stays. */
function stopWatching(): void {
  if (replaced !== undefined && console.error === replaced.watched) console.error = replaced.own
  replaced = undefined
}
