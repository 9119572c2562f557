import { readFileSync } from 'node:fs'

export type Line = Record<string, unknown>

export function readJsonl(path: string): Line[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
}

export function results(path: string): Line[] {
  return readJsonl(path).filter((line) => line.type === 'result')
}

export function jsonl(...cases: unknown[]): string {
  return cases.map((item) => `${JSON.stringify(item)}\n`).join('')
}
