import { describe, expect, it } from 'vitest'
import type { Key } from '../results/key.ts'
import { rerunCommand } from './rerun.ts'

const given = { input: ['a.jsonl'], output: ['x.jsonl'], tag: ['smoke'] }

function keys(count: number, file = 'a.jsonl'): Key[] {
  return Array.from({ length: count }, (_, index) => ({
    file,
    id: `T${index}`,
    variant: 'a',
    run: 1,
    attempt: 1,
  }))
}

describe('the command that runs again what failed', () => {
  it('names a few cases, each once', () => {
    const [key] = keys(1)
    const twice = [...keys(2), { ...(key as Key), run: 2 }]
    expect(rerunCommand(given, twice, () => true)).toBe("viva test -i a.jsonl --run '^(T0|T1)$'")
  })

  it('is played where the run was played', () => {
    const queued = { ...given, queue: 'redis://host:6379', workerTimeout: '5s' }
    expect(rerunCommand(queued, keys(1), () => true)).toBe(
      "viva test -i a.jsonl --queue redis://host:6379 --worker-timeout 5s --run '^(T0)$'",
    )
  })

  it('leaves many to the history, among the cases that were chosen', () => {
    expect(rerunCommand(given, keys(11), () => true)).toBe('viva test -i a.jsonl --tag smoke --last-failed')
  })

  it('names them where the history does not have one of them', () => {
    const command = rerunCommand(given, [...keys(11), ...keys(1, '-')], (file) => file !== '-')
    expect(command).toContain("--run '^(T0|T1|")
    expect(command).not.toContain('--last-failed')
  })
})
