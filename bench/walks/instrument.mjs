/** Writes the sources as JavaScript, one file each, that note which of their functions are called. */
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, posix, sep } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { transformSync } from 'oxc-transform'
import { repository } from '../measure.mjs'

/** What these do when they are loaded is the program itself. */
const entries = ['src/cli/main.ts', 'src/scripts/host/host.ts', 'src/scripts/worker/worker.ts']

/** In `dist` these are beside the modules that look for them. */
const moved = {
  'src/scripts/runner/host-child.ts': ['./script-host.js', '../host/host.js'],
  'src/scripts/host/host.ts': ['./script-worker.js', '../worker/worker.js'],
  'src/scripts/worker/worker.ts': ['./script-hooks.js', './hooks.js'],
}

export async function listSources() {
  const names = await readdir(join(repository, 'src'), { recursive: true })
  return names
    .filter((name) => name.endsWith('.ts') && !/\.(test|fixture)\.ts$|test-server\.ts$/.test(name))
    .map((name) => `src/${name.split(sep).join('/')}`)
    .sort()
}

export async function writeInstrumented(folder) {
  const files = await listSources()
  for (const file of files) {
    const target = join(folder, file.replace(/\.ts$/, '.js'))
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, instrument(file, await readFile(join(repository, file), 'utf8')))
  }
  await cp(join(repository, 'package.json'), join(folder, 'package.json'))
  await cp(join(repository, 'bench/walks/recorder.mjs'), join(folder, 'recorder.mjs'))
}

function instrument(file, source) {
  const { program, module, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
  const isEntry = entries.includes(file)
  const insertions = [...renamedImports(module, source), ...recordedCalls(file, program)]
  const [from, to] = moved[file] ?? ['', '']
  const changed = insertAll(source, insertions).replace(`'${from}'`, `'${to}'`)
  const { code, errors: problems } = transformSync(file, changed)
  if (problems.length > 0) throw new Error(`${file}: ${problems[0].message}`)
  const recorder = posix.relative(posix.dirname(file), 'recorder.mjs')
  return [
    `import { called as $called, loading as $loading, loaded as $loaded } from '${recorder}'`,
    `$loading('${file}', ${isEntry})`,
    code,
    isEntry ? '' : '$loaded()\n',
  ].join('\n')
}

/** The files are written as `.js`. */
function renamedImports(module, source) {
  const ends = new Set(
    moduleRequests(module)
      .filter(({ start, end }) => /^.\.{1,2}\/.*\.ts.$/.test(source.slice(start, end)))
      .map(({ end }) => end - 1),
  )
  return [...ends].map((end) => ({ at: end - 3, remove: 3, text: '.js' }))
}

function moduleRequests({ staticImports, staticExports, dynamicImports }) {
  return [
    ...staticImports.map((item) => item.moduleRequest),
    ...staticExports.flatMap((item) => item.entries.flatMap((entry) => entry.moduleRequest ?? [])),
    ...dynamicImports.map((item) => item.moduleRequest),
  ]
}

/** Every module, and what it imports: modules as paths, packages by name. */
export async function readImports() {
  const graph = new Map()
  for (const file of await listSources()) {
    const source = await readFile(join(repository, file), 'utf8')
    const { module } = parseSync(file, source)
    const written = moduleRequests(module).map(({ start, end }) => source.slice(start + 1, end - 1))
    // Packages that few commands need are loaded with `require`.
    const required = [...source.matchAll(/\bload\('([^']+)'\)/g)].map(([, name]) => name)
    const paths = [...written, ...required].map((name) =>
      name.startsWith('.') ? posix.join(posix.dirname(file), name) : name,
    )
    graph.set(file, new Set(paths))
  }
  return graph
}

/** A call of the recorder at the beginning of every function. */
function recordedCalls(file, program) {
  const insertions = []
  const names = new Map()
  const visit = (node) => {
    if (!node.body) return
    const name = node.id?.name ?? names.get(node) ?? ''
    const call = `$called('${file}', '${name}', '${file}:${node.start}')`
    if (node.body.type === 'BlockStatement' || node.body.type === 'FunctionBody') {
      const directives = node.body.body.filter((statement) => typeof statement.directive === 'string')
      insertions.push({ at: directives.at(-1)?.end ?? node.body.start + 1, text: `;${call};` })
    } else {
      insertions.push({ at: node.body.start, text: `(${call}, ` }, { at: node.body.end, text: ')' })
    }
  }
  const remember = (key, value) => {
    if (value && /Function/.test(value.type)) names.set(value, key?.name ?? String(key?.value ?? ''))
  }
  new Visitor({
    VariableDeclarator: ({ id, init }) => remember(id, init),
    Property: ({ key, value }) => remember(key, value),
    MethodDefinition: ({ key, value }) => remember(key, value),
    PropertyDefinition: ({ key, value }) => remember(key, value),
    FunctionDeclaration: visit,
    FunctionExpression: visit,
    ArrowFunctionExpression: visit,
  }).visit(program)
  return insertions
}

function insertAll(source, insertions) {
  // Of two at the same place, what opens comes in the order found, and what closes from the inside out.
  const sorted = insertions.map((insertion, order) => ({ ...insertion, order }))
  sorted.sort((a, b) => a.at - b.at || a.order - b.order)
  let text = ''
  let position = 0
  for (const { at, text: inserted, remove = 0 } of sorted) {
    text += source.slice(position, at) + inserted
    position = at + remove
  }
  return text + source.slice(position)
}
