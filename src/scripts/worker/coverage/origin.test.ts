import { afterAll, describe, it } from 'vitest'
import { removeProjects } from '../../../../test/fixtures/scripts/project.ts'
import { check } from './cover.fixture.ts'

afterAll(removeProjects)

describe('the lines of TypeScript', () => {
  it.each(['\n', '\r\n'])(
    'are right with all kinds of characters, and lines that end in %j',
    async (lineEnd) => {
      const source = `
         | // Zürich 東京 😀
       1 | const city: string = '東京😀'; export const letters = (): number => { return city.length }
       2 | export function greet(name: string = 'Zoë 😀'): string { /* 😀 */ if (name === '') {
       0 |     return '😀'
         |   }
       2 |   return \`Grüezi 😀
         |     \${name}\`
         | }
       1 | /* 東京 */ greet(); greet('東京')`
      await check({ source, functions: ['2 letters 0', '3 greet 2'] }, `import './code'`, { lineEnd })
    },
  )

  it('of a switch, a loop and a label are those that ran', async () => {
    const source = `
         | export function kindOf(value: unknown): string {
       3 |   switch (typeof value) {
         |     case 'string': {
       1 |       break
         |     }
       1 |     case 'number': return 'number'
         |     case 'bigint':
         |     default:
       1 |       return 'other'
         |   }
       1 |   rows: for (let row = 0; ; row += 1) {
       2 |     while (true) {
       2 |       if (row === 0) continue rows
       1 |       else break rows
         |     }
         |   }
       1 |   do {
         |     ;
         |   } while (false)
       1 |   return value?.toString() ?? 'none'
         | }`
    const test = `import { kindOf } from './code'; kindOf('a'); kindOf(1); kindOf(true)`
    await check({ source, functions: ['1 kindOf 3'] }, test)
  })

  it('are found for CommonJS, too', async () => {
    const source = `
       1 | import path = require('node:path')
         | type Way = string
       2 | const way = (): Way => path.sep
       1 | way(); way()
       1 | export = way`
    await check({ source, functions: ['3 way 2'] }, `import './code.cts'`, { name: 'code.cts' })
  })
})

describe('JavaScript', () => {
  it('is covered as it is', async () => {
    const source = `
         | 'use strict'
       1 | const { sep } = require('node:path')
       0 | function unused(a, b = () => 1) {
       0 |   return a + b()
         | }
       1 | if (sep === '') return
       1 | exports.first = function () {
       1 |   return 1
         | }
       1 | exports.first()`
    const functions = ['3 unused 0', '3 b 0', '7 first 1']
    await check({ source, functions }, `import './code.cjs'`, { name: 'code.cjs' })
  })

  it('that the user built from other files is not mapped back to them', async () => {
    const map = Buffer.from(JSON.stringify({ version: 3, sources: ['a.ts'], mappings: 'AAUA' })).toString(
      'base64',
    )
    const source = `
       1 | export const one = 1
         | //# sourceMappingURL=data:application/json;base64,${map}`
    await check({ source, functions: [] }, `import './code.mjs'`, { name: 'code.mjs' })
  })
})
