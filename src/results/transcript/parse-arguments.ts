import { parseJson } from '../../json/json.ts'

/** Of a tool call as its author wrote it, under either name, as data or as JSON text. */
export function argumentsIn(call: Record<string, unknown>): unknown {
  const written = call.arguments ?? call.args ?? {}
  return typeof written === 'string' ? parseArguments(written) : written
}

/** Arguments of a tool as they were written: data where they are JSON. No text at all is a tool without parameters. */
export function parseArguments(text: string): unknown {
  return /^\s*(?:null\s*)?$/.test(text) ? {} : (parseJson(text) ?? text)
}
