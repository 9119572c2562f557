/**
 * The peers, with their versions. Every program in bench/peers/<folder>/ does the same: it sends the same prompts to the
 * server with the given concurrency, checks that each reply contains a word, and writes the results to the peer's default
 * store (`store`, which is emptied before every run).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../measure.mjs'

const viva = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
/** The client of the floor, for the calls that the users of a peer write themselves. */
const { undici } = viva.dependencies
const zod = '4.6.7'
const braintrust = {
  folder: 'braintrust',
  packages: { braintrust: '3.35.0', zod, undici },
  program: ['run.mjs'],
}
/** Not published to npm. */
const agtlantis = {
  folder: 'agtlantis',
  git: {
    url: process.env.VIVA_BENCH_AGTLANTIS ?? 'https://github.com/agtlantis/agtlantis',
    commit: '8cc9eee61b95e83f19efbae1fe9e4e1f25902561',
    pnpm: 'pnpm@10.20.0',
    links: { '@agtlantis/core': 'packages/core', '@agtlantis/eval': 'packages/eval' },
  },
  packages: { undici },
  program: ['run.mjs'],
  conversations: ['conversations.mjs'],
  store: 'reports',
}
const withVitest = {
  folder: 'vitest',
  packages: { vitest: '4.1.12', ai: '6.0.319', '@ai-sdk/openai-compatible': '2.0.87', zod, undici },
}
const runVitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.config.mjs']

export const peers = [
  { name: 'braintrust 3.35.0', ...braintrust },
  { name: 'braintrust, calls by `fetch`', ...braintrust, client: 'fetch' },
  { name: 'vitest 4.1.12', ...withVitest, program: [...runVitest, 'undici.test.mjs'] },
  { name: 'vitest, calls by AI SDK 6.0.319', ...withVitest, program: [...runVitest, 'ai-sdk.test.mjs'] },
  {
    name: 'vitest-evals 0.16.1',
    folder: 'vitest-evals',
    packages: { 'vitest-evals': '0.16.1', vitest: '4.1.12', ai: '6.0.319', zod, undici },
    program: runVitest,
  },
  {
    name: 'evalite 0.19.0',
    folder: 'evalite',
    packages: { evalite: '0.19.0', vitest: '4.1.12', undici },
    program: ['node_modules/evalite/dist/bin.js', 'run', 'bench.eval.ts'],
    store: 'node_modules/.evalite',
  },
  {
    // Later versions need Node 22.
    name: 'promptfoo 0.121.20',
    folder: 'promptfoo',
    packages: { promptfoo: '0.121.20', undici },
    program: ['run.mjs'],
    store: 'store',
  },
  { name: 'agtlantis 0.1.2', ...agtlantis },
  { name: 'agtlantis, calls by `fetch`', ...agtlantis, client: 'fetch' },
]
