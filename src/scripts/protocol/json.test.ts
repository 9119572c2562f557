import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toJson } from './json.ts'

const rules = { whole: 'the reply', rule: 'it must be data' }

it('toJson writes every JSON value as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(toJson(value, rules)).toBe(JSON.stringify(value))
    }),
  )
})

it('toJson keeps the meaning of undefined, dates and odd keys', () => {
  const odd = JSON.parse('{ "then": "a word", "__proto__": 1 }')
  const value = { gone: undefined, list: [undefined, 1], at: new Date(0), odd }
  expect(toJson(value, rules)).toBe(JSON.stringify(value))
  expect(toJson(undefined, rules)).toBeUndefined()
})

it('toJson runs the code of getters and toJSON once', () => {
  let runs = 0
  const value = {
    get total() {
      runs += 1
      return 1
    },
    price: {
      toJSON(key: string) {
        runs += 1
        return `${key} of 2`
      },
    },
  }
  expect(toJson(value, rules)).toBe('{"total":1,"price":"price of 2"}')
  expect(runs).toBe(2)
})

it('toJson accepts the same object in several places, but not inside itself', () => {
  const room = { id: 1 }
  expect(toJson([room, room], rules)).toBe('[{"id":1},{"id":1}]')
  const house: { rooms: unknown[] } = { rooms: [] }
  house.rooms.push({ house })
  expect(() => toJson(house, rules)).toThrow('rooms[0].house contains itself: it must be data')
})
