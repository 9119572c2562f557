import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadLocales } from './locales.ts'

function locales(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'viva-locales-'))
  mkdirSync(join(folder, 'locales'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'locales', name), text)
  return loadLocales(folder, folder)
}

describe('loadLocales', () => {
  const translate = locales({
    'en-us.yml': 'name: Waiter\nchat:\n  title: Hello\n  prompts: [one, two]\nflat.key: Flat',
    'de.yml': 'name: Kellner',
    'zh-CN.yaml': 'name: 服务员',
    'notes.txt': 'not words',
  })

  it.each([
    ['{{ name }}', 'de', 'Kellner'],
    ['{{name}}', 'de-AT', 'Kellner'],
    ['{{ name }}', 'zh-cn', '服务员'],
    ['{{ name }}', 'fr', 'Waiter'],
    ['{{ chat.title }}!', 'de', 'Hello!'],
    ['{{ chat.prompts.1 }}', 'en-us', 'two'],
    ['{{ flat.key }}', 'en-us', 'Flat'],
    ['{{ nothing }}', 'en-us', '{{ nothing }}'],
    ['{{ chat }}', 'en-us', '{{ chat }}'],
    ['plain', 'en-us', 'plain'],
  ])('translates %s in %s to %s', (text, locale, words) => {
    expect(translate(text, locale)).toBe(words)
  })

  it('leaves text unchanged when there are no locales', () => {
    expect(loadLocales('/nowhere', '/')('{{ name }}', 'en-us')).toBe('{{ name }}')
    expect(translate(undefined, 'de')).toBeUndefined()
  })

  it('names the file that cannot be parsed', () => {
    expect(() => locales({ 'de.yml': 'a: [' })).toThrow(/^locales\/de\.yml: /)
  })
})
