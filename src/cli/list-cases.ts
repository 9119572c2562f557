import type { CaseList } from '../cases/case-list.ts'
import type { ShardOfCases } from '../cases/divide.ts'
import { isScriptTest } from '../cases/entry.ts'
import { oneLine } from '../reporters/printable.ts'
import { describeShardSize } from '../reporters/shard-text.ts'
import { estimateRun } from '../setup/estimate/estimate.ts'
import type { OpenedBy } from '../setup/phase.ts'
import type { listSetup, testSetup } from '../setup/phase-lists.ts'
import { selectCases } from '../setup/phases/cases.ts'
import { chosenPhase } from '../setup/phases/chosen.ts'
import { variantsIfFound } from '../setup/phases/variants.ts'
import { writeCases } from '../setup/write-cases.ts'
import { pluralize } from '../text/counted.ts'
import type { TerminalFront } from './terminal.ts'

/** `--list`: the selected cases, one per line. */
export async function listCases(
  opened: OpenedBy<typeof listSetup>,
  { terminal: { print, pen } }: TerminalFront,
): Promise<number> {
  const chosen = await chosenPhase.open({
    ...opened,
    variants: await variantsIfFound(opened),
    resumed: undefined,
  })
  const { cases, shard } = await selectCases(opened.source.cases, chosen)
  if (cases.length === 0 && shard) opened.warn(shardCount(shard, cases))
  for (const { id, name, tags } of cases) print(pen.line`${listText(id, name, tags)}`)
  return 0
}

function shardCount({ all, ...shard }: ShardOfCases, cases: CaseList): string {
  return describeShardSize(shard, cases.length, all.length)
}

function listText(id: string, name: string | undefined, tags: readonly string[]): string {
  const named = name === undefined ? '' : ` - ${oneLine(name)}`
  return `${oneLine(id)}${named}${tags.length === 0 ? '' : ` [${tags.map((tag) => oneLine(tag)).join(', ')}]`}`
}

/** `--dry-run`: whether everything is valid, and what the run would ask for. `-o` keeps generated cases. */
export async function dryRun(
  opened: OpenedBy<typeof testSetup>,
  { terminal: { print, pen } }: TerminalFront,
): Promise<number> {
  const { source, settings, project, secrets } = opened
  const [output] = settings.outputs
  const chosen = await chosenPhase.open({ ...opened, resumed: undefined })
  const { cases: entries, shard } = await selectCases(source.cases, chosen)
  const asked = source.generated.length > 0 ? 'the agent under test was not called' : 'no agent was called'
  print(
    pen.line`${pen.green('✓')} ${pluralize((shard?.all ?? entries).length, 'case is valid', 'cases are valid')}; ${asked}`,
  )
  if (shard) print(pen.line`  ${shardCount(shard, entries)}`)
  // What scripts ask for is known when they ask.
  if (entries.filter(isScriptTest).length < entries.length) {
    const estimate = await estimateRun(entries, source.cases, opened)
    for (const line of estimate.lines()) print(pen.line`  ${line}`)
  }
  if (output !== undefined && source.generated.length > 0) {
    writeCases(output, source.generated, project.cwd, secrets.redact())
    print(pen.dim(`  Cases: ${output}`))
  }
  return 0
}
