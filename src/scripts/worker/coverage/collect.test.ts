import { afterAll, describe, expect, it } from 'vitest'
import { removeProjects, writeProject } from '../../../../test/fixtures/scripts/project.ts'
import { check, cover, formatFunctions } from './cover.fixture.ts'

afterAll(removeProjects)

describe('coverage', () => {
  it('leaves out tests, packages, data and files of viva', async () => {
    const pathOf = await writeProject({
      'all_test.ts': `import './a'; import 'pack'; import './other_test.mjs'; import data from './data.json'; export { data }`,
      'other_test.mjs': 'export const one = 1',
      'a.ts': `import '${new URL('../../protocol/merge-coverage.ts', import.meta.url).pathname}'\nexport {}`,
      'data.json': '{}',
      'node_modules/pack/package.json': '{ "name": "pack", "main": "./index.js" }',
      'node_modules/pack/index.js': 'module.exports = 1',
    })
    const [loaded] = await cover(pathOf('all_test.ts'))
    expect(loaded).toEqual([{ file: pathOf('a.ts'), lines: [], functions: [] }])
  })

  it('covers what ran since it was last taken, with all lines and functions', async () => {
    const pathOf = await writeProject({
      'all_test.ts': `import { outer } from './code'; outer(1); export default () => outer(1)(2)`,
      'code.ts': [
        'export const outer = (a: number) => {',
        '  return (b: number) =>',
        '    a + b',
        '}',
        'export function unused() {',
        '  debugger',
        '}',
      ].join('\n'),
    })
    const taken = (await cover(pathOf('all_test.ts'))).map((files) =>
      files.find(({ file }) => file === pathOf('code.ts')),
    )
    expect(taken.map((coverage) => coverage?.lines.map(({ line, hits }) => `${line}: ${hits}`))).toEqual([
      ['1: 1', '2: 1', '3: 0', '6: 0'],
      ['1: 0', '2: 1', '3: 1', '6: 0'],
    ])
    expect(taken.map(formatFunctions)).toEqual([
      ['1 outer 1', '2 (anonymous) 0', '5 unused 0'],
      ['1 outer 1', '2 (anonymous) 1', '5 unused 0'],
    ])
  })

  it('does not stop at a debugger statement', async () => {
    const source = `
         | export function stop(): number {
       1 |   debugger
       1 |   return 1
         | }`
    await check({ source, functions: ['1 stop 1'] }, `import { stop } from './code'; stop()`)
  })

  it('adds up a file that was loaded twice', async () => {
    const pathOf = await writeProject({
      'all_test.mjs': `import 'pack'`,
      'node_modules/pack/package.json': '{ "name": "pack", "type": "module", "main": "./index.js" }',
      'node_modules/pack/index.js': `import '../../code.mjs?one'; import '../../code.mjs?two#part'`,
      'code.mjs': 'export const one = 1',
    })
    const [loaded] = await cover(pathOf('all_test.mjs'))
    expect(loaded).toEqual([{ file: pathOf('code.mjs'), lines: [{ line: 1, hits: 2 }], functions: [] }])
  })
})
