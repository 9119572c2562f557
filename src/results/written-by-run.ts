import { existsSync, statSync } from 'node:fs'
import { beginsWith } from '../system/begins-with.ts'
import { hasResults } from './journal.ts'

/** The beginning of every recording. */
export const startOfRecording = '{"type":"recording"'

/** A pipe, which can only be read once, is none. */
export function isRecording(path: string): boolean {
  return existsSync(path) && statSync(path).isFile() && beginsWith(path, startOfRecording)
}

/** Whether a file holds results or a recording: then it is no case file, whatever its name. */
export function isWrittenByRun(path: string): boolean {
  return hasResults(path) || isRecording(path)
}
