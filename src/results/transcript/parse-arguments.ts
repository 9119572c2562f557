import { parseJson } from '../../json/json.ts'

/** The arguments of a tool call, under either name, as data or as JSON text. */
export function readArguments(call: Record<string, unknown>): unknown {
  const written = call.arguments ?? call.args ?? {}
  return typeof written === 'string' ? parseArguments(written) : written
}

/** Parses the arguments of a tool. Invalid JSON stays text; an empty text means no arguments. */
export function parseArguments(text: string): unknown {
  return /^\s*(?:null\s*)?$/.test(text) ? {} : (parseJson(text) ?? text)
}
