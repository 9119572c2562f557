import { afterAll, describe, it } from 'vitest'
import { removeProjects } from '../../../../test/fixtures/scripts/project.ts'
import { check } from './cover.fixture.ts'

afterAll(removeProjects)

describe('hits', () => {
  it('count an asynchronous function or a generator once per call, however often it waits', async () => {
    const source = `
         | export async function wait(times: number): Promise<void> {
       2 |   for (let time = 0; time < times; time += 1) {
       3 |     await new Promise((done) => setTimeout(done))
         |   }
       2 |   await null
       2 |   if (times === 0) return
       1 |   try {
       1 |     await Promise.reject(new Error('no'))
         |   } catch {
       1 |     times = 0
         |   } finally {
       1 |     times += 1
         |   }
         | }
         | export function* count() {
       1 |   yield 1
       1 |   yield 2
       0 |   yield 3
         | }`
    const test = `
      import { count, wait } from './code'
      await wait(0); await wait(3)
      for (const number of count()) if (number === 2) break`
    const functions = ['1 wait 2', '3 (anonymous) 3', '15 count 1']
    await check({ source, functions }, test)
  })

  it('count the parts of a switch, a loop and a label that ran', async () => {
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

  it('of the code after a loop are not those of the loop, where V8 gives each iteration its own variables', async () => {
    const source = `
         | export function each(times: number): unknown[] {
       2 |   const made: unknown[] = []
       2 |   for (let time = 0; time < times; time += 1) {
       0 |     made.push(() => time)
         |   }
       2 |   made.push('after')
       2 |   if (times === 0) {
       6 |     for (let time = 0; time < 3; time += 1) made.push(function () { return time })
       2 |     made.push('inner')
         |   }
       2 |   for (let time = 0; time < 9; time += 1) {
       2 |     made.push(class {})
       2 |     if (time === 0) return made
         |   }
       0 |   return []
         | }`
    const functions = ['1 each 2', '4 (anonymous) 0', '8 (anonymous) 0']
    await check(
      { source: source.replace(/2 \| {5}for/, '6 |     for'), functions },
      `import { each } from './code'; each(0); each(0)`,
    )
  })
})
