import { relativePath } from '../system/relative-path.ts'
import type { CaseUse } from './case-use.ts'
import type { CaseEntry } from './entry.ts'
import type { CaseSurroundings } from './validate.ts'

/** Notes what a case names while it is validated, so that its fingerprint can be made of it. */
export class CaseUses {
  #uses = new Map<string, CaseUse>()
  #files = new Set<string>()

  /** What was noted of an earlier case does not count for the next one. */
  clear(): void {
    if (this.#uses.size > 0) this.#uses = new Map()
    if (this.#files.size > 0) this.#files = new Set()
  }

  addTo(entry: CaseEntry): void {
    if (this.#uses.size > 0) entry.uses = [...this.#uses.values()]
    if (this.#files.size > 0) entry.files = [...this.#files]
    this.clear()
  }

  /** Surroundings that note everything that they are asked for. */
  noting(surroundings: CaseSurroundings, folder: string, root: string): CaseSurroundings {
    const { limits, findFile, helpers, speakers } = surroundings
    const at = relativePath(root, folder)
    const note = (use: CaseUse) => void this.#uses.set(JSON.stringify(use), use)
    const agent = (kind: CaseUse['kind'], name: string, connector: string | undefined) =>
      note({ kind, name, folder: at, ...(connector !== undefined && { connector }) })
    return {
      limits: {
        ...limits,
        connectorProblem(name) {
          note({ kind: 'connector', name })
          return limits.connectorProblem(name)
        },
      },
      findFile: (source) => {
        const found = findFile(source)
        this.#files.add(relativePath(root, found.path))
        return found
      },
      note,
      helpers: {
        ...helpers,
        scriptProblem(name) {
          note({ kind: 'script', name, folder: at })
          return helpers.scriptProblem(name)
        },
        validatorProblem(name, connector) {
          agent('judge', name, connector)
          return helpers.validatorProblem(name, connector)
        },
        embedProblem(name) {
          note({ kind: 'connector', name })
          return helpers.embedProblem(name)
        },
        toolProblem(name) {
          note({ kind: 'tools' })
          return helpers.toolProblem(name)
        },
        snapshotProblem() {
          note({ kind: 'snapshot' })
          return helpers.snapshotProblem?.()
        },
      },
      speakers: {
        ...speakers,
        simulators: {
          ...speakers.simulators,
          problem(name, connector) {
            agent('user', name, connector)
            return speakers.simulators.problem(name, connector)
          },
        },
      },
    }
  }
}
