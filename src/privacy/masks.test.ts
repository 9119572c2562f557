import { describe, expect, it, test } from 'vitest'
import { caseResult } from '../results/result.fixture.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { RunStart } from '../results/summary.ts'
import { parseMasks } from './masks/parse-masks.ts'
import { createMaskRedaction, type MaskRedaction } from './masks.ts'

const mail = 'ada@example.com'

function masking(...written: string[]): MaskRedaction {
  return createMaskRedaction(parseMasks(written))
}

function finished(more: Partial<CaseResult>, id = 'a'): RunEvent {
  const key = { file: 'cases.jsonl', id, variant: 'agent', run: 1, attempt: 1 }
  const result = caseResult({ key, line: 1234, durationMs: 1234.5678, ...more })
  return { type: 'case_finished', result }
}

function redactExpected(expected: unknown, ...written: string[]): unknown {
  const event = masking(...written).redactEvent(finished({ expected }))
  return event.type === 'case_finished' ? event.result.expected : undefined
}

describe('the values of masked fields', () => {
  it('are redacted in later cases too', () => {
    const { redactEvent } = masking('email')
    redactEvent(finished({ expected: { email: mail } }))
    const later = redactEvent(
      finished({ logs: [`no account of ${mail}`], failure: { kind: 'x', message: mail } }, 'b'),
    )
    expect(later).toMatchObject({
      result: { logs: ['no account of [masked]'], failure: { message: '[masked]' } },
    })
  })

  it('are redacted in earlier cases when they were learned first', () => {
    const { redactEvent, learn } = masking('email')
    learn(finished({ expected: { email: mail } }, 'b'))
    expect(JSON.stringify(redactEvent(finished({ logs: [mail] })))).not.toContain(mail)
  })

  it('do not make runs of many cases slow', () => {
    const { redactEvent } = masking('email')
    // CPU time, because the machine may be busy with other work.
    const started = process.cpuUsage()
    for (let index = 0; index < 10_000; index++) {
      const email = `user${index}@example.com`
      redactEvent(
        finished({ expected: { email }, logs: [`wrote to ${email}`, 'x '.repeat(500)] }, String(index)),
      )
    }
    expect(process.cpuUsage(started).user).toBeLessThan(10_000_000)
  })

  it('do not include schemas of the field or words like none', () => {
    const schema = { properties: { email: { type: 'string', format: 'email' } } }
    expect(redactExpected([schema, { email: 'none' }, 'a string, or none'], 'email')).toEqual([
      { properties: { email: '[masked]' } },
      { email: '[masked]' },
      'a string, or none',
    ])
  })

  it("are learned from an agent's raw answer, except for names that the protocol uses itself", () => {
    const { redactEvent } = masking('email', 'name')
    const key = { file: '', id: 'a', variant: 'agent', run: 1, attempt: 1 }
    const response = { reply: 'done', customer: { email: mail }, tool: { name: 'find' } }
    const exchange = { role: 'agent', target: 'x', request: '', response, retries: 0, durationMs: 1 } as const
    expect(redactEvent({ type: 'exchange', key, ...exchange })).toMatchObject({
      response: { reply: 'done', customer: { email: '[masked]' }, tool: { name: '[masked]' } },
    })
    expect(redactEvent(finished({ logs: [`find ${mail}`] }))).toMatchObject({
      result: { logs: ['find [masked]'] },
    })
  })

  it("are not redacted in viva's own numbers", () => {
    const event = masking('pin').redactEvent(finished({ expected: { pin: '1234' } }))
    expect(event).toMatchObject({ result: { line: 1234, durationMs: 1234.5678 } })
  })

  it('are learned from a check of the field', () => {
    const fields = { path: '$.customer.email', value: mail }
    const event = masking('email').redactEvent(
      finished({
        finals: [
          {
            type: 'json_path',
            status: 'failed',
            gates: true,
            reason: `customer.email is "bob@example.com", expected "${mail}"`,
            expected: mail,
            actual: 'bob@example.com',
            fields,
          },
          {
            type: 'all_of',
            status: 'passed',
            gates: true,
            reason: '',
            fields: { assertions: [{ type: 'json_path', path: 'email', value: 'eve@example.com' }] },
          },
        ],
      }),
    )
    expect(event).toMatchObject({
      result: {
        finals: [
          {
            reason: 'customer.email is "[masked]", expected "[masked]"',
            expected: '[masked]',
            actual: '[masked]',
            fields: { path: '$.customer.email', value: '[masked]' },
          },
          { fields: { assertions: [{ type: 'json_path', path: 'email', value: '[masked]' }] } },
        ],
      },
    })
  })
})

test.each([
  [`Here:\n\`\`\`json\n{"email": "${mail}"}\n\`\`\`\nBye`, 'Here:\n```json\n{"email":"[masked]"}\n```\nBye'],
  [`I have {"customer": {"EMAIL": "${mail}"}} and [1].`, 'I have {"customer":{"EMAIL":"[masked]"}} and [1].'],
  [`{"a": [{"email": "${mail}"}, {"email": "bob@exa`, '{"a": [{"email":"[masked]"}, {"email": "[masked]'],
  [`{ email: '${mail}', age: 3 }`, "{ email: '[masked]', age: 3 }"],
  [`"{\\"email\\": \\"${mail}\\"}`, '"{\\"email\\": \\"[masked]\\"}'],
  [`email: ${mail}\nage: 3`, 'email: [masked]\nage: 3'],
  [`**Email:** ${mail}, of course`, '**Email:** [masked], of course'],
  ['/find?email=ada%40example.com&age=3', '/find?email=[masked]&age=3'],
  ['{"na\\u006de": "Ada", "\\u0065mail": "x@y"} (1)', '{"name":"Ada","email":"[masked]"} (1)'],
  ['email me, please', 'email me, please'],
])('a masked field is redacted in the text %s', (text, redacted) => {
  expect(redactExpected(text, 'email')).toBe(redacted)
})

test('a masked path is redacted in a text only if its outer names occur there', () => {
  const text = (outer: string) => `{"${outer}": {"email": "${mail}`
  expect(redactExpected(text('customer'), 'customer.email')).toBe('{"customer": {"email": "[masked]')
  expect(redactExpected(text('support'), 'customer.email')).toBe(text('support'))
})

test('a text with many fields takes little time', () => {
  const started = process.cpuUsage()
  redactExpected('{"email": "x@y.z", '.repeat(20_000), 'customer.email', 'email', '/[0-9]{16}/')
  expect(process.cpuUsage(started).user).toBeLessThan(5_000_000)
})

test('names of fields match in upper and lower case', () => {
  expect(redactExpected({ eMail: mail }, 'EMAIL')).toEqual({ eMail: '[masked]' })
})

describe('patterns', () => {
  it('are redacted in the names of fields', () => {
    expect(redactExpected({ [mail]: { age: 3 } }, '/[a-z]+@[a-z.]+/')).toEqual({ '[masked]': { age: 3 } })
  })

  it('are redacted where a match is cut off or encoded', () => {
    const texts = ['card 4111111111111111', 'got "card 41111111…', mail, 'to=ada%40example.com']
    expect(redactExpected(texts, '/[0-9]{16}/', '/[a-z]+@[a-z.]+/')).toEqual([
      'card [masked]',
      'got "card [masked]…',
      '[masked]',
      'to=[masked]',
    ])
  })
})

describe('the start of a run', () => {
  const start: RunStart = {
    vivaVersion: '1.0.0',
    timestamp: '2026-01-01T00:00:00.000Z',
    planHash: 'abc',
    totalCases: 1,
    agentId: 'agent',
    variants: ['agent'],
    runs: 1,
    environment: { userId: mail, teamId: 'team', locale: 'en-us' },
    command: `viva test -i cases.jsonl -u ${mail}`,
  }

  it('drops a command that would have to be redacted', () => {
    const { command: _, ...rest } = start
    const environment = { ...start.environment, userId: '[masked]' }
    const event = masking('/[a-z]+@[a-z.]+/').redactEvent({ type: 'run_started', start })
    expect(event).toEqual({ type: 'run_started', start: { ...rest, environment } })
  })

  it('stays as it is when nothing matches', () => {
    expect(masking('email').redactEvent({ type: 'run_started', start })).toEqual({
      type: 'run_started',
      start,
    })
  })
})

test('unused masks are listed', () => {
  const { redactEvent, unusedMasks } = masking('emial', 'email', '/[0-9]{16}/', '/example/')
  redactEvent(finished({ expected: { email: mail }, logs: ['an example'] }))
  expect(unusedMasks()).toEqual(['emial', '/[0-9]{16}/'])
})

test.each(['$.email', '*', 'a[0]', 'customer..email', 'a b', '/x/i', '.email', 'e@x'])(
  '%s is not a valid mask, and the message says what one looks like',
  (written) => {
    expect(() => parseMasks([written])).toThrow(
      `mask ${written}: must be a field like email or customer.email (letters, digits, _ and -, separated by dots), or a pattern between slashes like /[0-9]{16}/ (RE2, no flags: start it with (?i) to ignore case)`,
    )
  },
)
