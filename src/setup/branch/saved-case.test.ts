import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { checkCaseTarget } from './saved-case.ts'

/** The administrator may write everywhere, so that somebody else does it. */
async function asSomebody<T>(action: () => Promise<T>): Promise<T> {
  const isRoot = process.geteuid?.() === 0
  if (isRoot) process.seteuid?.(65_534)
  try {
    return await action()
  } finally {
    if (isRoot) process.seteuid?.(0)
  }
}

it('a file that cannot be written is refused, and one that can stays as it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'viva-saved-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, 0o777)
  const path = join(folder, 'cases.jsonl')
  writeFileSync(path, '{"id":"a","input":"x"}\n')
  chmodSync(path, 0o666)
  const check = () => asSomebody(() => checkCaseTarget('cases.jsonl', folder, []))
  expect(await check()).toEqual({ path, shown: 'cases.jsonl' })
  chmodSync(path, 0o444)
  await expect(check()).rejects.toThrow(`${path} cannot be written: `)
  expect(readFileSync(path, 'utf8')).toBe('{"id":"a","input":"x"}\n')
})
