import type { LoadContext } from '../../scripts/runner/script-host.ts'
import type { CaseFormat } from './case-format.ts'
import { csv } from './csv.ts'
import { json } from './json.ts'
import { jsonl } from './jsonl.ts'
import { moduleFormat } from './module.ts'
import { yamlFormat } from './yaml.ts'

const createYamlFormat = (_: LoadContext, projectRoot: string) => yamlFormat(projectRoot)

/** The file formats for cases, by file extension. */
const formats: Record<string, (loading: LoadContext, projectRoot: string) => CaseFormat> = {
  '.jsonl': () => jsonl,
  '.ndjson': () => jsonl,
  '.json': () => json,
  '.yaml': createYamlFormat,
  '.yml': createYamlFormat,
  '.csv': () => csv,
  '.ts': moduleFormat,
  '.mts': moduleFormat,
  '.js': moduleFormat,
  '.mjs': moduleFormat,
}

export const caseExtensions: ReadonlySet<string> = new Set(Object.keys(formats))

export function findFormat(
  extension: string,
  loading: LoadContext,
  projectRoot: string,
): CaseFormat | undefined {
  return formats[extension.toLowerCase()]?.(loading, projectRoot)
}
