import { parseJson } from '../json.ts'

/** Arguments of a tool as they were written: data where they are JSON. No text at all is a tool without parameters. */
export function parseArguments(text: string): unknown {
  return /^\s*(?:null\s*)?$/.test(text) ? {} : (parseJson(text) ?? text)
}
