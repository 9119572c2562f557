import { resultToLine } from '../results/line.ts'
import type { RunEvent } from '../results/run-event.ts'
import { stabilityToLine } from '../results/stability-line.ts'
import { startToLine, summaryToLine } from '../results/summary-line.ts'
import { turnToLine } from '../results/turn-line.ts'
import type { Reporter } from './reporter.ts'
import { escapeCommandsInJson } from './workflow-commands.ts'

/** `--json`: one line of JSON per event, with the field names of the journal. */
export function jsonEventsReporter(write: (text: string) => void): Reporter {
  return {
    name: '--json',
    on(event) {
      write(`${safeJson(eventToLine(event))}\n`)
    },
  }
}

function eventToLine(event: RunEvent): object {
  switch (event.type) {
    case 'run_started':
      return { ...startToLine(event.start), type: event.type }
    case 'case_started':
    case 'log': {
      const { type, key, ...rest } = event
      return { type, ...key, ...rest }
    }
    case 'exchange': {
      const { type, key, durationMs, ...rest } = event
      return { type, ...key, ...rest, duration_ms: Math.round(durationMs) }
    }
    case 'turn':
      return { type: event.type, ...event.key, ...turnToLine(event.turn) }
    case 'target_given_up':
    case 'workers':
      return event
    case 'case_finished':
      return { ...resultToLine(event.result), type: event.type }
    case 'case_stability':
      return { ...stabilityToLine(event.stability), type: event.type }
    case 'run_finished':
      return { ...summaryToLine(event.summary, event.exitCode), type: event.type }
  }
}

/** Escapes characters that JSON allows but that control a terminal. Parsed, the text is the same. */
export function safeJson(value: object): string {
  return escapeCommandsInJson(JSON.stringify(value)).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
