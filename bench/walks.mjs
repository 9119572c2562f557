/**
 * Writes docs/architecture-walks.md: which modules one case passes through, in which order.
 *
 *   node bench/walks.mjs
 *
 * The sources are compiled one by one, with a note at the beginning of every function, and run. Exits with 1 if a folder
 * calls one that it does not import and no contract allows it.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repository } from './measure.mjs'
import { readImports, writeInstrumented } from './walks/instrument.mjs'
import { renderPage } from './walks/page.mjs'
import { folderOf, runWalk } from './walks/run-walk.mjs'
import { createReader, none } from './walks/walk.mjs'

const walks = [
  {
    title: 'A case in a file',
    about: 'The case has one message and one check. The agent is a module, which runs in a separate process.',
    command: 'viva test -i cases.jsonl -n ./agent.mjs',
    shown: ['cases.jsonl', 'agent.mjs'],
    files: {
      'cases.jsonl': '{"id": "greets", "input": "Hi", "assert": {"type": "contains", "value": "Hello"}}\n',
      'agent.mjs': 'export default (input) => `Hello! You said: ${input}`\n',
    },
    program: ['BUILD/src/cli/main.js', 'test', '-i', 'cases.jsonl', '-n', './agent.mjs'],
  },
  {
    title: 'A script test that calls an agent',
    about:
      'The test runs in a worker thread. `ctx.agent.Call` blocks this thread until the runner has called the agent. The agent is\na package of the app, and its connector is scripted.',
    command: 'viva test -i scripts.greeter.greet',
    shown: ['assistants/greeter/src/greet_test.ts'],
    files: {
      'app.yao': '{"name": "Walk"}\n',
      'connectors/scripted.conn.yao': '{"type": "scripted", "options": {"rules": [{"reply": "Hello!"}]}}\n',
      'assistants/greeter/package.yao': '{"name": "Greeter", "connector": "scripted"}\n',
      'assistants/greeter/prompts.yml': '- role: system\n  content: Greet the user.\n',
      'assistants/greeter/src/greet_test.ts': [
        'function TestGreets(t: testing.T, ctx: agent.Context) {',
        "  t.assert.Equal(ctx.agent.Call('greeter', 'Hi').content, 'Hello!')",
        '}\n',
      ].join('\n'),
    },
    program: ['BUILD/src/cli/main.js', 'test', '-i', 'scripts.greeter.greet'],
  },
  {
    title: 'A case of a suite',
    about:
      'The case is part of a suite of the library. The agent and the suite run in the process of the caller, and the results\nare kept in memory.',
    command: 'node suite.mjs',
    shown: ['suite.mjs'],
    files: {
      'suite.mjs': [
        "import { createEvalSuite } from 'vivavoce'",
        '',
        "const agent = { name: 'greeter', execute: async (input) => `Hello, ${input}!` }",
        "const cases = [{ id: 'greets', input: 'Ada', expectedOutput: 'Hello, Ada!' }]",
        'const report = await createEvalSuite({ agent }).run(cases)',
        'process.exitCode = report.exitCode\n',
      ].join('\n'),
    },
    program: ['suite.mjs'],
    usesLibrary: true,
  },
]

/** What a case in a file should not have to load unless it is called. */
const costly = [
  ['generators', (file) => /^src\/agents\/helpers\/.*generator/.test(file)],
  ['audit', (file) => file.startsWith('src/analysis/audit/')],
  ['A2A', (file) => file.startsWith('src/agents/adapters/a2a')],
  ['yaml', (_, imports) => imports.has('yaml')],
  ['MCP', (file) => file.startsWith('src/tools/mcp')],
  ['coverage', (file) => file.startsWith('src/scripts/worker/coverage/')],
  ['compiler', (file, imports) => file.startsWith('src/scripts/compile/') || [...imports].some(isOxc)],
]
const isOxc = (name) => name.startsWith('oxc-')

// In here the packages that the sources import are found.
const build = await mkdtemp(join(repository, 'node_modules/.viva-bench-'))
const done = []
try {
  await writeInstrumented(build)
  const read = await createReader()
  for (const walk of walks) done.push({ ...walk, ...read(await runWalk(build, walk)) })
} finally {
  await rm(build, { recursive: true, force: true })
}
const loading = describeLoading(done[0], await readImports())
await writeFile(join(repository, 'docs/architecture-walks.md'), renderPage(done, loading))
report()

/** Per folder, how many modules the runner loads and how many of them it calls. */
function describeLoading({ loaded, processes }, imports) {
  const called = new Set(processes[0].parts.flatMap(({ runs }) => runs.flatMap(({ modules }) => modules)))
  const folders = [...new Set(loaded.map(folderOf))].sort()
  const idle = loaded.filter((file) => !called.has(file))
  return {
    loaded: loaded.length,
    called: called.size,
    rows: folders.map((folder) => {
      const own = loaded.filter((file) => folderOf(file) === folder)
      return { folder, loaded: own.length, called: own.filter((file) => called.has(file)).length }
    }),
    costly: costly.map(([name, matches]) => ({
      name,
      files: idle.filter((file) => matches(file, imports.get(file))).sort(),
    })),
  }
}

function report() {
  for (const { title, modules } of done) console.log(`${title}: ${modules.length} modules called`)
  console.log(`\n${done[0].title}: ${loading.loaded} modules loaded in the runner, ${loading.called} called`)
  for (const { folder, loaded, called } of loading.rows)
    console.log(`  ${folder}: ${loaded}, ${called} called`)
  console.log('\nLoaded though not called:')
  for (const { name, files } of loading.costly) console.log(`  ${name}: ${files.join(', ') || 'nothing'}`)
  for (const { title, reentries } of done) {
    for (const { from, to, name, contract } of reentries) {
      if (contract !== none) continue
      console.error(`${none}: ${from} → ${to} (${name}), in "${title}"`)
      process.exitCode = 1
    }
  }
}
