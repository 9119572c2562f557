import { z } from 'zod'
import type { SnapshotAnswer } from './check-helpers.ts'
import { type CheckVerdict, defineAssertion, type Subject } from './definition.ts'
import { showApart } from './describe.ts'
import { compileNormalizer, normalizeSchema, outputText, spokenText, toolCallsText } from './snapshot-text.ts'
import { hiddenVerdict } from './tool-calls.ts'

const parts = ['output', 'tool_calls', 'conversation'] as const
type Part = (typeof parts)[number]

export const snapshotCheck = defineAssertion({
  type: 'snapshot',
  about:
    'It is the same as in the snapshot, which the first run writes to a file beside the case file. ' +
    'A change fails the case until `--update-snapshots` accepts it. In CI, nothing is written without that flag.',
  fields: {
    of: z
      .enum(parts)
      .optional()
      .describe('What is compared: the `output` (default), the `tool_calls`, or the whole `conversation`.'),
    name: z.string().min(1).optional().describe('A name for the snapshot, if its place is not enough.'),
    normalize: normalizeSchema.describe(
      'What may differ: `ids`, `dates`, `numbers`, and own rules as `{"pattern": …, "as": …}`.',
    ),
  },
  example: { type: 'snapshot', normalize: ['dates', 'ids'] },
  looksAt: 'output',
  refine({ of = 'output', ...fields }, problem) {
    const { path, negate } = fields as { path?: string; negate?: boolean }
    if (path !== undefined && of !== 'output')
      problem('path', `"path" selects a part of the output, not of the ${of}`)
    if (negate) problem('negate', 'a snapshot cannot be negated: it would accept any change')
  },
  findProblems(_, { snapshotProblem }, problem) {
    const wrong = snapshotProblem?.()
    if (wrong !== undefined) problem([], wrong)
  },
  compile({ of = 'output', name, normalize }, where, helpers) {
    const normalizeText = compileNormalizer(normalize)
    return (subject) => {
      const text = partText(of, subject, where === 'final')
      if (text === undefined) return hiddenVerdict('they have no snapshot', subject.scope)
      const part = [
        where === 'final' ? 'end' : `turn ${subject.turns.at(-1)?.number}`,
        name ?? partName(of, subject),
      ]
      const answer = helpers.snapshot({
        key: subject.scope.key,
        part: part.join(', '),
        text,
        normalize: normalizeText,
      })
      return toVerdict(answer)
    }
  },
})

function partText(of: Part, { output, turns, view }: Subject, isFinal: boolean): string | undefined {
  if (of === 'output') return outputText(output)
  const last = turns.at(-1)?.number ?? 0
  if (of === 'tool_calls') return toolCallsText(isFinal ? view.turns : turns)
  return spokenText(view.turns.filter(({ number }) => number <= last))
}

function partName(of: Part, { name }: Subject): string {
  return of === 'output' ? name : of.replace('_', ' ')
}

function toVerdict(answer: SnapshotAnswer): CheckVerdict {
  if (answer.is === 'same') return { status: 'passed', reason: 'the same as in the snapshot' }
  if (answer.is === 'missing') return { status: 'failed', reason: answer.why, actual: answer.text }
  if (answer.is === 'written') {
    const reason = answer.replaces ? 'the snapshot was updated' : 'the snapshot was written'
    return { status: 'passed', reason, unchecked: true }
  }
  const { expected, text: actual } = answer
  const [came, wanted] = showApart(actual, expected)
  const reason = `it is ${came}, the snapshot has ${wanted} (--update-snapshots accepts the change)`
  return { status: 'failed', reason, expected, actual }
}
