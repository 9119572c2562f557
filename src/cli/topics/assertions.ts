import { assertionTypes } from '../../checks/list.ts'
import { columns, type Topic } from './topic.ts'

export const assertionsTopic: Topic = {
  name: 'assertions',
  aliases: ['checks', 'assert', 'asserts'],
  about: 'What a reply can be checked for',
  page: 'docs/reference/assertions.md',
  lines: () => [
    '"assert" takes one assertion or a list: {"type": "contains", "value": "Hello"}.',
    '',
    ...columns(assertionTypes().map(({ type, about }) => [type, about])),
    '',
    'All of them take negate, message, path, weight, gates, turn and scope.',
  ],
}
