import { errorMessage } from '../../errors.ts'
import type {
  CallFailure,
  CrashFailure,
  LoadFailure,
  ProviderCall,
  ThrewFailure,
} from '../protocol/protocol.ts'

/** A user's module that cannot be used: a syntax error, a missing import or export, an error thrown at its top level. */
export class ScriptLoadError extends Error {
  override readonly name = 'ScriptLoadError'
  readonly file: string
  readonly line: number | undefined
  readonly column: number | undefined
  /** What is wrong, without the place. */
  readonly fault: string
  /** The lines around the place, with a caret under it. */
  readonly codeFrame: string | undefined

  constructor(failure: LoadFailure) {
    const place = [failure.file, failure.line, failure.column].filter((part) => part !== undefined).join(':')
    super(`${place}: ${failure.message}`)
    this.fault = failure.message
    this.file = failure.file
    this.line = failure.line
    this.column = failure.column
    this.codeFrame = failure.codeFrame
  }
}

/** The user's code threw. `message` and `stack` are those of its error, in lines of its TypeScript. */
export class ScriptThrew extends Error {
  override readonly name = 'ScriptThrew'
  /** The `name` of the error: `TypeError`, `ToolError`… */
  readonly errorName: string
  /** The `code` of the error: `ECONNREFUSED`… */
  readonly code: string | undefined
  readonly providerCall: ProviderCall | undefined
  /** The kind of an infrastructure error that the script received as the answer to a request. */
  readonly infrastructure: string | undefined

  constructor(failure: ThrewFailure) {
    super(failure.message, failure.cause === undefined ? {} : { cause: new ScriptThrew(failure.cause) })
    this.errorName = failure.name
    this.code = failure.code
    this.providerCall = failure.providerCall
    this.infrastructure = failure.infrastructure
    this.stack = failure.stack
  }
}

/** The call never ended by itself: its worker or the whole script host is gone. */
export class ScriptCrash extends Error {
  override readonly name = 'ScriptCrash'
  /** `host`, `shared`: every call in flight ended with it, and any of them may be to blame. */
  readonly ended: CrashFailure['ended']
  /** It needs a thread of its own, because it must block it to go on. */
  readonly blocks: boolean
  readonly output: string | undefined
  /** It had to make room for others and is not to blame. */
  readonly crowded: boolean

  constructor(failure: CrashFailure) {
    super(failure.message)
    this.ended = failure.ended
    this.blocks = failure.blocks ?? false
    this.output = failure.output
    this.crowded = failure.crowded ?? false
  }
}

/** The call was aborted, and ended with its process. */
export class ScriptStopped extends Error {
  override readonly name = 'ScriptStopped'
  /** The reason of the abort. */
  readonly reason: unknown
  /** Where the script was, as `file:line`. */
  readonly at: string | undefined

  constructor(reason: unknown, at: string | undefined) {
    super(errorMessage(reason))
    this.reason = reason
    this.at = at
  }
}

export function toScriptError(failure: CallFailure): ScriptLoadError | ScriptThrew | ScriptCrash {
  switch (failure.kind) {
    case 'load':
      return new ScriptLoadError(failure)
    case 'threw':
      return new ScriptThrew(failure)
    case 'crash':
      return new ScriptCrash(failure)
  }
}
