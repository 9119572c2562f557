/** What the records of a walk say: modules in the order of their first call, and the calls that go against the imports. */
import { baseFolders, readContracts, readImportRules } from './contracts.mjs'
import { readImports } from './instrument.mjs'
import { folderOf, isBase, processNames } from './run-walk.mjs'

export const none = 'NOT A CONTRACT'

export async function createReader() {
  const [findContract, rules, imports] = [await readContracts(), await readImportRules(), await readImports()]

  /** How a module of one folder was called by one of another: by import, through a contract, or through neither. */
  const explain = ({ file, caller, names }) => {
    const [to, from] = [folderOf(file), folderOf(caller)]
    const isImported = imports.get(caller)?.has(file) ?? false
    const contract = isImported ? undefined : findContract(to, names)
    // Down the table of folders no contract is needed: the caller may know what it calls.
    const isUpwards = !isImported && !(rules.get(from) ?? []).includes(to)
    return { contract: contract ?? (isUpwards ? none : undefined), isUpwards }
  }

  return ({ calls, loaded }) => {
    const modules = new Map(calls.map((call) => [call.file, call]))
    return {
      modules: [...modules.keys()],
      processes: processNames
        .map((name) => ({
          name,
          runs: collectRuns(
            calls.filter((call) => call.process === name),
            explain,
          ),
        }))
        .filter(({ runs }) => runs.length > 0),
      reentries: findReentries(calls, explain),
      loaded: unique(loaded.filter(({ process }) => process === 'runner').map(({ file }) => file)),
    }
  }
}

const unique = (list) => [...new Set(list)]

/** Modules in the order of their first call, as long as they are of one folder. Base modules belong to who calls them. */
function collectRuns(calls, explain) {
  const runs = []
  const seen = new Set()
  for (const call of calls) {
    if (seen.has(call.file)) continue
    seen.add(call.file)
    const folder = folderOf(call.file)
    const run = runs.at(-1)
    if (run !== undefined && (isBase(call.file) || run.folder === folder)) run.modules.push(call.file)
    else runs.push({ folder, modules: [call.file], ...describeEntry(call, explain, runs) })
  }
  return runs
}

function describeEntry(call, explain, runs) {
  const { caller, file } = call
  const again = runs.some(({ folder }) => folder === folderOf(file))
  if (caller === undefined || baseFolders.includes(folderOf(file))) return { again }
  if (folderOf(caller) === folderOf(file)) return { again, continued: again }
  return { again, caller, contract: explain(call).contract }
}

/** Calls of a folder that the caller's folder does not import, each pair of modules and contract once. */
function findReentries(calls, explain) {
  const found = new Map()
  for (const call of calls) {
    const { file, caller, names } = call
    if (caller === undefined || isBase(file) || folderOf(caller) === folderOf(file)) continue
    const { contract, isUpwards } = explain(call)
    if (!isUpwards) continue
    const key = [caller, file, contract === none ? names[0] : contract].join()
    if (!found.has(key)) found.set(key, { caller, file, contract, name: names[0] })
  }
  return [...found.values()]
}
