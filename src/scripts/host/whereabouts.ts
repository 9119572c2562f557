import { type Debugger, Session } from 'node:inspector'
import { fileUrlToPath, isUserFile } from '../protocol/place.ts'
import { readInlineMap } from '../worker/coverage/source-map.ts'

/** A thread inside a system call runs no code that the debugger could pause. */
const patienceMs = 300

type Scripts = Map<string, Debugger.ScriptParsedEventDataType>

/** A thread that is being looked at. */
interface Look {
  scripts: Scripts
  paused(place: string | undefined): void
}

/** Finds where in the user's code a thread is. Has one inspector session, because a second would never attach. */
export class Whereabouts {
  #session: Session | undefined
  /** The inspector's ids, by the title that it gives to a thread. */
  readonly #sessionIds = new Map<string, string>()
  readonly #looks = new Map<string, Look>()

  /** As `file:line`. The thread goes on afterwards. */
  async locate(threadId: number): Promise<string | undefined> {
    await this.#connect()
    const sessionId = this.#sessionIds.get(`[worker ${threadId}]`)
    if (sessionId === undefined) return undefined
    const found = new Promise<string | undefined>((resolve) => {
      setTimeout(resolve, patienceMs, undefined)
      this.#looks.set(sessionId, { scripts: new Map(), paused: resolve })
    })
    for (const method of ['Debugger.enable', 'Debugger.pause']) this.#send(sessionId, method)
    const place = await found
    this.#looks.delete(sessionId)
    // A thread that is terminated with its debugger enabled would end the process.
    for (const method of ['Debugger.resume', 'Debugger.disable']) this.#send(sessionId, method)
    return place
  }

  async #connect(): Promise<void> {
    if (this.#session !== undefined) return
    const session = new Session()
    this.#session = session
    session.connect()
    session.on('NodeWorker.attachedToWorker', ({ params: { sessionId, workerInfo } }) => {
      const [title = workerInfo.title] = /^\[worker \d+\]/.exec(workerInfo.title) ?? []
      this.#sessionIds.set(title, sessionId)
    })
    session.on('NodeWorker.receivedMessageFromWorker', ({ params: { sessionId, message } }) =>
      this.#receive(sessionId, message),
    )
    await new Promise<void>((resolve) => {
      session.post('NodeWorker.enable', { waitForDebuggerOnStart: false }, () => resolve())
    })
  }

  #receive(sessionId: string, message: string): void {
    const look = this.#looks.get(sessionId)
    const { method, params } = JSON.parse(message) as { method?: string; params: unknown }
    if (look === undefined) return
    if (method === 'Debugger.scriptParsed') {
      const script = params as Debugger.ScriptParsedEventDataType
      look.scripts.set(script.scriptId, script)
    }
    if (method === 'Debugger.paused')
      look.paused(findUserPlace((params as Debugger.PausedEventDataType).callFrames, look.scripts))
  }

  #send(sessionId: string, method: string): void {
    this.#session?.post('NodeWorker.sendMessageToWorker', {
      sessionId,
      message: JSON.stringify({ id: 1, method }),
    })
  }
}

function findUserPlace(frames: readonly Debugger.CallFrame[], scripts: Scripts): string | undefined {
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
