import { type Debugger, Session } from 'node:inspector'
import { fileUrlToPath, isUserFile } from '../protocol/place.ts'
import { readInlineMap } from '../worker/coverage/source-map.ts'

/** A blocked thread runs no code that the debugger could pause. */
const patienceMs = 300

/** Finds where in the user's code the only worker of this process is stuck, as `file:line`. */
export function findStuckPlace(entry: URL): Promise<string | undefined> {
  const session = new Session()
  session.connect()
  const scripts = new Map<string, Debugger.ScriptParsedEventDataType>()
  const found = new Promise<string | undefined>((resolve) => {
    setTimeout(() => resolve(undefined), patienceMs)
    session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
      // Node has other threads of its own.
      if (workerInfo.url !== entry.href) return
      for (const [id, method] of ['Debugger.enable', 'Debugger.pause'].entries())
        session.post('NodeWorker.sendMessageToWorker', {
          sessionId,
          message: JSON.stringify({ id: id + 1, method }),
        })
    })
    session.on('NodeWorker.receivedMessageFromWorker', ({ params }) => {
      const { method, params: event } = JSON.parse(params.message) as { method?: string; params: unknown }
      if (method === 'Debugger.scriptParsed') {
        const script = event as Debugger.ScriptParsedEventDataType
        scripts.set(script.scriptId, script)
      }
      if (method === 'Debugger.paused')
        resolve(findUserPlace((event as Debugger.PausedEventDataType).callFrames, scripts))
    })
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  })
  return found.finally(() => session.disconnect())
}

function findUserPlace(
  frames: readonly Debugger.CallFrame[],
  scripts: ReadonlyMap<string, Debugger.ScriptParsedEventDataType>,
): string | undefined {
  for (const { location } of frames) {
    const script = scripts.get(location.scriptId)
    const file = script === undefined ? undefined : fileUrlToPath(script.url)
    if (script === undefined || file === undefined || !isUserFile(file) || isVivaScript(script.url)) continue
    return `${file}:${sourceLine(location, file, script)}`
  }
  return undefined
}

function isVivaScript(url: string): boolean {
  return url.startsWith(new URL('.', import.meta.url).href)
}

/** The line in the TypeScript, from the last segment that begins before it. Counted from 1. */
function sourceLine(
  { lineNumber, columnNumber = 0 }: Debugger.Location,
  file: string,
  { sourceMapURL = '' }: Debugger.ScriptParsedEventDataType,
): number {
  const map = readInlineMap(file, `\n//# sourceMappingURL=${sourceMapURL}`)
  const piece = map?.segments.findLast(
    ({ line, column }) => line < lineNumber || (line === lineNumber && column <= columnNumber),
  )
  return (piece?.sourceLine ?? lineNumber) + 1
}
