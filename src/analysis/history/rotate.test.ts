import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { appendHistory } from './append.ts'
import { historyLine } from './line.fixture.ts'
import { type HistoryLine, historyLineText } from './line.ts'
import { historyPath, readHistory } from './read.ts'
import { rotateHistory } from './rotate.ts'

function emptyHistory(): string {
  const root = mkdtempSync(join(tmpdir(), 'viva-history-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return historyPath(root)
}

function grow(path: string, lines: readonly HistoryLine[], limit?: number): void {
  appendHistory(path, lines)
  rotateHistory(path, limit)
}

async function idsIn(path: string): Promise<string[]> {
  const history = await readHistory(path)
  return [...(history?.cases.values() ?? [])].map(({ id }) => id)
}

describe('a history above its limit', () => {
  const numberedRun = (number: number) => historyLine({ run_id: `run-${number}`, duration_ms: number })
  const size = Buffer.byteLength(historyLineText(numberedRun(10)))

  it('loses its older half', async () => {
    const path = emptyHistory()
    for (let number = 10; number < 19; number++) grow(path, [numberedRun(number)], size * 8)
    const history = await readHistory(path)
    const [only] = history?.cases.values() ?? []
    expect(only?.lines.map((line) => line.duration_ms)).toEqual([15, 16, 17, 18])
    expect(statSync(path).size).toBe(size * 4)
    expect(readdirSync(dirname(path)).sort()).toEqual(['.gitignore', 'history.jsonl'])
  })

  it('keeps the newest line of each case, however old, so that no failure is forgotten', async () => {
    const path = emptyHistory()
    grow(path, [historyLine({ id: 'old', passed: 0, failed: 1 })])
    for (let number = 10; number < 40; number++) grow(path, [numberedRun(number)], size * 8)
    expect(await idsIn(path)).toEqual(['old', 'T1'])
  })

  it('may begin with a blank line', async () => {
    const path = emptyHistory()
    appendHistory(path, [historyLine({ id: 'first' })])
    writeFileSync(path, `\n${readFileSync(path, 'utf8')}\n`)
    grow(path, [historyLine({ id: 'second' })], size)
    expect(await idsIn(path)).toEqual(['first', 'second'])
  })

  it('keeps all lines of a run that is larger than the limit', async () => {
    const path = emptyHistory()
    const lines = Array.from({ length: 20 }, (_, index) => historyLine({ id: `case-${index}` }))
    grow(path, lines, size * 4)
    expect(await idsIn(path)).toHaveLength(20)
  })

  it('may be larger than what is read at once', () => {
    const path = emptyHistory()
    const lines = Array.from({ length: 12_000 }, (_, index) => historyLine({ id: `case-${index} é` }))
    appendHistory(path, lines)
    const written = readFileSync(path, 'utf8')
    rotateHistory(path, 2 ** 20)
    expect(readFileSync(path, 'utf8') === written).toBe(true)
    grow(path, lines.slice(0, 6000), 2 ** 20)
    const texts = [...lines.slice(6000), ...lines.slice(0, 6000)].map(historyLineText)
    expect(readFileSync(path, 'utf8') === texts.join('')).toBe(true)
  })

  it('does not grow without limit through cases that are never run again', async () => {
    const path = emptyHistory()
    for (let number = 10; number < 99; number++) grow(path, [historyLine({ id: `${number}` })], size * 2)
    expect(statSync(path).size).toBeLessThanOrEqual(size * 2 * 8 + size)
    expect((await idsIn(path)).at(-1)).toBe('98')
  })

  it('is left to another run that is already rotating it', () => {
    const path = emptyHistory()
    grow(path, [numberedRun(10), numberedRun(11), numberedRun(12)])
    writeFileSync(`${path}.rotating`, '')
    grow(path, [numberedRun(13)], size)
    expect(statSync(path).size).toBe(size * 4)
    expect(existsSync(`${path}.rotating`)).toBe(true)
  })

  it('is rotated again after a run was killed while rotating', () => {
    const path = emptyHistory()
    grow(path, [numberedRun(10), numberedRun(11), numberedRun(12)])
    writeFileSync(`${path}.rotating`, '')
    utimesSync(`${path}.rotating`, 0, 0)
    grow(path, [numberedRun(13)], size * 2)
    grow(path, [numberedRun(14)], size * 2)
    expect(statSync(path).size).toBe(size)
  })
})
