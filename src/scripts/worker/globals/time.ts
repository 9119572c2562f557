import { createMissingServiceError } from './missing.ts'
/** `time.Sleep(100)` blocks the script. */
export function createTime(sleep: (milliseconds: number) => void) {
  return {
    Sleep(milliseconds: unknown): void {
      if (typeof milliseconds !== 'number' || !(milliseconds >= 0))
        throw new TypeError('time.Sleep needs a number of milliseconds')
      sleep(milliseconds)
    },
    After(..._: unknown[]): never {
      throw createMissingServiceError(
        'time.After is not supported: nothing waits for its call when the script has ended',
      )
    },
  }
}
