import { parseTopLevel } from '../../../scripts/compile/top-level.ts'
import { introducesItself, remembers, survivesOddInput } from '../first-cases.ts'
import type { StartingPoint } from '../starting-point.ts'

const agentFile = /^(?:(?:src|lib|app)\/)?agent\.[cm]?[jt]s$/

/** A module whose default export is an agent: `agent.ts`. */
export const moduleAgents: StartingPoint = {
  look: ({ files, read }) =>
    files
      .filter((name) => agentFile.test(name) && hasDefaultExport(name, read(name)))
      .map((name) => ({
        reference: `./${name}`,
        found: `a module with an agent, ${name}`,
        setUp: () => ({
          config: { agent: `./${name}` },
          target: `the default export of ${name}`,
          cases: [introducesItself(), remembers(), survivesOddInput()],
        }),
      })),
}

function hasDefaultExport(file: string, text: string): boolean {
  return parseTopLevel(file, text).exports.some(({ name }) => name === 'default')
}
