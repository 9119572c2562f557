import { configSchema } from '../../project/config-schema.ts'
import { columns, type Topic } from './topic.ts'

export const configTopic: Topic = {
  name: 'config',
  aliases: ['configuration'],
  about: 'The keys of viva.config.*',
  page: 'docs/reference/config.md',
  lines: () => [
    'viva.config.ts, .mts, .js, .mjs or .json is looked for beside the input and in',
    'the folders above it. All keys are optional:',
    '',
    ...columns(Object.entries(configSchema.shape).map(([key, field]) => [key, field.description ?? ''])),
    '',
    '`viva doctor` says which config is used, and what is wrong with it.',
  ],
}
