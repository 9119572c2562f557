import { resolve } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { createPen, type Inked, type Pen, wantsColour } from '../../reporters/pen.ts'
import { oneLine } from '../../reporters/printable.ts'
import { createLogEscape, escapeCommandsInJson } from '../../reporters/workflow-commands.ts'
import type { Key } from '../../results/key.ts'
import { callToLine } from '../../scope/recording/line.ts'
import { addCalls, listRecordedCases, type RecordedCase } from '../../scope/recording/overview.ts'
import { type RecordedPlay, SavedRecording } from '../../scope/recording/recording.ts'
import type { Shell } from '../../system/shell.ts'
import { pluralize } from '../../text/counted.ts'
import { shortSize } from '../../text/file-size.ts'
import { nearestWords } from '../../text/nearest.ts'
import { printWarning } from '../print-error.ts'
import { callLines, callsText, caseName, timeText } from '../recording-text.ts'

export interface RecordingFlags {
  json?: boolean
  verbose?: boolean
}

const mostGuesses = 3

/** `viva recording list FILE`: one line per recorded case. */
export function recordingListCommand(file: string, { json }: RecordingFlags, shell: Shell): Promise<number> {
  return withRecording(file, shell, (recording) => {
    const cases = listRecordedCases(recording)
    const overview = describeRecording(file, recording, cases)
    if (json) printJson({ ...overview, cases }, shell)
    else print(shell, (pen) => [...overviewLines(overview, pen), ...cases.map((each) => caseLine(each, pen))])
  })
}

/** `viva recording show FILE [CASE]`: the calls of a case. */
export function recordingShowCommand(
  file: string,
  id: string | undefined,
  { json, verbose = false }: RecordingFlags,
  shell: Shell,
): Promise<number> {
  return withRecording(file, shell, (recording) => {
    if (id === undefined) {
      const overview = describeRecording(file, recording, listRecordedCases(recording))
      if (json) printJson(overview, shell)
      else print(shell, (pen) => overviewLines(overview, pen))
      return
    }
    const plays = findKeys(id, recording, file).flatMap((key) => recording.play(key) ?? [])
    if (json) printJson({ plays: plays.map(playToJson) }, shell)
    else print(shell, (pen) => plays.flatMap((play) => playLines(play, verbose, pen)))
  })
}

async function withRecording(
  file: string,
  shell: Shell,
  work: (recording: SavedRecording) => void,
): Promise<number> {
  const recording = await SavedRecording.open(resolve(shell.cwd, file), file)
  try {
    if (recording.isTorn) printWarning(shell, `${file}: the last line is incomplete and is left out`)
    work(recording)
    return 0
  } finally {
    recording.close()
  }
}

type Overview = ReturnType<typeof describeRecording>

function describeRecording(file: string, recording: SavedRecording, cases: readonly RecordedCase[]) {
  const { schema_version, viva_version, created_at } = recording.header
  return {
    file,
    schema_version,
    viva_version,
    created_at,
    variants: recording.variants(),
    totals: {
      cases: new Set(cases.map(caseName)).size,
      plays: cases.reduce((sum, { attempts }) => sum + attempts, 0),
      calls: addCalls(cases),
      bytes: cases.reduce((sum, { bytes }) => sum + bytes, 0),
    },
    servers: [...recording.tools].map(([name, tools]) => ({ name, tools: tools.length })),
    is_torn: recording.isTorn,
  }
}

function overviewLines(overview: Overview, pen: Pen): Inked[] {
  const { file, created_at, viva_version, variants, totals, servers } = overview
  const { cases, plays, calls, bytes } = totals
  const list = (names: readonly string[]) => names.map((name) => oneLine(name)).join(', ')
  return [
    pen.line`${pen.bold(oneLine(file))}: recorded ${timeText(created_at)} by viva ${oneLine(viva_version)}`,
    pen.line`  ${pluralize(cases, 'case')}, ${pluralize(plays, 'play')}, ${callsText(calls)}, ${shortSize(bytes)}`,
    ...(variants.length > 0 ? [pen.line`  Agents: ${list(variants)}`] : []),
    ...(servers.length > 0
      ? [
          pen.line`  MCP servers: ${list(servers.map(({ name, tools }) => `${name} (${pluralize(tools, 'tool')})`))}`,
        ]
      : []),
  ]
}

function caseLine(recorded: RecordedCase, pen: Pen): Inked {
  const { variant, runs, attempts, calls, bytes, recorded_at } = recorded
  const facts = [
    ...(variant === '' ? [] : [oneLine(variant)]),
    pluralize(runs, 'run'),
    ...(attempts > runs ? [pluralize(attempts, 'attempt')] : []),
    callsText(calls),
    shortSize(bytes),
    timeText(recorded_at),
  ]
  return pen.line`  ${pen.bold(oneLine(caseName(recorded)))}  ${facts.join(', ')}`
}

function playLines({ key, sessionId, calls }: RecordedPlay, verbose: boolean, pen: Pen): Inked[] {
  const { variant, run, attempt } = key
  const facts = [
    ...(variant === '' ? [] : [oneLine(variant)]),
    `run ${run}`,
    `attempt ${attempt}`,
    ...(sessionId === undefined ? [] : [`session ${oneLine(sessionId)}`]),
  ]
  return [
    pen.line`${pen.bold(oneLine(caseName(key)))}  ${facts.join(', ')}`,
    ...(calls.length === 0 ? [pen.line`  no calls`] : []),
    ...calls.flatMap((call, index) => callLines(call, index + 1, verbose, pen)),
  ]
}

function playToJson({ key, sessionId, times, calls }: RecordedPlay): object {
  return { ...key, session_id: sessionId, times, calls: calls.map((call) => callToLine(call, call.name)) }
}

/** The plays of a case. An id that several files have is refused. */
function findKeys(id: string, recording: SavedRecording, file: string): Key[] {
  const all = [...recording.keys()]
  const exact = all.filter((key) => caseName(key) === id)
  const found = exact.length > 0 ? exact : all.filter((key) => key.id === id)
  const names = [...new Set(found.map(caseName))]
  if (names.length === 1) return found
  if (names.length > 1)
    throw new ConfigError({
      code: 'ambiguous_case',
      message: `${names.length} cases in ${file} have the id "${oneLine(id)}"`,
      hint: `name one of them: ${names.map((name) => oneLine(name)).join(', ')}`,
    })
  const guesses = nearestWords(id, new Set(all.flatMap((key) => [key.id, caseName(key)])))
    .slice(0, mostGuesses)
    .map((guess) => oneLine(guess))
  throw new ConfigError({
    code: 'unknown_case',
    message: `no case "${oneLine(id)}" in ${file}`,
    hint: guesses.length === 0 ? '`viva recording list` lists them' : `did you mean ${guesses.join(', ')}?`,
  })
}

function print({ stdout, env }: Shell, lines: (pen: Pen) => readonly Inked[]): void {
  const pen = createPen(wantsColour(stdout, env))
  const text = lines(pen).map((line) => `${line.text}\n`)
  stdout.write(createLogEscape(env)(text.join('')))
}

function printJson(value: object, { stdout }: Shell): void {
  stdout.write(`${escapeCommandsInJson(JSON.stringify(value, null, 2))}\n`)
}
