import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { appendHistory } from './append.ts'
import { historyLine } from './line.fixture.ts'
import { historyLineText } from './line.ts'
import { historyPath, readHistory } from './read.ts'

function emptyHistory(): string {
  const root = mkdtempSync(join(tmpdir(), 'viva-history-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  return historyPath(root)
}

async function idsIn(path: string): Promise<string[]> {
  const history = await readHistory(path)
  return [...(history?.cases.values() ?? [])].map(({ id }) => id)
}

describe('appending to the history', () => {
  it('makes the folder, and keeps it out of git', async () => {
    const path = emptyHistory()
    expect(await readHistory(path)).toBeUndefined()
    appendHistory(path, [historyLine()])
    expect(readFileSync(join(dirname(path), '.gitignore'), 'utf8')).toBe('*\n')
    expect(await readHistory(path)).toMatchObject({ unreadable: 0 })
  })

  it('leaves a .gitignore of the user alone', () => {
    const path = emptyHistory()
    mkdirSync(dirname(path))
    writeFileSync(join(dirname(path), '.gitignore'), 'runs/\n')
    appendHistory(path, [historyLine()])
    expect(readFileSync(join(dirname(path), '.gitignore'), 'utf8')).toBe('runs/\n')
  })

  it('writes nothing that its schema does not know', () => {
    const path = emptyHistory()
    const line = { ...historyLine(), reply: 'private' }
    expect(() => appendHistory(path, [line])).toThrow('reply')
    expect(existsSync(path)).toBe(false)
  })

  it('begins a line of its own after one that was torn', async () => {
    const path = emptyHistory()
    appendHistory(path, [historyLine({ id: 'first' })])
    appendFileSync(path, historyLineText(historyLine({ id: 'torn' })).slice(0, 80))
    appendHistory(path, [historyLine({ id: 'second' })])
    expect(await idsIn(path)).toEqual(['first', 'second'])
    expect(await readHistory(path)).toMatchObject({ unreadable: 1 })
  })

  it('says so when there is a folder in its place', () => {
    const path = emptyHistory()
    mkdirSync(path, { recursive: true })
    expect(() => appendHistory(path, [historyLine()])).toThrow('it is no file')
  })
})

describe('a history above its limit', () => {
  const runOf = (number: number) => historyLine({ run_id: `run-${number}`, duration_ms: number })
  const size = Buffer.byteLength(historyLineText(runOf(10)))

  it('loses its older half', async () => {
    const path = emptyHistory()
    for (let number = 10; number < 19; number++) appendHistory(path, [runOf(number)], size * 8)
    const history = await readHistory(path)
    const [only] = history?.cases.values() ?? []
    expect(only?.lines.map((line) => line.duration_ms)).toEqual([15, 16, 17, 18])
    expect(statSync(path).size).toBe(size * 4)
    expect(readdirSync(dirname(path)).sort()).toEqual(['.gitignore', 'history.jsonl'])
  })

  it('keeps the newest line of each case, however old, so that no failure is forgotten', async () => {
    const path = emptyHistory()
    appendHistory(path, [historyLine({ id: 'old', passed: 0, failed: 1 })])
    for (let number = 10; number < 40; number++) appendHistory(path, [runOf(number)], size * 8)
    expect(await idsIn(path)).toEqual(['old', 'T1'])
  })

  it('keeps a run whole that is larger than the limit', async () => {
    const path = emptyHistory()
    const lines = Array.from({ length: 20 }, (_, index) => historyLine({ id: `case-${index}` }))
    appendHistory(path, lines, size * 4)
    expect(await idsIn(path)).toHaveLength(20)
  })

  it('does not grow without end by cases that are never played again', async () => {
    const path = emptyHistory()
    for (let number = 10; number < 99; number++)
      appendHistory(path, [historyLine({ id: `${number}` })], size * 2)
    expect(statSync(path).size).toBeLessThanOrEqual(size * 2 * 8 + size)
    expect((await idsIn(path)).at(-1)).toBe('98')
  })

  it('is left to the run that is at it already', async () => {
    const path = emptyHistory()
    appendHistory(path, [runOf(10), runOf(11), runOf(12)])
    writeFileSync(`${path}.lock`, String(process.pid))
    appendHistory(path, [runOf(13)], size)
    expect(statSync(path).size).toBe(size * 4)
  })
})
