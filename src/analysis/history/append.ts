import { closeSync, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeVivaFolder } from '../../system/viva-folder.ts'
import { type HistoryLine, historyLineText } from './line.ts'

const mostAttempts = 5
const newline = 0x0a

/** How much is written at once: the lines of 100,000 cases together would take 50 MB of memory. */
const chunkLength = 2 ** 20

/** Adds lines to the history of a project. */
export function appendHistory(path: string, lines: Iterable<HistoryLine>): void {
  let chunk = ''
  for (const line of lines) {
    chunk += historyLineText(line)
    if (chunk.length < chunkLength) continue
    appendText(path, chunk)
    chunk = ''
  }
  if (chunk !== '') appendText(path, chunk)
}

function appendText(path: string, text: string): void {
  for (let attempt = 1; !append(path, text); attempt++)
    if (attempt === mostAttempts) throw new Error('another process keeps replacing it')
}

/** Appends whole lines in one write, so that concurrent runs do not mix them. False if the file was replaced meanwhile. */
function append(path: string, text: string): boolean {
  makeVivaFolder(dirname(dirname(path)))
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is not a file')
  const descriptor = openSync(path, 'a+')
  try {
    const { size, ino } = fstatSync(descriptor, { bigint: true })
    // If the last line is incomplete, this one must not be appended to it.
    const bytes = Buffer.from(endsLine(descriptor, Number(size)) ? text : `\n${text}`)
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written)
    return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino === ino
  } finally {
    closeSync(descriptor)
  }
}

function endsLine(descriptor: number, size: number): boolean {
  if (size === 0) return true
  const last = Buffer.alloc(1)
  readSync(descriptor, last, 0, 1, size - 1)
  return last[0] === newline
}
