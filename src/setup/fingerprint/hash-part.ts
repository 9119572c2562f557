import { hash } from 'node:crypto'

export function hashPart(content: string | Buffer): string {
  return hash('sha256', content).slice(0, 16)
}
