import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Project } from '../project.ts'
import { findServerFiles, mappingFolder } from './server-files.ts'

function app(...files: string[]): Project {
  const root = mkdtempSync(join(tmpdir(), 'viva-'))
  for (const file of files) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), '{}')
  }
  return { root, cwd: root, config: {}, env: {}, envFile: {}, appRoot: root }
}

const places = (project: Project) =>
  Object.fromEntries(
    findServerFiles(project).map((file) => [
      file.id,
      [file.file, relative(project.root, mappingFolder(file, undefined))],
    ]),
  )

describe('findServerFiles', () => {
  it('finds the servers of the app by their paths', () => {
    expect(
      places(
        app('mcps/a.mcp.yao', 'mcps/b/c.mcp.json', 'mcps/d.mcp.jsonc', 'mcps/e.yao', 'mcps/mapping.mcp.yao'),
      ),
    ).toEqual({
      a: ['mcps/a.mcp.yao', 'mcps/mapping/a'],
      'b.c': ['mcps/b/c.mcp.json', 'mcps/mapping/b/c'],
      d: ['mcps/d.mcp.jsonc', 'mcps/mapping/d'],
      mapping: ['mcps/mapping.mcp.yao', 'mcps/mapping/mapping'],
    })
  })

  it('prefixes servers of an assistant with its id', () => {
    const project = app(
      'assistants/expense/package.yao',
      'assistants/expense/mcps/tools.mcp.yao',
      'assistants/tests/mcpload/package.yao',
      'assistants/tests/mcpload/mcps/nested/tool.mcp.yao',
    )
    expect(places(project)).toEqual({
      'agents.expense.tools': [
        'assistants/expense/mcps/tools.mcp.yao',
        'assistants/expense/mcps/mapping/tools',
      ],
      'agents.tests.mcpload.nested.tool': [
        'assistants/tests/mcpload/mcps/nested/tool.mcp.yao',
        'assistants/tests/mcpload/mcps/mapping/nested/tool',
      ],
    })
  })

  it('assigns a server to the nearest assistant above it', () => {
    const project = app(
      'assistants/a/package.yao',
      'assistants/a/mcps/one.mcp.yao',
      'assistants/a/b/package.yao',
      'assistants/a/b/mcps/two.mcp.yao',
      'assistants/a/mcps/c/package.yao',
      'assistants/a/mcps/c/mcps/three.mcp.yao',
    )
    expect(Object.keys(places(project)).sort()).toEqual([
      'agents.a.b.two',
      'agents.a.mcps.c.three',
      'agents.a.one',
    ])
  })

  it('ignores files in other folders', () => {
    const project = app(
      'mcps/mapping/x.mcp.yao',
      'mcps/mapping/x/y.mcp.yao',
      'assistants/a/package.yao',
      'assistants/a/tools.mcp.yao',
      'assistants/a/mcps/mapping/x.mcp.yao',
      'assistants/a/folder/mcps/x.mcp.yao',
      'assistants/a/mcps/node_modules/x/x.mcp.yao',
      'assistants/lost/mcps/x.mcp.yao',
      'assistants/mcps/x.mcp.yao',
    )
    expect(places(project)).toEqual({})
  })

  it('accepts a mapping folder inside mcps only', () => {
    const [file] = findServerFiles(app('mcps/web.mcp.yao'))
    if (file === undefined) throw new Error('no file')
    const folder = (key: string) => relative(file.root, mappingFolder(file, key))
    expect(folder('mapping.search')).toBe(join('mapping', 'search'))
    expect(folder('mapping/search')).toBe(join('mapping', 'search'))
    for (const key of ['', '../other', '/etc', 'mapping.'])
      expect(() => folder(key)).toThrow(
        `mcps/web.mcp.yao: MCP server web: mapping "${key}" must be a folder like "mapping.web"`,
      )
  })

  it('are none where there is no app', () => {
    expect(findServerFiles({ root: '/', cwd: '/', config: {}, env: {}, envFile: {} })).toEqual([])
    expect(findServerFiles(app())).toEqual([])
  })
})
