import { readFileSync } from 'node:fs'
import { ConfigError, type Problem } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { parseJsonc } from '../../json/json-syntax.ts'
import { describeIssues } from '../../json/validation/issues.ts'
import { readOnce } from '../../json/validation/read-once.ts'
import { type ConnectorConfig, connectorSchema } from '../config-schema.ts'
import { findMisspeltKeys } from './misspelt.ts'

/** Keys of a connector file that only the Yao engine reads. */
const engineKeys = ['version', 'id', 'description', 'builtin', 'tags']

/** `file` is the path for messages. */
export function readConnector(id: string, path: string, file: string): ConnectorConfig {
  const written = parseJsonc(readFileSync(path, 'utf8'), file)
  const parsed = connectorSchema.safeParse(written, readOnce)
  const issues = parsed.success
    ? findMisspeltKeys(parsed.data, { read: Object.keys(connectorSchema.shape), engine: engineKeys }, '')
    : describeIssues(parsed.error, connectorSchema, 'the file')
  if (parsed.success && issues.length === 0) return parsed.data
  throw badConnectorError(id, issues)
}

/** Its file is added by whoever looks into it. */
export function badConnectorError(
  id: string,
  problems: readonly Pick<Problem, 'message' | 'hint'>[],
): ConfigError {
  return new ConfigError(
    problems.map(({ message, hint }) => ({
      code: 'bad_connector',
      message: `connector ${id}: ${message}`,
      ...defined({ hint }),
    })),
  )
}
