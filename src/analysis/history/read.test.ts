import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { historyLine } from './line.fixture.ts'
import { historyLineText } from './line.ts'
import { type History, historyPath, readHistory } from './read.ts'

async function read(text: string): Promise<History | undefined> {
  const root = mkdtempSync(join(tmpdir(), 'viva-history-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(dirname(historyPath(root)))
  writeFileSync(historyPath(root), text)
  return readHistory(historyPath(root))
}

describe('readHistory', () => {
  it('groups runs by case and variant, oldest first', async () => {
    const lines = [
      historyLine(),
      historyLine({ variant: 'b' }),
      historyLine({ run_id: 'run-2', passed: 0, failed: 1 }),
    ]
    const history = await read(lines.map(historyLineText).join(''))
    const [first, second] = history?.cases.values() ?? []
    expect(first?.lines.map(({ run_id }) => run_id)).toEqual(['run-1', 'run-2'])
    expect(first?.newest).toMatchObject({ failed: 1 })
    expect(second).toMatchObject({ variant: 'b', lines: [{ run_id: 'run-1' }] })
  })

  it('skips and counts lines that are incomplete, invalid, or not written by viva', async () => {
    const whole = historyLineText(historyLine())
    const history = await read(`nonsense\n${whole}{"schema_version":1}\n\0\0\n\n${whole.slice(0, 50)}`)
    expect(history).toMatchObject({ unreadable: 4 })
    expect(history?.cases.size).toBe(1)
  })

  it('reads the known fields of lines that a newer version wrote', async () => {
    const history = await read(`${JSON.stringify({ ...historyLine(), schema_version: 9, mood: 'good' })}\n`)
    const [only] = history?.cases.values() ?? []
    expect(only?.newest).toEqual(historyLine({ schema_version: 9 }))
  })

  it('ignores a duplicate line', async () => {
    const history = await read(historyLineText(historyLine()).repeat(2))
    const [only] = history?.cases.values() ?? []
    expect(only?.lines).toHaveLength(1)
  })

  it('reads a last line without a line break', async () => {
    expect(await read(historyLineText(historyLine()).trimEnd())).toMatchObject({ unreadable: 0 })
  })
})
