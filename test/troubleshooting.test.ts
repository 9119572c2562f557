import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPage } from './support/pages.ts'
import { repository } from './support/viva.ts'

/** The code of viva, as a reader of its messages sees it: without the backslashes of template literals. */
const code = readdirSync(join(repository, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /(?<!\.test|\.fixture)\.ts$/.test(name))
  .map((name) => readFileSync(join(repository, 'src', name), 'utf8').replaceAll('\\`', '`'))
  .join('\n')

/** The messages of the tables that list messages: the code in their first column. */
function quotedMessages(page: string): string[] {
  const tables = page.split(/\n\n/).filter((part) => /^\| (message|reason) \|/.test(part))
  const cells = tables.flatMap((table) =>
    table
      .split('\n')
      .slice(2)
      .map((row) => row.split(' | ')[0] ?? ''),
  )
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message))
}

/** What a message says in every case: the texts between the parts that vary, and its parts around a colon. */
function fixedTexts(message: string): string[] {
  return message
    .split(/…|: (?!…)|\b\d+m?\b/)
    .map((text) => text.trim())
    .filter((text) => /\w/.test(text))
}

describe('docs/troubleshooting.md', () => {
  const messages = quotedMessages(readPage('docs/troubleshooting.md'))

  it('quotes many messages', () => {
    expect(messages.length).toBeGreaterThan(80)
  })

  it.each(messages)('the message `%s` is in the code', (message) => {
    const texts = fixedTexts(message)
    expect(texts.join(' ').length).toBeGreaterThan(6)
    expect(texts.filter((text) => !code.includes(text))).toEqual([])
  })
})
