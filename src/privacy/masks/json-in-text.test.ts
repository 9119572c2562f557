import { expect, test } from 'vitest'
import { mapJsonInText } from './json-in-text.ts'

const shout = (text: string) =>
  mapJsonInText(text, {
    data: (value) => (JSON.stringify(value).includes('secret') ? { hidden: true } : value),
    text: (rest) => rest.toUpperCase(),
  })

test.each([
  ['{"a": "secret"}', '{"hidden":true}'],
  ['here: {"a": "secret"} and [1,  2]!', 'HERE: {"hidden":true} AND [1,  2]!'],
  ['```json\n{\n  "a": "secret"\n}\n```', '```JSON\n{\n  "hidden": true\n}\n```'],
  ['{ no json } [x', '{ NO JSON } [X'],
  ['{"list": [{"a": "secret"}, {"b"', '{"LIST": [{"hidden":true}, {"B"'],
])('changes the JSON in %s and keeps the text around it', (text, changed) => {
  expect(shout(text)).toBe(changed)
})

test('a text of many opening brackets takes little time', () => {
  const started = process.cpuUsage()
  shout('[{"a":'.repeat(100_000))
  expect(process.cpuUsage(started).user).toBeLessThan(5_000_000)
})
