import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CodeReader } from './code.ts'
import { FingerprintParts } from './parts.ts'

function readCode(text: string): string | undefined {
  const root = mkdtempSync(join(tmpdir(), 'viva-code-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  writeFileSync(join(root, 'agent.mjs'), text)
  const project = { root, env: {}, config: {} }
  const parts = new FingerprintParts({ project, redact: (value) => value, named: new Map() })
  return new CodeReader().read(join(root, 'agent.mjs'), parts).unseen
}

const made = 'agent.mjs runs code that it makes itself'
const globals = 'agent.mjs uses globals that it does not name'
const imports = 'agent.mjs imports what it names only when it runs'

describe('CodeReader', () => {
  it.each([
    ['eval(text)', made],
    ['(0, eval)("process").env.MYV', made],
    ['const run = eval', made],
    ['const run = isOdd ? eval : undefined', made],
    ['globalThis.eval(text)', made],
    ['globalThis?.eval(text)', made],
    ['Function("return process")()', made],
    ['new Function(text)', made],
    ['const { process: p } = globalThis\np.env[k]', globals],
    ['globalThis[name](url)', globals],
    ['globalThis?.[name](url)', globals],
    ['globalThis["fetch"](url)', globals],
    ['const all = globalThis\nall[name](url)', globals],
    ['Reflect.get(globalThis, name)', globals],
    ['import * as m from "node:module"\nm["create" + "Require"](url)', imports],
    ['import Module from "module"', imports],
  ])('%s can do more than its text shows', (text, reason) => {
    expect(readCode(text)).toBe(reason)
  })

  it.each([
    '// eval, or globalThis[name]',
    ' * may eval it',
    'const rules = { eval: false }',
    'rules.eval',
    '"eval"',
    '"unsafe-eval"',
    'const retrieval = medieval',
    'globalThis.structuredClone(value)',
    'globalThis[Symbol.for("pool")]',
    `const root = Function('return this')()`,
    'typeof check === "function" && isFunction(check)',
    'import { module } from "./module.mjs"',
  ])('%s is all that it does', (text) => {
    expect(readCode(text)).toBeUndefined()
  })
})
