import { format } from './format.ts'

/** `log.Info("%s has %d items", name, count)`: one line in the log of the case. */
export function createLog(print: (line: string) => void) {
  const line =
    (level: string) =>
    (message: unknown, ...values: unknown[]): void =>
      print(`log.${level}: ${format(message, values)}`)
  // In the engine these end the process or the request: here they end the script.
  const lastLine =
    (level: string) =>
    (message: unknown, ...values: unknown[]): never => {
      const text = format(message, values)
      print(`log.${level}: ${text}`)
      throw new Error(text)
    }
  return {
    Trace: line('trace'),
    Debug: line('debug'),
    Info: line('info'),
    Warn: line('warn'),
    Error: line('error'),
    Fatal: lastLine('fatal'),
    Panic: lastLine('panic'),
  }
}
