import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { mentionsText } from './mentions.ts'

function write(files: Record<string, string>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'viva-mentions-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}

describe('whether a file mentions a name', () => {
  it.each([
    ['"use": "agents:judge"'],
    ['Process("agents.judge.Ask")'],
    ['use: judge'],
    ['- judge'],
    ["Call('judge')"],
    ['file://docs/judge'],
  ])('%s mentions judge', (text) => expect(mentionsText([write({ 'a.yml': text })], 'judge')).toBe(true))

  it.each(['the judge decides', '"judgement"', '"judge-2"', ''])('%j does not mention judge', (text) =>
    expect(mentionsText([write({ 'a.yml': text })], 'judge')).toBe(false),
  )

  it('looks at files and below folders, but not in the folder that is left out', () => {
    const root = write({ 'one/deep/a.txt': '"README.md"', 'two/b.txt': '' })
    expect(mentionsText([root], 'README.md')).toBe(true)
    expect(mentionsText([root], 'README.md', join(root, 'one'))).toBe(false)
    expect(mentionsText([join(root, 'one/deep/a.txt'), join(root, 'missing')], 'README.md')).toBe(true)
    expect(mentionsText([root], 'READMEXmd')).toBe(false)
  })
})
