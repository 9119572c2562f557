import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { echoAgent, jsonl, project, viva } from './support/viva.ts'

const hint = 'Hint: add output-*.jsonl to .gitignore, so that results are not committed'
const files = {
  'viva.config.json': '{}',
  'agent.mjs': echoAgent,
  'tests/a.jsonl': jsonl({ id: 'a', input: 'hello', assert: { type: 'contains', value: 'hello' } }),
  'more/b.jsonl': jsonl({ id: 'b', input: 'hello', assert: { type: 'contains', value: 'hello' } }),
}

function repositoryWith(others: Record<string, string> = {}): string {
  const cwd = project({ ...files, ...others })
  execFileSync('git', ['init', '--quiet'], { cwd })
  return cwd
}

async function run(cwd: string, input: string, ...flags: string[]): Promise<string> {
  return (await viva(['test', '-i', input, '-n', './agent.mjs', ...flags], { cwd })).stdout
}

describe('the hint to ignore result files in git', () => {
  it('results beside the cases come with a hint to ignore them, once per project', async () => {
    const cwd = repositoryWith()
    expect(await run(cwd, 'tests/a.jsonl')).toMatch(
      /\n {2}Results: tests\/output-\d{14}\.jsonl\n {2}Hint: add output-\*\.jsonl to \.gitignore, .*\n$/,
    )
    expect(await run(cwd, 'tests/a.jsonl')).not.toContain('Hint:')
    expect(await run(cwd, 'more/b.jsonl')).not.toContain('Hint:')
    expect(readdirSync(`${cwd}/tests`).filter((name) => name.startsWith('output-'))).toHaveLength(2)
  })

  it('there is no hint when git ignores the results, or there is no git', async () => {
    expect(await run(repositoryWith({ '.gitignore': 'output-*.jsonl\n' }), 'tests/a.jsonl')).not.toContain(
      hint,
    )
    expect(await run(project(files), 'tests/a.jsonl')).not.toContain(hint)
  })

  it('there is no hint with -o', async () => {
    expect(await run(repositoryWith(), 'tests/a.jsonl', '-o', 'output-20260101000000.jsonl')).not.toContain(
      hint,
    )
  })
})
