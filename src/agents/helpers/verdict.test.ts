import { describe, expect, it } from 'vitest'
import { readVerdict } from './verdict.ts'

const read = (output: unknown) => readVerdict({ output, content: typeof output === 'string' ? output : '' })

describe('a verdict', () => {
  it.each<[unknown, object]>([
    [
      { passed: true, reason: 'ok' },
      { verdict: 'passed', reason: 'ok' },
    ],
    [
      { pass: false, message: 'bad' },
      { verdict: 'failed', reason: 'bad' },
    ],
    [
      { verdict: 'pass', reason: 'ok', score: 1 },
      { verdict: 'passed', reason: 'ok', score: 1 },
    ],
    [
      { verdict: ' FAIL ', reason: 'no' },
      { verdict: 'failed', reason: 'no' },
    ],
    [
      { verdict: 'unknown', reason: 'no data' },
      { verdict: 'unknown', reason: 'no data' },
    ],
    [
      { passed: null, verdict: 'cannot_tell' },
      { verdict: 'unknown', reason: 'it says unknown' },
    ],
    [
      { passed: true, verdict: 'pass' },
      { verdict: 'passed', reason: 'it says passed' },
    ],
    ['{"reason": "fine", "passed": true}', { verdict: 'passed', reason: 'fine' }],
    ['```json\n{"verdict": "fail", "reason": "no"}\n```', { verdict: 'failed', reason: 'no' }],
    ['<think>Is it?</think>\n{"verdict": "pass", "reason": "ok"}', { verdict: 'passed', reason: 'ok' }],
    ['{"verdict": "unknown", "reason": "r", "score": null}', { verdict: 'unknown', reason: 'r' }],
    [
      { passed: true, reason: 'ok', suggestions: ['be brief'] },
      { verdict: 'passed', reason: 'ok', details: { suggestions: ['be brief'] } },
    ],
    [
      { passed: true, score: 7 },
      { verdict: 'passed', reason: 'it says passed', details: { score: 7 } },
    ],
  ])('is read from %j', (said, verdict) => {
    expect(read(said)).toEqual({ value: verdict })
  })

  it.each<[unknown, RegExp]>([
    ['It passed, I think.', /gave no verdict/],
    ['', /gave no verdict/],
    [null, /gave no verdict/],
    [[{ passed: true }], /gave no verdict/],
    [{ score: 0.9 }, /gave no verdict/],
    [{ passed: 'true' }, /gave no verdict/],
    [{ passed: 1 }, /gave no verdict/],
    [{ verdict: 'maybe' }, /gave no verdict/],
    [{ verdict: true }, /gave no verdict/],
    ['{"passed": true, "reason": "cut o', /gave no verdict/],
    [{ verdict: 'constructor' }, /gave no verdict/],
    [{ verdict: '__proto__' }, /gave no verdict/],
    [{ passed: true, pass: false }, /contradicts itself/],
    ['My verdict: {"verdict": "pass", "reason": "ok"}', /gave no verdict/],
    ['{"passed": false, "passed": true}', /has the same key twice/],
    [{ passed: true, Passed: false }, /gave no verdict/],
    [{ passed: true, error: 'could not judge' }, /contradicts itself/],
    [{ verdict: 'pass', criteria: [{ criterion: 1, verdict: 'fail' }] }, /contradicts itself/],
    [{ passed: true, verdict: 'fail' }, /contradicts itself/],
    [{ passed: false, verdict: 'unknown' }, /contradicts itself/],
  ])('is not in %j', (said, problem) => {
    expect(read(said)).toEqual({ problem: expect.stringMatching(problem) })
  })

  it('that was cut off is none, unless it is data', () => {
    const content = '{"passed": true}'
    expect(readVerdict({ output: content, content, finishReason: 'length' })).toEqual({
      problem: 'was cut off',
    })
    expect(readVerdict({ output: { passed: true }, content, finishReason: 'length' })).toMatchObject({
      value: { verdict: 'passed' },
    })
  })
})
