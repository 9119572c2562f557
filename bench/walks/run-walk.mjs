/** Runs one program from the instrumented sources, and reads what was recorded. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { baseFolders } from './contracts.mjs'

/** Processes by their entry, in the order in which the page shows them. */
const entries = {
  'src/scripts/worker/worker.ts': 'worker',
  'src/scripts/host/host.ts': 'script host',
  'src/scripts/worker/hooks.ts': 'module hooks',
}
export const processNames = ['runner', 'script host', 'worker', 'module hooks']

export function folderOf(file) {
  return file.split('/')[1].replace(/\.ts$/, '')
}

export const isBase = (file) => baseFolders.includes(folderOf(file))

/** `program` gets the folder of the build and returns the arguments of Node. */
export async function runWalk(build, { files, program, usesLibrary }) {
  const project = await mkdtemp(join(tmpdir(), 'viva-walk-'))
  const records = join(build, 'records.jsonl')
  try {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(project, name)), { recursive: true })
      await writeFile(join(project, name), text)
    }
    if (usesLibrary) await linkLibrary(build, project)
    await rm(records, { force: true })
    await runNode(
      program.map((part) => part.replace('BUILD', build)),
      project,
    )
    return readRecords(await readFile(records, 'utf8'))
  } finally {
    await rm(project, { recursive: true, force: true })
  }
}

/** Makes the instrumented sources what `import 'vivavoce'` finds. */
async function linkLibrary(build, project) {
  const folder = join(project, 'node_modules/vivavoce')
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'package.json'),
    '{"name": "vivavoce", "type": "module", "exports": "./index.js"}',
  )
  await writeFile(join(folder, 'index.js'), `export * from '${pathToFileURL(join(build, 'src/index.js'))}'\n`)
}

function runNode(parameters, cwd) {
  const env = { ...process.env, CI: '1', NO_COLOR: '1' }
  const output = []
  const child = spawn(process.execPath, parameters, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      const text = Buffer.concat(output).toString()
      if (code === 0) resolve(text)
      else reject(new Error(`${parameters.join(' ')} exited with ${code}:\n${text}`))
    })
  })
}

/** What was loaded and what was called, in order, with the process of each. */
function readRecords(text) {
  const records = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .sort((a, b) => (BigInt(a.at) < BigInt(b.at) ? -1 : 1))
  const kinds = new Map()
  // A worker without threads for its hooks loads them too: what was loaded first decides.
  for (const { process, file } of records)
    if (entries[file] !== undefined && !kinds.has(process)) kinds.set(process, entries[file])
  const placed = records.map((record) => ({ ...record, process: kinds.get(record.process) ?? 'runner' }))
  return {
    loaded: placed.filter(({ name }) => name === undefined),
    calls: placed.filter(({ name }) => name !== undefined).map(withCalls),
  }
}

/**
 * `call` is the call of the function by another module, if its own module does not call it; `entry` is the call by which
 * its folder was entered. Base folders call on behalf of their callers, and are called in the folder of their caller.
 */
function withCalls({ file, name, stack, process }) {
  const frames = [{ ...stack[0], name: name || stack[0].name }, ...stack.slice(1)]
  const call = findCall(frames, (caller) => caller.file !== file)
  const isInside =
    call === undefined || frames.findIndex((frame, index) => index > 0 && !isBase(frame.file)) !== call.at
  const home = folderOf((frames.find((frame) => !isBase(frame.file)) ?? frames[0]).file)
  const entry = findCall(frames, (caller) => folderOf(caller.file) !== home)
  return { file, name, process, folder: home, call: isInside ? undefined : call, entry }
}

/** The innermost call by a module that is not a base module and that `isOther`. */
function findCall(frames, isOther) {
  const at = frames.findIndex((frame, index) => index > 0 && !isBase(frame.file) && isOther(frame))
  if (at === -1) return undefined
  const inner = frames.slice(0, at).findLastIndex((frame) => !isBase(frame.file))
  const between = frames.slice(inner + 1, at + 1)
  const [callee, caller] = [frames[Math.max(inner, 0)], frames[at]]
  const names = [...between.map(({ calls }) => calls), callee.name].filter((word) => word !== '')
  const callers = between.map((frame) => frame.file)
  // After an `await` the stack still shows the caller, who called some time ago.
  return { at, from: caller.file, to: callee.file, names, callers, isEarlier: caller.async }
}
