const { captureStackTrace } = Error

/** `new Exception("not found", 404)`: an error with a code, which is also part of its name. */
export class Exception extends Error {
  code: number

  constructor(message: unknown = '', code: unknown = 500) {
    super(String(message))
    this.code = Number(code)
    Object.defineProperty(this, 'name', { value: `Exception|${code}`, writable: true, configurable: true })
    // Captured again, because a stack begins with the name, which is set only now.
    captureStackTrace(this, Exception)
  }
}

/** Recreates an exception that was thrown in another script, from its name there. */
export function restoreException(name: string, message: string): Exception | undefined {
  const [, code] = /^Exception\|(-?\d+)$/.exec(name) ?? []
  return code === undefined ? undefined : new Exception(message, Number(code))
}
