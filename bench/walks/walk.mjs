/** What the records of a walk say: modules in the order of their first call, and the calls that go against the imports. */
import { readContracts, readImportRules } from './contracts.mjs'
import { readImports } from './instrument.mjs'
import { folderOf, isBase, processNames } from './run-walk.mjs'

export const none = 'NOT A CONTRACT'

/** The parts of a walk in the runner, and the function whose call begins each. */
const parts = [
  { title: 'Before the case runs' },
  { title: 'While the case runs', file: 'src/run/play-job.ts', name: 'playJob' },
  { title: 'After the case has run', file: 'src/run/conclude.ts', name: 'sumUp' },
]

export async function createReader() {
  const imports = await readImports()
  const [findContract, rules] = [await readContracts(imports), await readImportRules()]

  /** How one folder called another: by import, through a contract, or, against the imports, through neither. */
  const explain = (call) => {
    const [to, from] = [folderOf(call.to), folderOf(call.from)]
    const isImported = imports.get(call.from).has(call.to)
    const contract = isImported ? undefined : findContract(to, call)
    // Down the table of folders no contract is needed: the caller may know what it calls.
    const isUpwards = !isImported && !(rules.get(from) ?? []).includes(to)
    return { contract: contract ?? (isUpwards ? none : undefined), isUpwards }
  }

  return ({ calls, loaded }) => ({
    modules: [...new Set(calls.map(({ file }) => file))],
    processes: processNames
      .map((name) => ({
        name,
        parts: splitParts(
          calls.filter((call) => call.process === name),
          explain,
        ),
      }))
      .filter((process) => process.parts.length > 0),
    reentries: findReentries(calls, explain),
    loaded: [...new Set(loaded.filter(({ process }) => process === 'runner').map(({ file }) => file))],
  })
}

function splitParts(calls, explain) {
  const begins = parts.map(({ file, name }) =>
    file === undefined ? 0 : calls.findIndex((call) => call.file === file && call.name === name),
  )
  const memory = { modules: new Set(), entries: new Set() }
  if (calls.every(({ process }) => process !== 'runner'))
    return calls.length === 0 ? [] : [{ runs: collectRuns(calls, explain, memory) }]
  if (begins.includes(-1))
    throw new Error('a part of the walk does not begin: mend `parts` in bench/walks/walk.mjs')
  return parts.map(({ title }, index) => ({
    title,
    runs: collectRuns(calls.slice(begins[index], begins[index + 1]), explain, memory),
  }))
}

/** Modules in the order of their first call, as long as they are of one folder. Base modules belong to who calls them. */
function collectRuns(calls, explain, memory) {
  const runs = []
  for (const call of calls) {
    if (memory.modules.has(call.file)) continue
    memory.modules.add(call.file)
    const run = runs.at(-1)
    if (run?.folder === call.folder) run.modules.push(call.file)
    else runs.push({ folder: call.folder, modules: [call.file], ...describeEntry(call, explain, memory) })
  }
  return runs
}

/** A folder that goes on after a call of another one was entered by the same call as before. */
function describeEntry({ entry }, explain, { entries }) {
  if (entry === undefined) return { continued: entries.size > 0 }
  const { contract } = explain(entry)
  const isContract = contract !== undefined && contract !== none
  const key = [entry.from, entry.to, isContract ? contract : ''].join()
  if (entries.has(key) || (entry.isEarlier && !isContract)) return { continued: true }
  entries.add(key)
  return { from: entry.from, contract }
}

/** Calls of a folder that the caller's folder does not import, each pair of modules and contract once. */
function findReentries(calls, explain) {
  const found = new Map()
  for (const { file, call } of calls) {
    if (call === undefined || isBase(file) || folderOf(call.from) === folderOf(file)) continue
    const { contract, isUpwards } = explain(call)
    if (!isUpwards) continue
    const [name] = call.names
    const key = [call.from, file, contract === none ? name : contract].join()
    if (!found.has(key)) found.set(key, { from: call.from, to: file, contract, name })
  }
  return [...found.values()]
}
