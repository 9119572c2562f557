import type { Loading } from '../../scripts/runner/script-host.ts'
import type { CaseFormat } from './case-format.ts'
import { csv } from './csv.ts'
import { json } from './json.ts'
import { jsonl } from './jsonl.ts'
import { moduleFormat } from './module.ts'
import { yamlFormat } from './yaml.ts'

const yamlIn = (_: Loading, projectRoot: string) => yamlFormat(projectRoot)

/** The file formats for cases, by file extension. */
const formats: Record<string, (loading: Loading, projectRoot: string) => CaseFormat> = {
  '.jsonl': () => jsonl,
  '.ndjson': () => jsonl,
  '.json': () => json,
  '.yaml': yamlIn,
  '.yml': yamlIn,
  '.csv': () => csv,
  '.ts': moduleFormat,
  '.mts': moduleFormat,
  '.js': moduleFormat,
  '.mjs': moduleFormat,
}

export const caseExtensions: ReadonlySet<string> = new Set(Object.keys(formats))

export function formatOf(extension: string, loading: Loading, projectRoot: string): CaseFormat | undefined {
  return formats[extension.toLowerCase()]?.(loading, projectRoot)
}
