/**
 * The cost of one more script test: files with many tests and with one. The same trivial tests are run with `node --test`
 * and vitest. The cost of a test is the difference between many and one.
 */
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { vivaCommand } from '../contenders.mjs'
import { measureProcess, repository } from '../measure.mjs'
import { writeFiles } from '../project.mjs'
import { measureInTurn, round } from '../rounds.mjs'
import { columnOf } from '../table.mjs'

export const columns = [
  ['runner', ({ name }) => name],
  ['1 test, s', ({ one }) => one.toFixed(2)],
  ['many tests, s', ({ many, tests }) => `${many.toFixed(2)} (${tests})`],
  ['ms per test', ({ msPerTest }) => msPerTest.toFixed(2)],
  ['CPU ms per test', ({ cpuMsPerTest }) => cpuMsPerTest.toFixed(2)],
  columnOf.peakMb,
]

const runners = [
  {
    name: 'viva',
    command: [...vivaCommand, 'test'],
    ending: '_test.ts',
    head: [],
    test: (name) => `function ${name}(t) { t.assert.Equal(1 + 1, 2) }`,
  },
  {
    name: '`node --test`',
    command: [process.execPath, '--test'],
    ending: '.test.mjs',
    head: ["import { test } from 'node:test'", "import assert from 'node:assert/strict'"],
    test: (name) => `test('${name}', () => { assert.equal(1 + 1, 2) })`,
  },
  {
    name: 'vitest',
    command: [process.execPath, join(repository, 'node_modules/vitest/vitest.mjs'), 'run'],
    ending: '.spec.mjs',
    head: ["import { expect, test } from 'vitest'"],
    test: (name) => `test('${name}', () => { expect(1 + 1).toBe(2) })`,
  },
]

export async function measure({ size, rounds, folder }) {
  const tests = size(200, 20)
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  const contenders = []
  for (const runner of runners)
    for (const count of [1, tests]) contenders.push(await createContender(runner, count, folder))
  const measured = await measureInTurn(contenders, rounds)
  return runners.map(({ name }, index) => compare(name, tests, measured.slice(2 * index, 2 * index + 2)))
}

async function createContender({ name, command, ending, head, test }, count, folder) {
  const file = `of-${count}${ending}`
  const lines = Array.from({ length: count }, (_, index) => test(`Test${index}`))
  await writeFiles(folder, { [file]: `${[...head, ...lines].join('\n')}\n` })
  const options = { cwd: folder, env: { ...process.env, CI: '1', NO_COLOR: '1' } }
  return { name, run: () => measureProcess([...command, file], options) }
}

function compare(name, tests, [one, many]) {
  const perTest = (key) => round(((many[key] - one[key]) / (tests - 1)) * 1000)
  return {
    name,
    tests,
    one: one.seconds,
    many: many.seconds,
    msPerTest: perTest('seconds'),
    cpuMsPerTest: perTest('cpu'),
    peakMb: many.peakMb,
  }
}
