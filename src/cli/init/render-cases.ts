import { requirePackage } from '../../require-package.ts'
import type { FirstCase } from './first-cases.ts'

const header = `# The first cases of this project. Each says what the user says, and what must be true of the replies.
# Change them, add your own, and run \`npx viva test\`.
`

/** The text of a `.cases.yaml` file, with a comment above each case. */
export function renderCases(cases: readonly FirstCase[]): string {
  const { stringify } = requirePackage('yaml') as typeof import('yaml')
  const options = { lineWidth: 0, singleQuote: true } as const
  const parts = cases.map(({ comment, case: written }) => `# ${comment}\n${stringify([written], options)}`)
  return [header, ...parts].join('\n')
}
