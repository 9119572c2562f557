import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '../../errors.ts'
import { isRecord, parseJson } from '../../json/json.ts'
import type { Data } from '../../results/transcript/message.ts'
import type { SampleKind } from '../../tools/extras.ts'
import { type MappedServer, pathBesideServer } from './mapping-file.ts'

/** The folders with the samples of tools and resources, one per line. */
const folders = { tool: 'schemes', resource: 'resources' }

/** The samples as scripts see them, each with its index. */
export function readSamples(server: MappedServer, of: SampleKind, name: string): Data[] {
  const path = join(server.folder, folders[of], `${name}.jsonl`)
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  const samples = lines.flatMap((text, index) => {
    if (text.trim() === '') return []
    const sample = parseJson(text.trim())
    const fault = sampleProblem(sample)
    if (isRecord(sample) && fault === undefined) return [sample]
    const message = `MCP server ${server.from.id}: a sample of ${of} ${name} ${fault}`
    const file = pathBesideServer(server.from, path)
    throw new ConfigError({ code: 'bad_mcp_server', message, file, line: index + 1 })
  })
  return samples.map((sample, index) => ({ ...sample, index, item_name: name }))
}

function sampleProblem(sample: unknown): string | undefined {
  if (sample === undefined) return 'is not valid JSON'
  if (!isRecord(sample)) return 'must be an object'
  return sample.input === undefined || isRecord(sample.input)
    ? undefined
    : 'has an "input" that is not an object'
}
