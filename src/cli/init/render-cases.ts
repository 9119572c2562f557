import { requirePackage } from '../../require-package.ts'
import type { FirstCase } from './first-cases.ts'

const header = `# The first cases of this project. Each says what the user says, and what must be true of the replies.
# Change them, add your own, and run \`npx viva test\`.
`

/** The text of a `.cases.yaml` file, with a comment above each case. */
export function renderCases(cases: readonly FirstCase[]): string {
  const parts = cases.map(({ comment, case: written }) => `# ${comment}\n${renderCase(written)}`)
  return [header, ...parts].join('\n')
}

/** Each assertion on a line. */
function renderCase(written: FirstCase['case']): string {
  const { Document, visit } = requirePackage('yaml') as typeof import('yaml')
  const document = new Document([written])
  visit(document, {
    Map(_, node) {
      if (node.has('type')) node.flow = true
    },
  })
  return document.toString({ lineWidth: 0, singleQuote: true })
}
