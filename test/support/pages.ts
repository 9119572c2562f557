import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from './command.ts'

const docs = readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.md'))
  .sort()

/** All pages for readers, relative to the repository. */
export const allPages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs]

/** The pages whose blocks are executed: the README and docs/, without the pages that are generated. */
export const executedPages = ['README.md', ...docs.filter((name) => !name.startsWith('docs/reference/'))]

export function readPage(page: string): string {
  return readFileSync(join(repository, page), 'utf8')
}
