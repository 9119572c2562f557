import { describe, expect, it } from 'vitest'
import { listVariables, readsUnnamedVariables } from './variables.ts'

describe('listVariables', () => {
  it.each([
    ['process.env.HOST', ['HOST']],
    [`process.env['HOST'] + process.env["PORT"]`, ['HOST', 'PORT']],
    ['process\n  .env\n  .HOST', ['HOST']],
    [`import os from 'node:process'\nos.env.HOST`, ['HOST']],
    ['be kind in $ENV.TOWN', ['TOWN']],
    ['{{ env.TOWN }}', ['TOWN']],
    [`const { HOST, PORT: port = '80' } = process.env`, ['HOST', 'PORT']],
    ['const { HOST } = settings', []],
    ['no variable', []],
  ])('%s', (text, names) => {
    expect(listVariables(text)).toEqual(names)
  })
})

describe('readsUnnamedVariables', () => {
  it.each([
    ['process.env.HOST', false],
    [`process.env['HOST']`, false],
    ['const { HOST } = process.env', false],
    ['this process environment', false],
    ['process.env[name]', true],
    ['Object.keys(process.env)', true],
    ['const { HOST, ...others } = process.env', true],
    ['process.env?.HOST', true],
    ['process["env"]', true],
    [`import { env } from 'node:process'`, true],
    [`import { argv } from 'node:process'`, false],
    [`import process from 'node:process'\nprocess.env.HOST`, false],
    [`import os from 'node:process'\nos.env.HOST`, false],
    [`import * as os from 'process'\nos.env[name]`, true],
    [`var process$1 = require('node:process')\nprocess$1.env.HOST`, false],
    [`var process$1 = require('node:process')\nread(process$1)`, true],
    [`require('node:process').env[name]`, true],
    ['// collect, process, answer\n/* (process) */\n * process, too', false],
    ['items.map((process) => process.id)', false],
    ['const { env } = process', true],
    ['function tone({ env } = process) {}', true],
    ['const p = process\np.env.HOST', true],
    ['read(process)', true],
    ['process\n  .env\n  .HOST', false],
    ['process\n  .env[name]', true],
    ['const { env: { HOST } } = process', true],
    ['const { env } = globalThis.process', true],
    ['globalThis.process.env.HOST', true],
    ['globalThis.process.exit()', false],
    [`typeof process === 'undefined'`, false],
    ['start(process.argv)', false],
    ['const process = start()', false],
    ['import.meta.env.HOST', true],
    ['Deno.env.get("HOST")', true],
  ])('%s: %s', (text, expected) => {
    expect(readsUnnamedVariables(text)).toBe(expected)
  })
})
