import { existsSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allPages, readPage } from './support/pages.ts'
import { repository } from './support/viva.ts'

/** The anchors that GitHub makes of the headings of a page. */
function anchors(page: string): Set<string> {
  const found = new Map<string, number>()
  const headings = [...withoutBlocks(readPage(page)).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
    slug(title),
  )
  const all = headings.map((name) => {
    const times = found.get(name) ?? 0
    found.set(name, times + 1)
    return times === 0 ? name : `${name}-${times}`
  })
  return new Set(all)
}

function slug(title: string): string {
  return title
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-')
}

function withoutBlocks(text: string): string {
  return text.replace(/^```.*?^```$/gms, '')
}

/** The relative links of a page, outside of code. */
function links(page: string): { path: string; anchor: string }[] {
  const text = withoutBlocks(readPage(page)).replace(/`[^`\n]*`/g, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor = ''] = target.split('#')
      return { path: file === '' ? page : posix.join(dirname(page), file), anchor }
    })
}

describe('links of the documentation', () => {
  it.each(allPages)('every relative link of %s leads to a file and to a heading of it', (page) => {
    const broken = links(page).filter(({ path, anchor }) => {
      if (!existsSync(join(repository, path))) return true
      return anchor !== '' && path.endsWith('.md') && !anchors(path).has(anchor)
    })
    expect(broken).toEqual([])
  })

  it('docs/index.md links to every page of docs/', () => {
    const linked = new Set(links('docs/index.md').map(({ path }) => path))
    const missing = allPages.filter((page) => page.startsWith('docs/') && !linked.has(page))
    expect(missing).toEqual(['docs/index.md'])
  })

  it('the README links to docs/index.md', () => {
    expect(links('README.md').map(({ path }) => path)).toContain('docs/index.md')
  })
})
