import { simulatorSchema } from '../../cases/case-schema.ts'
import { columns, type Topic } from './topic.ts'

export const simulatorsTopic: Topic = {
  name: 'simulators',
  aliases: ['simulator', 'conversations'],
  about: 'How an agent or a script plays the user',
  page: 'docs/conversations.md',
  lines: () => [
    'A simulator plays the user in a case of several turns:',
    '',
    '  {"id": "trip", "input": "I was in Rome",',
    '   "simulator": {"persona": "Terse", "goal": "Get the trip reimbursed"},',
    '   "final_assertions": {"type": "tool_called", "name": "create_expense"}}',
    '',
    ...columns(Object.entries(simulatorSchema.shape).map(([key, field]) => [key, field.description ?? ''])),
    '',
    'The built-in viva.simulator uses the connector in `helpers.connector` of the',
    'config. --simulator names another one for all cases. --on-missing-input decides',
    'what happens when the agent waits and nobody answers.',
  ],
}
