import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Line, readJsonl, results, viva } from './viva.ts'

/** What two plays of the same conversation may differ in. Only a live pass has a fingerprint. */
const ownFields = new Set(['started_at', 'duration_ms', 'reply_ms', 'session_id', 'origin', 'fingerprint'])

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !ownFields.has(name) && !name.startsWith('replayed_'))
  return Object.fromEntries(kept.map(([name, part]) => [name, comparable(part)]))
}

/** In the order of their keys, whatever the order in which they finished. */
export function conversations(lines: readonly Line[]): unknown[] {
  const name = ({ file, id, variant, run, attempt }: Line) =>
    JSON.stringify([file, id, variant, run, attempt])
  return lines.toSorted((one, other) => (name(one) < name(other) ? -1 : 1)).map(comparable)
}

/** Times and ids differ from run to run, and the command that was given is another. */
const ofThisRun = /^(timestamp|started_at|session_id|command)$|(duration|deviation)_ms$/

function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([name]) => !ofThisRun.test(name))
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutTimes(part)]))
}

/** All lines of a journal, the results in the order of their keys. */
export function readJournal(path: string): unknown[] {
  const lines = readJsonl(path)
  const place = ({ type, file, id, variant, run, attempt }: Line) =>
    type === 'result' || type === 'stability' ? JSON.stringify([type, file, id, variant, run, attempt]) : ''
  return lines.toSorted((one, other) => place(one).localeCompare(place(other))).map(withoutTimes)
}

let files = 0

export async function run(cwd: string, args: string[], env: Record<string, string> = {}) {
  files += 1
  const out = `out-${files}.jsonl`
  const { exitCode, stdout, stderr } = await viva(['test', ...args, '-o', out], { cwd, env })
  const lines = existsSync(join(cwd, out)) ? results(join(cwd, out)) : []
  return { exitCode, output: stdout + stderr, lines, path: join(cwd, out) }
}

export const record = (cwd: string, args: string[], env = {}) =>
  run(cwd, [...args, '--record', 'calls.jsonl'], env)
export const replay = (cwd: string, args: string[], env = {}) =>
  run(cwd, [...args, '--replay', 'calls.jsonl'], env)
export async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  onTestFinished(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

export async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = ''
  for await (const chunk of request) text += chunk
  return JSON.parse(text)
}
