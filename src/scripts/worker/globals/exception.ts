const { captureStackTrace } = Error

/** `new Exception("not found", 404)`: an error with a code, which its name tells too. */
export class Exception extends Error {
  code: number

  constructor(message: unknown = '', code: unknown = 500) {
    super(String(message))
    this.code = Number(code)
    Object.defineProperty(this, 'name', { value: `Exception|${code}`, writable: true, configurable: true })
    // Again, now that it has its name: a stack begins with that.
    captureStackTrace(this, Exception)
  }
}

/** One that was thrown in another script, by the name it had there. */
export function exceptionNamed(name: string, message: string): Exception | undefined {
  const [, code] = /^Exception\|(-?\d+)$/.exec(name) ?? []
  return code === undefined ? undefined : new Exception(message, Number(code))
}
