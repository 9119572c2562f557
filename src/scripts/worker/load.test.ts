import { afterAll, describe, expect, it } from 'vitest'
import { removeProjects, writeProject } from '../../../test/fixtures/scripts/project.ts'
import { ScriptLoadError } from '../runner/script-error.ts'
import { createScriptHost } from '../runner/script-host.ts'

const host = createScriptHost()
const signal = new AbortController().signal

afterAll(async () => {
  await host.close()
  await removeProjects()
})

/** Calls the default export of the entry. */
async function run(files: Record<string, string>, entry = 'main.ts'): Promise<unknown> {
  const pathOf = await writeProject(files)
  return host.call({ kind: 'call', file: pathOf(entry), export: 'default', args: [] }, { signal })
}

async function loadFailure(files: Record<string, string>, entry = 'main.ts'): Promise<ScriptLoadError> {
  const error = await run(files, entry).catch((thrown: unknown) => thrown)
  if (!(error instanceof ScriptLoadError)) throw error
  return error
}

describe('TypeScript', () => {
  it('may use enums, namespaces, parameter properties and decorators', async () => {
    const main = `
      enum Color { Red = 'red', Blue = 'blue' }
      const enum Size { Small = 1 }
      namespace Shop { export const name: string = 'shop' }
      function tag(target: any): void { target.tagged = true }
      function loud(target: object, key: string, descriptor: PropertyDescriptor) {
        const original = descriptor.value
        descriptor.value = function (...args: unknown[]) { return original.apply(this, args).toUpperCase() }
      }
      const seen: string[] = []
      const field = (target: object, key: string) => { seen.push(key) }
      const param = (target: object, key: string, index: number) => { seen.push(key + index) }
      @tag
      class Desk {
        @field declare open: boolean
        constructor(private name: string) {}
        @loud greet(@param greeting: string): string { return greeting + ' ' + this.name }
      }
      export default () => [Color.Blue, Size.Small, Shop.name, new Desk('ann').greet('hi'), (Desk as any).tagged, seen]`
    expect(await run({ 'main.ts': main })).toEqual(['blue', 1, 'shop', 'HI ANN', true, ['open', 'greet0']])
  })

  it('may use using, on every version of Node', async () => {
    const main = `
      const events: string[] = []
      const open = (name: string) => ({ [Symbol.dispose]: () => { events.push('close ' + name) } })
      const connect = (name: string) => ({ [Symbol.asyncDispose]: async () => { events.push('leave ' + name) } })
      function work(): never {
        using a = open('a')
        using b = open('b')
        events.push('work')
        throw new Error('broken')
      }
      export default async (): Promise<string[]> => {
        {
          await using server = connect('server')
          using nothing = null
          try { work() } catch (error) { events.push((error as Error).message) }
        }
        return events
      }`
    expect(await run({ 'main.ts': main })).toEqual(['work', 'close b', 'close a', 'broken', 'leave server'])
  })

  it('may import without extension, as .js, by folder and by the paths of tsconfig.json', async () => {
    const files = {
      'tsconfig.json': `{
        // comments are fine here
        "compilerOptions": { "baseUrl": ".", "paths": { "@lib/*": ["./lib/*"], "~config": ["./lib/config.ts"] } },
      }`,
      'main.ts': `
        import { a } from './a'
        import { b } from './b.js'
        import { c } from './folder'
        import { d } from '@lib/d'
        import config from '~config'
        import type { Missing } from './types-only'
        import { Kind } from './kinds'
        const kind: Kind = 'x'
        export default async (): Promise<string> => a + b + c + d + config + kind + (await import('./e')).e`,
      'a.ts': `export const a: string = 'a'`,
      'b.ts': `export const b: string = 'b'`,
      'folder/index.ts': `export { c } from '../c.mjs'`,
      'c.mts': `export const c: string = 'c'`,
      'lib/d.ts': `import { below } from './below'; export const d = below`,
      'lib/below.ts': `export const below = 'd'`,
      'lib/config.ts': `export default '!'`,
      'kinds.ts': `export type Kind = 'x'`,
      'e.tsx': `export const e = 'e' as const`,
    }
    expect(await run(files)).toBe('abcd!xe')
  })

  it('may import packages, builtins, CommonJS and JSON', async () => {
    const files = {
      'package.json': `{ "name": "user", "imports": { "#inner": "./inner.ts" } }`,
      'node_modules/esm-package/package.json': `{ "name": "esm-package", "type": "module", "exports": { "import": "./index.js", "require": "./no.js" } }`,
      'node_modules/esm-package/index.js': `export const name = 'esm'`,
      'node_modules/cjs-package/package.json': `{ "name": "cjs-package", "main": "./lib/main.js" }`,
      'node_modules/cjs-package/lib/main.js': `exports.name = 'cjs' + require('./part').part`,
      'node_modules/cjs-package/lib/part.js': `exports.part = '+'`,
      'data.json': `{ "name": "json" }`,
      'inner.ts': `export default 'inner' as string`,
      'old.cjs': `module.exports = { name: 'old' }`,
      'main.ts': `
        import { basename } from 'path'
        import { sep } from 'node:path'
        import { name as esm } from 'esm-package'
        import { name as cjs } from 'cjs-package'
        import plain from './data.json'
        import attributed from './data.json' with { type: 'json' }
        import inner from '#inner'
        import old from './old.cjs'
        export default () => [basename('/x/y') + sep, esm, cjs, plain.name, attributed.name, inner, old.name]`,
    }
    expect(await run(files)).toEqual(['y/', 'esm', 'cjs+', 'json', 'json', 'inner', 'old'])
  })

  it('may be CommonJS, or use its names together with import', async () => {
    const files = {
      'data.json': '{ "n": 1 }',
      'old.cts': `
        import fs = require('node:fs')
        import type { Stats } from 'node:fs'
        const other = require('./other.ts')
        export = (): unknown[] => [typeof fs.statSync, other.value, require('./data.json').n]`,
      'other.ts': `const value: string = 'other'; module.exports = { value }`,
      'mixed.ts': `
        import { basename } from 'node:path'

        export default (): unknown[] => [basename(__filename), __filename.startsWith(__dirname), require('./data.json').n]
        export const broken = () => { throw new Error('line 5') }`,
    }
    expect(await run(files, 'old.cts')).toEqual(['function', 'other', 1])
    expect(await run(files, 'mixed.ts')).toEqual(['mixed.ts', true, 1])
    const pathOf = await writeProject(files)
    const call = host.call({ kind: 'call', file: pathOf('mixed.ts'), export: 'broken', args: [] }, { signal })
    await expect(call).rejects.toMatchObject({ stack: expect.stringContaining(`${pathOf('mixed.ts')}:5:45`) })
  })

  it.each([
    ['main.mts', `export default (): string => 'here'`],
    ['main.cts', `export = (): string => 'here'`],
    ['main.tsx', `export default (): string => 'here'`],
    ['main.js', `export default () => 'here'`],
    ['main.mjs', `export default () => 'here'`],
    ['main.cjs', `if (!module) return\nmodule.exports = () => 'here'`],
    ['main.js', `if (!module) return\nmodule.exports = () => 'here'`],
    [
      'main.cjs',
      `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = () => 'here'`,
    ],
  ])('is not the only language: %s', async (entry, source) => {
    expect(await run({ [entry]: source }, entry)).toBe('here')
  })

  it('prints stacks with its own line numbers', async () => {
    const pathOf = await writeProject({
      'main.ts': `interface A { a: string }\n\nexport default (): void => console.log(new Error('shown'))`,
    })
    const lines: string[] = []
    const call = { kind: 'call' as const, file: pathOf('main.ts'), export: 'default', args: [] }
    await host.call(call, { signal, onLog: (line) => lines.push(line) })
    expect(lines.join('\n')).toContain(`${pathOf('main.ts')}:3:`)
  })
})

describe('a module that cannot be loaded', () => {
  it('because of its syntax is reported with the place and the lines around it', async () => {
    const error = await loadFailure({
      'main.ts': `const hotel: string = 'Zürich'\nconst room: string = 'ü' + ;\nexport default hotel\n`,
    })
    expect(error).toMatchObject({ line: 2, column: 28, file: expect.stringMatching(/main\.ts$/) })
    expect(error.message).toMatch(/main\.ts:2:28: Unexpected token$/)
    expect(error.codeFrame).toBe(
      [
        "  1 | const hotel: string = 'Zürich'",
        "> 2 | const room: string = 'ü' + ;",
        '    |                            ^',
        '  3 | export default hotel',
        '  4 |',
      ].join('\n'),
    )
  })

  it('because of the syntax of an import is reported with that file', async () => {
    const error = await loadFailure({ 'main.ts': `import './part'`, 'part.ts': 'let a = 1\nlet a = 2' })
    expect(error.message).toMatch(/part\.ts:1:5: Identifier `a` has already been declared/)
  })

  it('because of invalid JSON is reported with its place', async () => {
    const error = await loadFailure({
      'main.ts': `import './data.json'`,
      'data.json': '{\n  "a": 1,\n  b\n}',
    })
    expect(error).toMatchObject({ line: 3, column: 3, file: expect.stringMatching(/data\.json$/) })
  })

  it.each(['main.mjs', 'main.js', 'main.cjs'])(
    'because of its syntax is reported with the place in JavaScript: %s',
    async (entry) => {
      const source =
        entry === 'main.cjs' ? 'const one = 1\nconst two = ;' : 'export const one = 1\nconst two = ;'
      const error = await loadFailure({ [entry]: source }, entry)
      expect(error).toMatchObject({
        line: 2,
        column: 13,
        message: expect.stringContaining('Unexpected token'),
      })
      expect(error.codeFrame).toContain('> 2 | const two = ;')
    },
  )

  it('because an import is missing is reported with its name and place', async () => {
    const file = await loadFailure({
      'main.ts': `type A = string\nimport { b } from './b'\nexport default b`,
    })
    expect(file.message).toMatch(/main\.ts:2:19: Cannot find module '.*b'$/)
    const pack = await loadFailure({ 'main.ts': `\n\nimport b from "no-such-package"\nexport default b` })
    expect(pack.message).toMatch(/main\.ts:3:15: Cannot find package 'no-such-package'$/)
    expect(pack.codeFrame).toContain('> 3 | import b from "no-such-package"')
  })

  it('because an imported name does not exist is reported with its name and place', async () => {
    const error = await loadFailure({
      'main.ts': `interface A { a: 1 }\n\nimport { b } from './b'\nexport default () => b`,
      'b.ts': 'export const a = 1',
    })
    expect(error.message).toMatch(/main\.ts:3:10: .*'\.\/b' does not provide an export named 'b'$/)
  })

  it('because it throws is reported with the error and its place', async () => {
    const error = await loadFailure({
      'main.ts': `interface A { a: 1 }\n\nconst a: A = JSON.parse('null')\nexport default a.a`,
    })
    expect(error.message).toMatch(/main\.ts:4:18: TypeError: Cannot read properties of null/)
    expect(error.codeFrame).toContain('> 4 | export default a.a')
    const text = await loadFailure({ 'main.ts': `throw 'no key'` })
    expect(text.message).toMatch(/main\.ts: threw no key while it was loaded$/)
  })

  it('because it does not exist is reported', async () => {
    expect((await loadFailure({}, 'gone.ts')).message).toMatch(/gone\.ts: there is no such file$/)
  })

  it('does not include one with a broken tsconfig.json, unless that is why an import is missing', async () => {
    const files = {
      'tsconfig.json': '{ "extends": "@tsconfig/not-installed" }',
      'main.ts': `export { default } from './part'`,
      'part.ts': `export default () => 'here'`,
      'alias.ts': `import '@/part'`,
    }
    expect(await run(files)).toBe('here')
    const error = await loadFailure(files, 'alias.ts')
    expect(error.message).toMatch(
      /Cannot find package '@\/part' \(Tsconfig not found @tsconfig\/not-installed\)$/,
    )
  })
})

describe('config', () => {
  async function read(source: string, file = 'viva.config.ts'): Promise<unknown> {
    const pathOf = await writeProject({ [file]: source })
    return host.call({ kind: 'data', file: pathOf(file) }, { signal })
  }

  it('is the default export as data', async () => {
    const data = { agents: { booking: { url: 'http://localhost' } }, tags: ['a'] }
    expect(await read(`const config: object = ${JSON.stringify(data)}\nexport default config`)).toEqual(data)
    expect(await read(`module.exports = ${JSON.stringify(data)}`, 'viva.config.cjs')).toEqual(data)
  })

  it.each([
    ['{ agents: { booking: () => 1 } }', 'agents.booking is a function'],
    ['{ agents: [class Booking {}] }', 'agents[0] is a class'],
    ['{ "x-id": { key: Symbol("a") } }', '["x-id"].key is a symbol'],
    ['{ budget: 1n }', 'budget is a BigInt'],
    ['{ agents: Promise.resolve({}) }', 'agents is a Promise'],
    ['() => ({})', 'the default export is a function'],
  ])('that is not plain data is refused with the path: %s', async (source, complaint) => {
    const error = await read(`export default ${source}`).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ScriptLoadError)
    const message = `viva.config.ts: ${complaint}: config must be plain data, without code`
    expect((error as ScriptLoadError).message.endsWith(message)).toBe(true)
  })

  it('without a default export is refused with a list of the exports', async () => {
    await expect(read('export const config = {}')).rejects.toThrow(
      /there is no default export; its exports are: config$/,
    )
  })
})
