import { mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveLinks } from './resolve-links.ts'

const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'viva-links-')))

describe('resolveLinks', () => {
  it('follows links to what is not there yet, through folders that are links', () => {
    const root = folder()
    mkdirSync(join(root, 'real'))
    symlinkSync('real', join(root, 'alias'))
    symlinkSync('alias/later.txt', join(root, 'first'))
    symlinkSync('first', join(root, 'second'))
    expect(resolveLinks(join(root, 'second'))).toBe(join(root, 'real/later.txt'))
    expect(resolveLinks(join(root, 'alias/new/deep.txt'))).toBe(join(root, 'real/new/deep.txt'))
  })

  it('ends at links that lead to each other', () => {
    const root = folder()
    symlinkSync('two', join(root, 'one'))
    symlinkSync('one', join(root, 'two'))
    expect([join(root, 'one'), join(root, 'two')]).toContain(resolveLinks(join(root, 'one')))
  })
})
