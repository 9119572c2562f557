import { describe, expect, it, test } from 'vitest'
import { caseResult } from '../results/result.fixture.ts'
import type { CaseResult } from '../results/result.ts'
import type { RunEvent } from '../results/run-event.ts'
import type { RunStart } from '../results/summary.ts'
import { createMasking, type Masking } from './masks.ts'
import { readMasks } from './read-masks.ts'

const mail = 'ada@example.com'

function masking(...written: string[]): Masking {
  return createMasking(readMasks(written))
}

function finished(more: Partial<CaseResult>, id = 'a'): RunEvent {
  const key = { file: 'cases.jsonl', id, variant: 'agent', run: 1, attempt: 1 }
  const result = caseResult({ key, line: 1234, durationMs: 1234.5678, ...more })
  return { type: 'case_finished', result }
}

/** What is told of a value that a case expected. */
function toldOf(expected: unknown, ...written: string[]): unknown {
  const event = masking(...written).conceal(finished({ expected }))
  return event?.type === 'case_finished' ? event.result.expected : undefined
}

describe('values of masked fields', () => {
  it('are hidden in the cases that come later, too', () => {
    const { conceal } = masking('email')
    conceal(finished({ expected: { email: mail } }))
    const later = conceal(
      finished({ logs: [`no account of ${mail}`], failure: { kind: 'x', message: mail } }, 'b'),
    )
    expect(later).toMatchObject({
      result: { logs: ['no account of [masked]'], failure: { message: '[masked]' } },
    })
  })

  it('are hidden in cases before, when they were learned first', () => {
    const { conceal, learn } = masking('email')
    learn(finished({ expected: { email: mail } }, 'b'))
    expect(JSON.stringify(conceal(finished({ logs: [mail] })))).not.toContain(mail)
  })

  it('do not make runs of many cases slow', () => {
    const { conceal } = masking('email')
    // Of the processor: machines may have other things to do.
    const started = process.cpuUsage()
    for (let index = 0; index < 10_000; index++) {
      const email = `user${index}@example.com`
      conceal(finished({ expected: { email }, logs: [`wrote to ${email}`, 'x '.repeat(500)] }, String(index)))
    }
    expect(process.cpuUsage(started).user).toBeLessThan(10_000_000)
  })

  it('are not what a schema says of the field, nor words for nothing', () => {
    const schema = { properties: { email: { type: 'string', format: 'email' } } }
    expect(toldOf([schema, { email: 'none' }, 'a string, or none'], 'email')).toEqual([
      { properties: { email: '[masked]' } },
      { email: '[masked]' },
      'a string, or none',
    ])
  })

  it('are known from what an agent answered beside its reply, but not what a protocol calls so', () => {
    const { conceal } = masking('email', 'name')
    const key = { file: '', id: 'a', variant: 'agent', run: 1, attempt: 1 }
    const response = { reply: 'done', customer: { email: mail }, tool: { name: 'find' } }
    const exchange = { role: 'agent', target: 'x', request: '', response, retries: 0, durationMs: 1 } as const
    expect(conceal({ type: 'exchange', key, ...exchange })).toMatchObject({
      response: { reply: 'done', customer: { email: '[masked]' }, tool: { name: '[masked]' } },
    })
    expect(conceal(finished({ logs: [`find ${mail}`] }))).toMatchObject({
      result: { logs: ['find [masked]'] },
    })
  })

  it('change no figure of ours', () => {
    const event = masking('pin').conceal(finished({ expected: { pin: '1234' } }))
    expect(event).toMatchObject({ result: { line: 1234, durationMs: 1234.5678 } })
  })

  it('are known where a check looks at the field', () => {
    const fields = { path: '$.customer.email', value: mail }
    const event = masking('email').conceal(
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
])('a masked field is hidden in the text %s', (text, told) => {
  expect(toldOf(text, 'email')).toBe(told)
})

test('a masked path in a text needs its outer names', () => {
  const text = (outer: string) => `{"${outer}": {"email": "${mail}`
  expect(toldOf(text('customer'), 'customer.email')).toBe('{"customer": {"email": "[masked]')
  expect(toldOf(text('support'), 'customer.email')).toBe(text('support'))
})

test('a text with many fields in it takes no time', () => {
  const started = process.cpuUsage()
  toldOf('{"email": "x@y.z", '.repeat(20_000), 'customer.email', 'email', '/[0-9]{16}/')
  expect(process.cpuUsage(started).user).toBeLessThan(5_000_000)
})

test('names of fields are found in any case', () => {
  expect(toldOf({ eMail: mail }, 'EMAIL')).toEqual({ eMail: '[masked]' })
})

describe('patterns', () => {
  it('reach the names of fields', () => {
    expect(toldOf({ [mail]: { age: 3 } }, '/[a-z]+@[a-z.]+/')).toEqual({ '[masked]': { age: 3 } })
  })

  it('reach what they found where it is cut off or encoded', () => {
    const texts = ['card 4111111111111111', 'got "card 41111111…', mail, 'to=ada%40example.com']
    expect(toldOf(texts, '/[0-9]{16}/', '/[a-z]+@[a-z.]+/')).toEqual([
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

  it('tells no command that would have holes', () => {
    const { command: _, ...rest } = start
    const environment = { ...start.environment, userId: '[masked]' }
    const event = masking('/[a-z]+@[a-z.]+/').conceal({ type: 'run_started', start })
    expect(event).toEqual({ type: 'run_started', start: { ...rest, environment } })
  })

  it('stays as it is where nothing is found', () => {
    expect(masking('email').conceal({ type: 'run_started', start })).toEqual({ type: 'run_started', start })
  })
})

test('masks that found nothing are known', () => {
  const { conceal, foundNothing } = masking('emial', 'email', '/[0-9]{16}/', '/example/')
  conceal(finished({ expected: { email: mail }, logs: ['an example'] }))
  expect(foundNothing()).toEqual(['emial', '/[0-9]{16}/'])
})

test.each(['$.email', '*', 'a[0]', 'customer..email', 'a b', '/x/i', '.email', 'e@x'])(
  '%s is no mask, and the message says what one looks like',
  (written) => {
    expect(() => readMasks([written])).toThrow(
      `mask ${written}: must be a field like email or customer.email (letters, digits, _ and -, with dots between), or a pattern between slashes like /[0-9]{16}/ (RE2, without flags: (?i) in front ignores case)`,
    )
  },
)
