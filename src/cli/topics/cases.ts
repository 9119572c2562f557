import { caseSchema } from '../../cases/case-schema.ts'
import { caseExtensions } from '../../cases/formats/formats.ts'
import { columns, type Topic } from './topic.ts'

const mainFields = [
  'id',
  'input',
  'turns',
  'assert',
  'expected',
  'final_assertions',
  'simulator',
  'checkpoints',
  'terminate_when',
  'max_turns',
  'tags',
  'skip',
  'timeout',
  'retries',
  'stubs',
  'metadata',
] as const satisfies (keyof typeof caseSchema.shape)[]

export const casesTopic: Topic = {
  name: 'cases',
  about: 'How to write a case',
  page: 'docs/cases.md',
  lines: () => [
    'A case is one test: what the user says, and what must be true of the reply.',
    'In a JSONL file, each case is one JSON object:',
    '',
    '  {"id": "greeting", "input": "Hello",',
    '   "assert": {"type": "icontains", "value": "help"}}',
    '',
    'Its main fields:',
    '',
    ...columns(mainFields.map((key) => [key, caseSchema.shape[key].description ?? ''])),
    '',
    `Formats: ${[...caseExtensions].join(' ')}`,
    '`viva test --list` lists the cases, `viva test --dry-run` also validates them.',
  ],
}
