import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
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

describe('appendHistory', () => {
  it('makes the folder and keeps it out of git', async () => {
    const path = emptyHistory()
    expect(await readHistory(path)).toBeUndefined()
    appendHistory(path, [historyLine()])
    expect(readFileSync(join(dirname(path), '.gitignore'), 'utf8')).toBe('*\n')
    expect(await readHistory(path)).toMatchObject({ unreadable: 0 })
  })

  it('does not change a .gitignore of the user', () => {
    const path = emptyHistory()
    mkdirSync(dirname(path))
    writeFileSync(join(dirname(path), '.gitignore'), 'runs/\n')
    appendHistory(path, [historyLine()])
    expect(readFileSync(join(dirname(path), '.gitignore'), 'utf8')).toBe('runs/\n')
  })

  it('rejects fields that are not in the schema', () => {
    const path = emptyHistory()
    const line = { ...historyLine(), reply: 'private' }
    expect(() => appendHistory(path, [line])).toThrow('reply')
    expect(existsSync(path)).toBe(false)
  })

  it('starts a new line after an incomplete one', async () => {
    const path = emptyHistory()
    appendHistory(path, [historyLine({ id: 'first' })])
    appendFileSync(path, historyLineText(historyLine({ id: 'torn' })).slice(0, 80))
    appendHistory(path, [historyLine({ id: 'second' })])
    expect(await idsIn(path)).toEqual(['first', 'second'])
    expect(await readHistory(path)).toMatchObject({ unreadable: 1 })
  })

  it('throws when the path is a folder', () => {
    const path = emptyHistory()
    mkdirSync(path, { recursive: true })
    expect(() => appendHistory(path, [historyLine()])).toThrow('it is not a file')
  })
})
