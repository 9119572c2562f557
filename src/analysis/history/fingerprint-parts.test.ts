import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import {
  fingerprintPartsPath,
  keepFingerprintParts,
  readFingerprintParts,
  wholeParts,
} from './fingerprint-parts.ts'

function historyIn(): string {
  const path = mkdtempSync(join(tmpdir(), 'viva-parts-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return join(path, 'history.jsonl')
}

it('parts are kept once, and found with those of their base', () => {
  const history = historyIn()
  const made = [
    { fingerprint: 'base', parts: { prompt: '1' } },
    { fingerprint: 'own', base: 'base', parts: { file: '2' } },
    { fingerprint: 'lost', base: 'gone', parts: {} },
  ]
  keepFingerprintParts(history, made)
  const size = statSync(fingerprintPartsPath(history)).size
  keepFingerprintParts(history, made)
  expect(statSync(fingerprintPartsPath(history)).size).toBe(size)
  const known = readFingerprintParts(history)
  expect(wholeParts(known, 'base')).toEqual({ prompt: '1' })
  expect(wholeParts(known, 'own')).toEqual({ prompt: '1', file: '2' })
  expect(wholeParts(known, 'lost')).toBeUndefined()
  expect(wholeParts(known, 'other')).toBeUndefined()
})

it('lines that cannot be read are left out, and the next ones are readable', () => {
  const history = historyIn()
  writeFileSync(fingerprintPartsPath(history), '{"fingerprint":"half')
  keepFingerprintParts(history, [{ fingerprint: 'a', parts: {} }])
  expect([...readFingerprintParts(history).keys()]).toEqual(['a'])
})

it('a file that is too large loses its oldest lines', () => {
  const history = historyIn()
  const made = Array.from({ length: 50 }, (_, number) => ({ fingerprint: `f${number}`, parts: {} }))
  keepFingerprintParts(history, made, 1000)
  const known = [...readFingerprintParts(history).keys()]
  expect(readFileSync(fingerprintPartsPath(history), 'utf8').length).toBeLessThanOrEqual(500)
  expect(known.at(-1)).toBe('f49')
  expect(known).not.toContain('f0')
})
