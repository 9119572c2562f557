import { type Debugger, type Profiler, Session } from 'node:inspector'
import type { FileCoverage } from '../../protocol/coverage.ts'
import { mergeCoverage } from '../../protocol/merge-coverage.ts'
import { fileUrlToPath, isUserFile } from '../../protocol/place.ts'
import { countHits } from './hits.ts'
import { type LocatedCode, locateCode } from './locate.ts'

export interface Coverage {
  /** Returns what ran since the last call, of the user's files in this thread. */
  take(): FileCoverage[]
}

const ownFolder = new URL('.', import.meta.url).href

/**
 * Lets V8 count in this thread. Must come before the user's code is loaded.
 * Our own code: ast-v8-to-istanbul 1.0.8 reports lines that ran after a loop with closures as not run, as it does fields
 * that hold functions, gives arrow functions no names (12 of our 17 tests fail), and would add 7 packages.
 */
export function startCoverage(): Coverage {
  const session = new Session()
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const known = new Map<string, LocatedCode>()
  return {
    take() {
      const scripts = takeScripts(session)
      const fresh = scripts.filter(({ scriptId }) => !known.has(scriptId))
      for (const { scriptId, file, text } of readScripts(session, fresh)) {
        known.set(scriptId, locateCode(file, text))
      }
      const files = scripts.flatMap(({ file, scriptId, functions }) => {
        const code = known.get(scriptId)
        return code === undefined ? [] : [countHits(file, code, functions)]
      })
      return mergeCoverage([files])
    },
  }
}

interface UserScript {
  file: string
  scriptId: string
  functions: Profiler.FunctionCoverage[]
}

function takeScripts(session: Session): UserScript[] {
  const { result } = callInspector<Profiler.TakePreciseCoverageReturnType>((done) =>
    session.post('Profiler.takePreciseCoverage', done),
  )
  return result.flatMap(({ url, scriptId, functions }) => {
    const file = findUserFile(url)
    return file === undefined ? [] : [{ file, scriptId, functions }]
  })
}

/** Leaves out tests, and JSON, which is loaded as a module, too. */
function findUserFile(url: string): string | undefined {
  if (url.startsWith(ownFolder)) return undefined
  const file = fileUrlToPath(url)
  if (file === undefined || !isUserFile(file)) return undefined
  return /\.[cm]?[jt]sx?$/.test(file) && !/_test\.[cm]?[jt]sx?$/.test(file) ? file : undefined
}

/** Enables the debugger only meanwhile: otherwise a `debugger` statement in user code would stop the thread. */
function readScripts(session: Session, scripts: UserScript[]): (UserScript & { text: string })[] {
  if (scripts.length === 0) return []
  session.post('Debugger.enable')
  const read = scripts.map((script) => {
    const { scriptId } = script
    const { scriptSource } = callInspector<Debugger.GetScriptSourceReturnType>((done) =>
      session.post('Debugger.getScriptSource', { scriptId }, done),
    )
    return { ...script, text: scriptSource }
  })
  session.post('Debugger.disable')
  return read
}

/** A session in the same thread answers before `post` returns. */
function callInspector<Result>(ask: (done: (error: Error | null, result: Result) => void) => void): Result {
  let answered: { error: Error | null; result: Result } | undefined
  ask((error, result) => {
    answered = { error, result }
  })
  if (answered === undefined) throw new Error('V8 did not answer at once')
  if (answered.error !== null) throw answered.error
  return answered.result
}
