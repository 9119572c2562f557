import { expect, it } from 'vitest'
import { createLog } from './log.ts'

it('log writes a line for every call, with its level', () => {
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  log.Trace('a')
  log.Debug('b %d', 1)
  log.Info('c', { d: 1 })
  log.Warn('d')
  log.Error('%v', new Error('e'))
  expect(lines).toEqual([
    'log.trace: a',
    'log.debug: b 1',
    'log.info: c {"d":1}',
    'log.warn: d',
    'log.error: Error: e',
  ])
})

it('log.Fatal and log.Panic throw, where the engine would end its process', () => {
  const lines: string[] = []
  const log = createLog((line) => lines.push(line))
  expect(() => log.Fatal('no %s', 'disk')).toThrow('no disk')
  expect(() => log.Panic('no %s', 'memory')).toThrow('no memory')
  expect(lines).toEqual(['log.fatal: no disk', 'log.panic: no memory'])
})
