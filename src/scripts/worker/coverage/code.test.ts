import { afterAll, describe, it } from 'vitest'
import { removeProjects } from '../../../../test/fixtures/scripts/project.ts'
import { check } from './cover.fixture.ts'

afterAll(removeProjects)

describe('covered lines and functions', () => {
  it('are those of the TypeScript', async () => {
    const source = `
         | import { sep } from 'node:path'
         | interface Room {
         |   nights: number
         | }
         | type Rooms = Room[]
         | declare const nothing: string
         |
       1 | const prices: Record<string, number> = {
         |   single: 80,
         |   double: 120, // a comment
         | }
       1 | let last: string | undefined, first = sep
         |
         | /** A comment. */
         | export function price(room: keyof typeof prices, nights = 1): number {
       3 |   if (nights < 1) return 0
       2 |   const each = prices[room]
         |
       2 |   if (each === undefined) {
       0 |     last = room
       0 |     throw new Error(
         |       'no such room',
         |     )
       2 |   } else if (nights > 6) {
       1 |     return each * nights * 0.9
         |   } else {
       1 |     return each * nights
         |   }
         | }
         |
         | export function unused(rooms: Rooms): string[] {
       0 |   const named = () => {
       0 |     return rooms.map((room) => String(room.nights))
         |   }
       0 |   return named()
         | }
         |
         | export function overloaded(value: string): string
         | export function overloaded(value: number): string
         | export function overloaded(value: unknown): string {
       1 |   for (const letter of String(value)) {
       4 |     first += letter
         |   }
       1 |   return first
         | }`
    const test = `
      import { overloaded, price } from './code'
      price('single', 0); price('single'); price('double', 7); overloaded(1234)`
    const functions = ['15 price 3', '31 unused 0', '32 named 0', '33 (anonymous) 0', '40 overloaded 1']
    await check({ source, functions }, test)
  })

  it('include arrow functions on one line and over several', async () => {
    const source = `
       2 | export const twice = (n: number) => n * 2
       1 | export const never = (n: number) => n * 3
       3 | export const lines = [1, 2, 3].map((n) => n + 1).filter((n) => n > 9)
       1 | export const curried = (a: number) =>
       2 |   (b: number) =>
       0 |     () => a + b
       1 | export const unnamed = [1].map(
         |   (
         |     n,
         |   ) =>
       1 |     n,
         | )
       1 | export const bare = [].map(
       0 |   n => n,
         | )
       1 | export const chosen = twice(0) === 0
       1 |   ? () => 'yes'
       0 |   : 'no'
       1 | export const both = twice(0)
       0 |   && never(1)
       1 |   || 'none'
       1 | export default () => never(1)`
    const test = `
      import { curried } from './code'
      curried(1); curried(2)`
    const functions = [
      '1 twice 2',
      '2 never 0',
      '3 (anonymous) 3',
      '3 (anonymous) 3',
      '4 curried 2',
      '5 (anonymous) 0',
      '6 (anonymous) 0',
      '8 (anonymous) 1',
      '14 (anonymous) 0',
      '17 (anonymous) 0',
      '22 default 0',
    ]
    await check({ source, functions }, test)
  })

  it('include classes, their fields and methods', async () => {
    const source = `
         | export class Guest {
       1 |   static count = 0
       2 |   nights = 1
         |   declare later: string
       2 |   readonly greet = () => this.name
       2 |   constructor(readonly name: string) {
       2 |     Guest.count += 1
         |   }
         |   get loud(): string {
       1 |     return this.name.toUpperCase()
         |   }
         |   unused(): void {
       0 |     this.nights = 0
         |   }
       1 |   static async create(): Promise<Guest> { return new Guest('b') }
         |   #secret() {}
         |   [Symbol.iterator]() {}
         |   static {
       1 |     if (Guest.count > 0) {
       0 |       Guest.count = 1
         |     }
         |   }
         | }
         | export class Idle {
       1 |   static count = 0
       0 |   nights = 1
         | }
       1 | export const other = { book() { return 1 }, async *'two words'() {}, later: function () {} }`
    const test = `
      import { Guest, other } from './code'
      new Guest('a').loud; await Guest.create(); other.book()`
    const functions = [
      '5 greet 0',
      '6 constructor 2',
      '9 get loud 1',
      '12 unused 0',
      '15 create 1',
      '16 #secret 0',
      '17 [Symbol.iterator] 0',
      '28 book 1',
      '28 two words 0',
      '28 later 0',
    ]
    await check({ source, functions }, test)
  })

  it('include what TypeScript adds to the language', async () => {
    const source = `
       1 | export enum Color {
       1 |   Red = 'red',
       1 |   Blue = pick(),
         | }
       1 | function pick(): number { return 1 }
       1 | export namespace Shop {
       1 |   export const sell = (): string => 'sold'
         |   export function buy(): string {
       0 |     return 'bought'
         |   }
         | }
       1 | const tag = (target: unknown): void => {}
       1 | const named = (make: () => unknown) => (target: unknown, key: string): void => {}
       1 | @tag
       1 | class Tagged {
       1 |   @named(() => String)
         |   late(): void {
       0 |     Shop.buy()
         |   }
         | }
       1 | export const here = __dirname as string
       1 | export const kept = <T,>(value: T) => value satisfies T`
    const test = `import { kept, Shop } from './code'; Shop.sell(); kept(1)`
    const functions = [
      '5 pick 1',
      '7 sell 1',
      '8 buy 0',
      '12 tag 0',
      '13 named 1',
      '13 (anonymous) 0',
      '16 (anonymous) 0',
      '17 late 0',
      '22 kept 1',
    ]
    await check({ source, functions }, test)
  })
})
