// Packs the package as it would be published, and uses it as somebody who has just installed it would.
// `npm run release:check` needs a registry, as any installation does. Nothing is published.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'viva-release-'))
const home = join(folder, 'installed')
let tarball = ''

/** Runs a program and returns its output. Throws with the output if it ends with another exit code. */
function run(command, args, { cwd = home, exitCode = 0, env = {} } = {}) {
  const ended = spawnSync(command, args, { cwd, encoding: 'utf8', env: { ...withoutKeys(), ...env } })
  const output = `${ended.stdout}${ended.stderr}`
  if (ended.status !== exitCode)
    throw new Error(`${command} ${args.join(' ')}: exit code ${ended.status}\n${output}`)
  return output
}

/** No key of this machine may be used. */
function withoutKeys() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/_API_KEY$|_BASE_URL$|^OLLAMA_|^npm_/.test(name)),
  )
}

function expectText(output, text) {
  if (!output.includes(text)) throw new Error(`expected "${text}" in:\n${output}`)
}

function write(name, text) {
  mkdirSync(dirname(join(home, name)), { recursive: true })
  writeFileSync(join(home, name), text)
}

const leftovers =
  /(?:^|\/)(?:output-\d[^/]*\.jsonl|\.viva|agent\.ts|results\.jsonl|report\.html|coverage|[^/]*\.(?:log|tmp|tgz))(?:\/|$)/

const steps = {
  'the package is built and packed'() {
    run('npm', ['run', 'build'], { cwd: repository })
    run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: repository })
    const [name] = readdirSync(folder).filter((each) => each.endsWith('.tgz'))
    tarball = join(folder, name)
  },
  'it holds what is committed or built, and nothing that a run left behind'() {
    const committed = new Set(run('git', ['ls-files'], { cwd: repository }).trim().split('\n'))
    const files = run('tar', ['-tzf', tarball], { cwd: folder })
      .trim()
      .split('\n')
      .map((name) => name.replace(/^package\//, ''))
    const strange = files.filter(
      (name) => leftovers.test(name) || !(committed.has(name) || name.startsWith('dist/')),
    )
    if (strange.length > 0) throw new Error(`these files do not belong there:\n${strange.join('\n')}`)
    for (const name of ['README.md', 'LICENSE', 'dist/index.d.ts', 'dist/third-party-licences.txt'])
      if (!files.includes(name)) throw new Error(`${name} is missing`)
  },
  'it can be installed in an empty folder'() {
    write('package.json', JSON.stringify({ name: 'somebody', private: true, type: 'module' }))
    const others = ['vitest', 'typescript', '@types/node'].map(
      (name) => `${name}@${manifest.devDependencies[name]}`,
    )
    run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--save-dev', tarball, ...others])
  },
  'both names of the command print its version'() {
    for (const name of ['viva', 'vivavoce']) {
      const lines = run('npx', ['--no-install', name, '--version']).split('\n')
      if (!lines.includes(manifest.version)) throw new Error(`${name} --version printed ${lines.join(' ')}`)
    }
  },
  'viva init --yes works in an empty folder'() {
    mkdirSync(join(home, 'empty'))
    const cwd = join(home, 'empty')
    expectText(run('npx', ['--no-install', 'viva', 'init', '--yes'], { cwd }), 'Passed:  3')
    expectText(run('npx', ['--no-install', 'viva', 'test'], { cwd }), 'Passed:  3')
  },
  'the demo works'() {
    const cases = 'node_modules/vivavoce/examples/expense/assistants/expense/tests/inputs.jsonl'
    expectText(run('npx', ['--no-install', 'viva', 'test', '-i', cases, '-o', 'demo.jsonl']), 'Passed:  6')
  },
  'the library works'() {
    write('library.mjs', libraryExample)
    expectText(run('node', ['library.mjs']), 'library ok')
  },
  'the entry for vitest works'() {
    write('agent.test.mjs', vitestExample)
    expectText(
      run('npx', ['--no-install', 'vitest', 'run', '--root', '.'], { env: { NO_COLOR: '1' } }),
      '1 passed',
    )
  },
  ...Object.fromEntries(
    [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ].map(([module, moduleResolution]) => [
      `the types are right for moduleResolution ${moduleResolution}`,
      () => checkTypes(module, moduleResolution),
    ]),
  ),
}

const libraryExample = `import assert from 'node:assert/strict'
import { createEvalSuite, version } from 'vivavoce'
import { startFakeOpenAIServer } from 'vivavoce/testing'
import * as scripts from 'vivavoce/scripts'

const server = await startFakeOpenAIServer({ answer: () => 'Hello!' })
const agent = { execute: async () => 'Hello!' }
const report = await createEvalSuite({ agent }).run([{ id: 'a', input: 'Hi', expectedOutput: 'Hello!' }])
assert.equal(report.exitCode, 0)
assert.equal(version, '${manifest.version}')
assert.equal(typeof scripts, 'object')
await server.close()
console.log('library ok')
`

const vitestExample = `import { createEvalSuite } from 'vivavoce'
import { agentCase } from 'vivavoce/vitest'

agentCase(createEvalSuite({ agent: { execute: async () => 'Hello!' } }), { id: 'a', input: 'Hi', expectedOutput: 'Hello!' })
`

/** Every public name is used, so that a type that cannot be found is an error. */
const typesExample = Object.keys(manifest.exports)
  .filter((name) => name !== './package.json')
  .map((name, index) => `export * as entry${index} from '${name.replace('.', 'vivavoce')}'\n`)
  .join('')

function checkTypes(module, moduleResolution) {
  write(
    'types/index.ts',
    `${typesExample}import { defineConfig } from 'vivavoce'\n\nexport default defineConfig({ agent: './agent.ts' })\n`,
  )
  const compilerOptions = {
    module,
    moduleResolution,
    target: 'es2022',
    strict: true,
    noEmit: true,
    types: ['node'],
    skipLibCheck: false,
  }
  write('types/tsconfig.json', JSON.stringify({ compilerOptions, files: ['index.ts'] }))
  const { status, stdout, stderr } = spawnSync(
    'npx',
    ['--no-install', 'tsc', '-p', 'types', '--pretty', 'false'],
    {
      cwd: home,
      encoding: 'utf8',
    },
  )
  // Mistakes in the types of other packages are not ours to mend.
  const ours = stdout.split('\n').filter((line) => /^(?:types\/|node_modules\/vivavoce\/)|^error/.test(line))
  if (ours.length > 0) throw new Error(ours.join('\n'))
  if (status !== 0 && !stdout.includes('error TS')) throw new Error(`tsc did not run: ${stdout}${stderr}`)
}

try {
  mkdirSync(home)
  for (const [name, step] of Object.entries(steps)) {
    const begun = Date.now()
    step()
    console.log(`✓ ${name} (${((Date.now() - begun) / 1000).toFixed(1)}s)`)
  }
  const bytes = readFileSync(tarball).byteLength
  console.log(
    `\nThe package ${manifest.name} ${manifest.version} (${(bytes / 1e6).toFixed(2)} MB) can be published.`,
  )
} catch (error) {
  console.error(`✗ ${error.message}`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
