import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { play, project, readJsonl } from './support/viva.ts'

/** An agent that repeats its input, except that for `down` the service behind it fails. */
const agent = `export default (input) => {
  if (input === 'down') throw Object.assign(new Error('x'), { name: 'AI_APICallError', statusCode: 503, url: 'http://x', isRetryable: false })
  return input
}\n`

const says = { type: 'equals', value: 'right' }
const right = { id: 'right', input: 'right', assert: says }
const wrong = { id: 'wrong', input: 'wrong', assert: says }
const down = { id: 'down', input: 'down', assert: says }

async function report(cases: readonly unknown[], ...flags: string[]) {
  const config = JSON.stringify({ network: { backoff: '10ms' } })
  const cwd = project({ 'agent.mjs': agent, 'other.mjs': agent, 'viva.config.json': config })
  const outputs = ['a.md', 'a.txt', 'a.json'].flatMap((file) => ['-o', file])
  const { stdout } = await play(cwd, cases, ['-n', './agent.mjs', ...outputs, ...flags])
  const read = (name: string) => readFileSync(join(cwd, name), 'utf8')
  return { stdout, markdown: read('a.md'), text: read('a.txt'), json: read('a.json'), cwd }
}

describe('pass rates', () => {
  it('the pass rate says of how many, and infrastructure errors are counted apart from failures', async () => {
    const { stdout, markdown, text, json } = await report([right, wrong, down])
    expect(stdout).toMatch(
      /Passed: +1\n +Failed: +1\n +Errors: +1 infrastructure error: .*\n +Rate: +50% \(1 of 2\)\n/,
    )
    expect(markdown).toContain('| Passed | 1 |\n| Failed | 1 |\n| Infrastructure errors | 1 |\n')
    expect(markdown).toContain('| Pass Rate | 50% &#40;1 of 2&#41; |\n')
    expect(text).toContain('1 of 3 passed (50% of 2 that could be judged)\nfailed 1, skipped 0, ')
    expect(text).toContain(', infrastructure errors 1, ')
    expect(JSON.parse(json)).toMatchObject({ summary: { failed: 2, infrastructure_errors: 1 } })
  })

  it('the pass rate in Markdown is only the percentage where the rows above give the counts', async () => {
    const { markdown } = await report([right, wrong])
    expect(markdown).toContain('| Total | 2 |\n| Passed | 1 |\n| Failed | 1 |\n| Pass Rate | 50% |\n')
  })

  it('the pass rate of each variant is printed with the numbers of passed and failed cases', async () => {
    const { stdout, markdown, text } = await report([right, wrong, down], '-n', './other.mjs')
    const line = '1 passed, 1 failed, 1 infrastructure error'
    expect(stdout).toContain(`${line}, 50% (1 of 2)`)
    expect(markdown).toMatch(/\| agent\.mjs \| 1 \| 1 \| 50% \|/)
    expect(text).toContain(`agent.mjs: ${line}\n`)
  })
})

describe('cases that never pass', () => {
  it('a case that never passes is printed as "fails every time" and recorded as "highly unstable"', async () => {
    const { stdout, markdown, cwd } = await report([right, wrong], '--runs', '3')
    expect(stdout).toContain('✗ wrong  0/3 0% (0–56.1%), fails every time, 3 × assertion')
    expect(markdown).toMatch(/\| wrong \| 3 \| 0 \| 0% .* \| fails every time \|/)
    expect(stdout + markdown).not.toContain('highly unstable')
    const lines = readJsonl(join(cwd, 'results.jsonl')).filter(({ type }) => type === 'stability')
    expect(lines).toMatchObject([{ stability: 'stable' }, { stability: 'highly unstable' }])
  })
})
