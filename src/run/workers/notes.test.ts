import { expect, it } from 'vitest'
import { Notes } from './notes.ts'

function listen() {
  const lines: string[] = []
  const notes = new Notes({
    note: (line) => void lines.push(`note ${line}`),
    complain: (line) => void lines.push(line),
  })
  return { lines, notes }
}

it('the end of a run is said, however much was said before', () => {
  const { lines, notes } = listen()
  for (let count = 0; count < 30; count += 1) notes.complain(`line ${count}`)
  notes.last('The run ends')
  expect(lines).toHaveLength(21)
  expect(lines.at(-1)).toBe('The run ends')
})

it('what several workers say for the same reason is said once', () => {
  const { lines, notes } = listen()
  for (const worker of ['a', 'b']) notes.complain(`Worker ${worker} refuses: no key`, 'no key')
  notes.note('other')
  notes.note('other')
  expect(lines).toEqual(['Worker a refuses: no key', 'note other'])
})
