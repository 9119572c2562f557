import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { EvalProject, ProjectOptions } from '../src/index.ts'
import { project as createFolder } from './support/viva.ts'

const { accuracy, aiUser, createEvalSuite, createJudge, fieldEquals, openProject } = (await import(
  // The built library, as users import it: it starts processes of its own.
  new URL('../dist/index.js', import.meta.url).href
)) as typeof import('../src/index.ts')

/** Remembers all that was said since the last reset. */
const server = `
import { appendFileSync } from 'node:fs'
import { createServer } from 'node:http'
const said = []
const log = (word) => appendFileSync('log', word + '\\n')
process.on('SIGTERM', () => { log('stopped'); process.exit(0) })
log('started')
createServer((request, response) => {
  if (request.url === '/reset') { log('reset'); said.length = 0 }
  else if (request.url !== '/health') said.push(request.url.slice(1))
  response.end(said.join(' '))
}).listen(Number(process.env.PORT), '127.0.0.1')
`

const scripts = `
export function judge({ criteria, output }) {
  const score = String(output).includes('good') ? 100 : 0
  return { criteria: criteria.map(({ id }) => ({ criterion: id, reason: 'seen', score })) }
}
export function user({ persona, last_response, turn_count }) {
  return { input: persona + ' after ' + turn_count + ': ' + last_response }
}
export function cases({ count }) {
  return { defaults: { tags: ['made'] }, cases: Array.from({ length: count }, (_, i) => ({ input: 'say ' + i })) }
}
export function nothing() { return 'no cases' }
export function none() { return [] }
export function typo() { return [{ id: 'a', input: 'x', asert: { type: 'contains', value: 'y' } }] }
export function half() { return [{ id: 'a', input: 'x' }, { id: 'b' }] }
`

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

async function open(
  config: object = {},
  options: ProjectOptions = {},
): Promise<{ project: EvalProject; folder: string }> {
  const folder = createFolder({
    'server.mjs': server,
    'tests.ts': scripts,
    'viva.config.json': JSON.stringify(config),
  })
  const project = await openProject({ folder, ...options })
  onTestFinished(() => project.close())
  return { project, folder }
}

async function withService(more: object = {}) {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const service = {
    command: 'node server.mjs',
    url: `${base}/health`,
    reset: `${base}/reset`,
    env: { PORT: String(port) },
    timeout: '20s',
    ...more,
  }
  const opened = await open({ services: [service] })
  const agent = { execute: async (word: string) => (await fetch(`${base}/${word}`)).text() }
  return { ...opened, agent }
}

const log = (folder: string) =>
  existsSync(join(folder, 'log')) ? readFileSync(join(folder, 'log'), 'utf8').trim().split('\n') : []

describe('the services of a project in a suite', () => {
  it('are started for the first run, reset before each case, and stopped with the project', async () => {
    const { project, folder, agent } = await withService()
    const suite = createEvalSuite({ agent })
    const cases = [
      { input: 'one', expectedOutput: 'one' },
      { input: 'two', expectedOutput: 'two' },
    ]
    // One case at a time, whatever is asked for: a reset would take the state from under the others.
    const first = await suite.run(cases, { project, concurrency: 2 })
    const second = await suite.run(cases, { project })
    expect([first.summary.passed, second.summary.passed]).toEqual([2, 2])
    expect(log(folder)).toEqual(['started', 'reset', 'reset', 'reset', 'reset'])
    await project.close()
    expect(log(folder).at(-1)).toBe('stopped')
  })

  it('are not started by runs without the project', async () => {
    const { folder } = await withService()
    await createEvalSuite({ agent: { execute: (text: string) => text } }).run([{ input: 'a' }])
    expect(log(folder)).toEqual([])
  })

  it('stop the run if they do not start, and can be started by the next run', async () => {
    const { project, agent } = await withService({ command: 'node missing.mjs' })
    const run = () => createEvalSuite({ agent }).run([{ input: 'a' }], { project })
    await expect(run()).rejects.toThrow(/service `node missing.mjs` .*exited with code 1/s)
    await expect(run()).rejects.toThrow(/service `node missing.mjs`/)
  })
})

describe('a project that several runs use', () => {
  it('lets runs take turns if its services are reset', async () => {
    const { project, folder, agent } = await withService()
    const suite = createEvalSuite({ agent })
    const cases = ['one', 'two', 'three'].map((input) => ({ input, expectedOutput: input }))
    const reports = await Promise.all([suite.run(cases, { project }), suite.run(cases, { project })])
    expect(reports.map(({ summary }) => summary.passed)).toEqual([3, 3])
    expect(log(folder).filter((word) => word === 'started')).toHaveLength(1)
  })

  it('a run that is stopped while the services start does not stop the other one', async () => {
    const { project, agent } = await withService()
    const suite = createEvalSuite({ agent })
    const stop = new AbortController()
    const stopped = suite.run([{ input: 'one' }], { project, signal: stop.signal })
    const other = suite.run([{ input: 'two', expectedOutput: 'two' }], { project })
    stop.abort()
    await stopped.catch(() => {})
    expect((await other).summary.passed).toBe(1)
  })

  it('a project that is closed while its services start leaves none of them behind', async () => {
    const { project, folder, agent } = await withService()
    const running = createEvalSuite({ agent }).run([{ input: 'one' }], { project })
    running.catch(() => {})
    await project.close()
    await expect(running).rejects.toThrow()
    const words = log(folder)
    expect(words.filter((word) => word === 'stopped')).toHaveLength(words.includes('started') ? 1 : 0)
  })

  it('a closed project is refused, and may be closed twice', async () => {
    const { project, agent } = await withService()
    await project.close()
    await project.close()
    const suite = createEvalSuite({ agent })
    await expect(suite.run([{ input: 'one' }], { project })).rejects.toThrow('the project is closed')
    await expect(project.generate('scripts:tests.cases')).rejects.toThrow('the project is closed')
    await expect(project.judge('scripts:tests.judge')).rejects.toThrow('the project is closed')
  })
})

describe('the helper agents of a project in a suite', () => {
  const echo = { execute: (text: string) => ({ text, done: text.includes('after 2') }) }

  it('a script judges with the criteria of the suite', async () => {
    const { project } = await open()
    const judge = createJudge({
      provider: await project.judge('scripts:tests.judge'),
      criteria: [accuracy()],
    })
    const suite = createEvalSuite({ agent: { execute: (text: string) => text }, judge })
    const { results } = await suite.run([{ input: 'all good' }, { input: 'bad' }])
    expect(results.map(({ passed, score }) => [passed, score])).toEqual([
      [true, 100],
      [false, 0],
    ])
  })

  it('a script plays the user, and is told the persona and the last reply', async () => {
    const { project } = await open()
    const user = aiUser({
      provider: await project.simulator('scripts:tests.user'),
      systemPrompt: 'Ann',
    })
    const { results } = await createEvalSuite({ agent: echo }).run([
      {
        input: 'hi',
        multiTurn: {
          followUpInputs: [{ input: user, turns: Number.POSITIVE_INFINITY }],
          terminateWhen: [fieldEquals('done', true)],
        },
      },
    ])
    const [result] = results
    expect(result?.passed).toBe(true)
    expect(JSON.stringify(result)).toContain('Ann after 1: hi')
  })

  it('viva.judge asks the connector of the config', async () => {
    const verdict = { criteria: [{ criterion: 'accuracy', reason: 'yes', score: 80 }] }
    const { project } = await open({
      connectors: { fast: { type: 'scripted', options: { rules: [{ reply: verdict }] } } },
      helpers: { connector: 'fast' },
    })
    const judge = createJudge({ provider: await project.judge('viva.judge'), criteria: [accuracy()] })
    expect((await judge.evaluate({ input: 'a', output: 'b' })).overallScore).toBe(80)
    expect(project.provider('fast').id).toContain('fast')
  })

  it.each([
    ['judge', 'scripts:tests.missing', 'there is no export "missing"'],
    ['judge', 'viva.simulator', 'viva.simulator is there to play users, not to judge'],
    ['simulator', 'viva.judge', 'viva.judge is there to judge, not to play users'],
    ['simulator', 'nobody', /nobody/],
  ] as const)('an unknown or unsuitable %s is refused: %s', async (purpose, name, message) => {
    const { project } = await open()
    const refused = project[purpose](name)
    await expect(refused).rejects.toMatchObject({ name: 'ConfigError' })
    await expect(refused).rejects.toThrow(message)
  })
})

describe('the generators of a project', () => {
  it('a script gives cases, with its defaults', async () => {
    const { project } = await open()
    expect(await project.generate('scripts:tests.cases', { count: 2 })).toEqual([
      { id: 'case-1', input: 'say 0', tags: ['made'] },
      { id: 'case-2', input: 'say 1', tags: ['made'] },
    ])
  })

  it('an agent gives valid cases, and those left out are reported', async () => {
    const given = [
      { id: 'good', input: 'Hello', assert: { type: 'contains', value: 'Hi' } },
      { id: 'bad', input: 'Where is my order?', asserts: 'typo' },
    ]
    const warnings: string[] = []
    const { project } = await open(
      {
        connectors: { fast: { type: 'scripted', options: { rules: [{ reply: { cases: given } }] } } },
        helpers: { connector: 'fast' },
      },
      { warn: (text) => void warnings.push(text) },
    )
    const cases = await project.generate('agents:viva.generator', { count: 2 })
    expect(cases.map(({ id }) => id)).toEqual(['good'])
    expect(warnings.join('\n')).toContain('bad is left out: unknown key "asserts"')
  })

  it.each([
    ['scripts:tests.nothing', 'scripts:tests.nothing returned no list of cases'],
    ['scripts:tests.none', 'scripts:tests.none returned an empty list'],
    ['scripts:tests.typo', 'scripts:tests.typo: case 1: unknown key "asert"'],
    ['scripts:tests.missing', 'scripts:tests.missing: '],
    ['scripts:tests.half', /case 2: .*input/],
    ['agents:nobody', /nobody/],
  ])('%s is refused', async (reference, message) => {
    const { project } = await open()
    await expect(project.generate(reference)).rejects.toThrow(message)
  })
})

describe('openProject', () => {
  it('refuses a folder that is not there, and names that are no text', async () => {
    await expect(openProject({ folder: '/no/such/folder' })).rejects.toThrow(
      'no such folder: /no/such/folder',
    )
    const { project } = await open()
    await expect(project.judge(undefined as never)).rejects.toMatchObject({ name: 'ConfigError' })
    expect(() => project.provider(42 as never)).toThrow(expect.objectContaining({ name: 'ConfigError' }))
  })

  it('finds a helper after a misspelt one', async () => {
    const { project } = await open()
    await expect(project.judge('scripts:tests.jugde')).rejects.toThrow('jugde')
    expect((await project.judge('scripts:tests.judge')).id).toContain('tests.judge')
  })

  it.each([
    [{ folder: 5 }, /folder/],
    [{ dir: '.' }, 'unknown key "dir"'],
  ])('refuses the options %j', async (options, message) => {
    await expect(openProject(options as never)).rejects.toThrow(message)
  })

  it('reports a broken config', async () => {
    await expect(open({ conectors: {} })).rejects.toThrow('did you mean "connectors"?')
  })

  it('run takes nothing else for a project', async () => {
    const suite = createEvalSuite({ agent: { execute: (text: string) => text } })
    await expect(suite.run([{ input: 'a' }], { project: {} as never })).rejects.toThrow(
      'must be made by openProject',
    )
  })

  it('hides the secrets of the project in results of suites', async () => {
    process.env.PROJECT_TEST_PIN = 'correct-horse-battery'
    onTestFinished(() => void delete process.env.PROJECT_TEST_PIN)
    await open({ secrets: ['PROJECT_TEST_PIN'] })
    const suite = createEvalSuite({ agent: { execute: (text: string) => text } })
    const output = join(createFolder({}), 'results.jsonl')
    await suite.run([{ input: 'it is correct-horse-battery' }], { output })
    expect(readFileSync(output, 'utf8')).toContain('it is')
    expect(readFileSync(output, 'utf8')).not.toContain('correct-horse')
  })
})
