import { collect } from '../cases/collect.ts'
import { type CaseSource, isScriptTest } from '../cases/entry.ts'
import { type Selection, select } from '../cases/select.ts'
import { oneLine } from '../reporters/printable.ts'
import { counted } from '../text/counted.ts'
import { estimateRun } from './estimate.ts'
import type { Terminal } from './terminal.ts'

/** `--list`, and `--dry-run` with what the run would ask for. */
export async function listCases(
  source: CaseSource,
  selection: Selection,
  estimated: Parameters<typeof estimateRun>[2] | undefined,
  /** Known when they have been collected. */
  isGenerated: () => boolean,
  { print, pen }: Terminal,
): Promise<void> {
  const entries = select(await collect(source), selection)
  if (estimated === undefined) {
    for (const { id, name, tags } of entries) print(pen.line`${listText(id, name, tags)}`)
    return
  }
  const asked = isGenerated() ? 'the agent under test was not called' : 'no agent was called'
  print(pen.line`${pen.green('✓')} ${counted(entries.length, 'case is valid', 'cases are valid')}; ${asked}`)
  // What scripts ask for is known when they ask.
  if (entries.every(isScriptTest)) return
  const estimate = await estimateRun(entries, source, estimated)
  for (const line of estimate.lines()) print(pen.line`  ${line}`)
}

function listText(id: string, name: string | undefined, tags: readonly string[]): string {
  const named = name === undefined ? '' : ` - ${oneLine(name)}`
  return `${oneLine(id)}${named}${tags.length === 0 ? '' : ` [${tags.map((tag) => oneLine(tag)).join(', ')}]`}`
}
