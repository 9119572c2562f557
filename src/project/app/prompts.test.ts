import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseZonedTime, zonedNow } from '../../text/zoned-time.ts'
import { loadPresets, loadPrompts, renderPrompts } from './prompts.ts'

function folder(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'viva-'))
  mkdirSync(join(root, 'assets'))
  mkdirSync(join(root, 'prompts/review'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  return root
}

describe('prompts', () => {
  it('have their variables put in, with or without braces, in either case', () => {
    const [message] = renderPrompts(
      [
        {
          role: 'system',
          content:
            '{{ $CTX.locale }} $CTX.USER_ID $CTX.custom $ENV.VIVA_TEST_TONE $CTX.absent. $SYS.YEAR $SYS.NONSENSE',
        },
      ],
      {
        variables: { LOCALE: 'en-us', USER_ID: 'ada', custom: { a: 1 } },
        now: zonedNow,
        env: { VIVA_TEST_TONE: 'kind' },
      },
    )
    expect(message?.content).toBe(`en-us ada {"a":1} kind . ${new Date().getFullYear()} $SYS.NONSENSE`)
  })

  it.each([
    ['2026-03-01T00:30:09.000+13:45[Pacific/Chatham]', 'Sunday', 'Pacific/Chatham'],
    ['2026-02-27T23:30:09.000-05:00[America/New_York]', 'Friday', 'America/New_York'],
  ])('show a time in its own zone, whatever the zone of this process is: %s', (text, weekday, zone) => {
    const content = '$SYS.DATETIME $SYS.WEEKDAY $SYS.DAY $SYS.HOUR $SYS.MINUTE $SYS.TIMEZONE $SYS.UNIX'
    const [message] = renderPrompts([{ role: 'system', content }], {
      variables: {},
      now: () => parseZonedTime(text),
      env: {},
    })
    const [date = '', time = ''] = text.slice(0, 19).split('T')
    const unix = Date.parse(text.replace(/\[.*/, '')) / 1000
    const fields = [date, time, weekday, date.slice(8), time.slice(0, 2), '30', zone, unix]
    expect(message?.content).toBe(fields.join(' '))
  })

  it('have placeholders filled in once: what is put in is not searched, unknown names stay', () => {
    const content = 'You are {{persona}}, want {{ goal }} and {{nothing}}. {{constructor}} $CTX.persona'
    const persona = '{{goal}} $ENV.VIVA_TEST_KEY $& $1'
    const [message] = renderPrompts([{ role: 'system', content }], {
      variables: { persona },
      now: zonedNow,
      env: { VIVA_TEST_KEY: 'secret' },
      placeholders: { persona, goal: 'a refund' },
    })
    expect(message?.content).toBe(
      `You are ${persona}, want a refund and {{nothing}}. {{constructor}} ${persona}`,
    )
  })

  it('includes assets, but only from the assets folder', () => {
    const root = folder({
      'assets/policy.md': '# Policy\n',
      'secret.md': 'secret',
      'prompts.yml': '- role: system\n  content: Read @assets/policy.md',
    })
    expect(loadPrompts(join(root, 'prompts.yml'), join(root, 'assets'))).toEqual([
      { role: 'system', content: 'Read # Policy' },
    ])
    writeFileSync(join(root, 'out.yml'), '- role: system\n  content: "@assets/../secret.md"')
    expect(() => loadPrompts(join(root, 'out.yml'), join(root, 'assets'))).toThrow('no such file')
    symlinkSync(join(root, 'secret.md'), join(root, 'assets/link.md'))
    writeFileSync(join(root, 'link.yml'), '- role: system\n  content: "@assets/link.md"')
    expect(() => loadPrompts(join(root, 'link.yml'), join(root, 'assets'))).toThrow('no such file')
  })

  it('names presets by their path', () => {
    const root = folder({
      'prompts/chat.yml': '- role: system\n  content: chat',
      'prompts/review/strict.yaml': '- role: system\n  content: strict',
    })
    expect([...loadPresets(join(root, 'prompts'), join(root, 'assets')).keys()].sort()).toEqual([
      'chat',
      'review.strict',
    ])
  })

  it('rejects a file that is not a list of messages', () => {
    const root = folder({ 'prompts.yml': 'system: hello', 'broken.yml': '- role: "system' })
    expect(() => loadPrompts(join(root, 'prompts.yml'), root)).toThrow(
      'prompts must be a list of {role, content}',
    )
    expect(() => loadPrompts(join(root, 'broken.yml'), root)).toThrow('broken.yml')
    expect(loadPrompts(join(root, 'absent.yml'), root)).toEqual([])
  })
})
