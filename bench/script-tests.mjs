/**
 * The cost of one more script test: files with many tests and with one, as whole processes, in turn.
 *
 *   node bench/script-tests.mjs [--tests 200] [--rounds 5]
 *
 * The same trivial tests are run with `node --test` and vitest. The cost of a test is the difference between many and one.
 */
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { alternate, repository, timeProcess } from './measure.mjs'

const { values } = parseArgs({
  options: { tests: { type: 'string', default: '200' }, rounds: { type: 'string', default: '5' } },
})
const many = Number(values.tests)

const names = (count) => Array.from({ length: count }, (_, index) => `Test${index}`)
const suites = {
  viva: (count) => names(count).map((name) => `function ${name}(t) { t.assert.Equal(1 + 1, 2) }`),
  node: (count) => [
    "import { test } from 'node:test'",
    "import assert from 'node:assert/strict'",
    ...names(count).map((name) => `test('${name}', () => { assert.equal(1 + 1, 2) })`),
  ],
  vitest: (count) => [
    "import { expect, test } from 'vitest'",
    ...names(count).map((name) => `test('${name}', () => { expect(1 + 1).toBe(2) })`),
  ],
}

const folder = await mkdtemp(join(tmpdir(), 'viva-script-tests-'))
try {
  await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'))
  const runner = { cwd: folder, env: { ...process.env, CI: '1', NO_COLOR: '1' } }
  const commands = {
    viva: (file) => [process.execPath, join(repository, 'bin/viva.js'), 'test', file],
    node: (file) => [process.execPath, '--test', file],
    vitest: (file) => [process.execPath, join(repository, 'node_modules/vitest/vitest.mjs'), 'run', file],
  }
  const endings = { viva: '_test.ts', node: '.test.mjs', vitest: '.spec.mjs' }
  const contenders = []
  for (const [name, suite] of Object.entries(suites)) {
    for (const count of [1, many]) {
      const file = `of-${count}${endings[name]}`
      await writeFile(join(folder, file), `${suite(count).join('\n')}\n`)
      contenders.push({ name: `${name} ${count}`, run: () => timeProcess(commands[name](file), runner) })
    }
  }
  const results = await alternate(contenders, Number(values.rounds))
  const median = (name) => {
    const { times } = results.find((result) => result.name === name)
    return times[Math.floor(times.length / 2)]
  }
  console.log(`\n| runner | 1 test, s | ${many} tests, s | ms per test |\n| --- | --- | --- | --- |`)
  for (const name of Object.keys(suites)) {
    const [one, all] = [median(`${name} 1`), median(`${name} ${many}`)]
    const each = ((all - one) / (many - 1)) * 1000
    console.log(`| ${name} | ${one.toFixed(2)} | ${all.toFixed(2)} | ${each.toFixed(2)} |`)
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
