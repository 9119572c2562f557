import type { CaseList } from '../cases/case-list.ts'
import type { ShardOfCases } from '../cases/divide.ts'
import { isScriptTest } from '../cases/entry.ts'
import { carriedText } from '../reporters/carried-text.ts'
import { oneLine } from '../reporters/printable.ts'
import { describeShardSize } from '../reporters/shard-text.ts'
import { estimateRun } from '../setup/estimate/estimate.ts'
import type { OpenedBy } from '../setup/phase.ts'
import type { listSetup, testSetup } from '../setup/phase-lists.ts'
import { carriedPhase } from '../setup/phases/carried.ts'
import { caseFingerprintsPhase } from '../setup/phases/case-fingerprints.ts'
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

/** `--list --changed`: the cases that would run, and why. The agent must be there, but it is not called. */
export async function listChanged(
  opened: OpenedBy<typeof testSetup>,
  { terminal: { print, pen } }: TerminalFront,
): Promise<number> {
  const { selected, carried } = await findChanged(opened)
  const { carriedOver = [], cases = selected.cases } = carried ?? {}
  if (carriedOver.length > 0) opened.warn(carriedText(carriedOver.length))
  if (cases.length === 0 && selected.shard) opened.warn(shardCount(selected.shard, selected.cases))
  for (const entry of cases) {
    const { id, name, tags } = entry
    const why = carried?.reasonsOf(entry).join('; ') ?? ''
    print(pen.line`${listText(id, name, tags)} (${oneLine(why, 300)})`)
  }
  return 0
}

async function findChanged(opened: OpenedBy<typeof testSetup>) {
  const chosen = await chosenPhase.open({ ...opened, resumed: undefined })
  const selected = await selectCases(opened.source.cases, chosen)
  const fingerprints = caseFingerprintsPhase.open(opened)
  const carried = await carriedPhase.open({ ...opened, selected, fingerprints, resumed: undefined })
  return { selected, carried }
}

/** `--dry-run`: whether everything is valid, and what the run would ask for. `-o` keeps generated cases. */
export async function dryRun(
  opened: OpenedBy<typeof testSetup>,
  { terminal: { print, pen } }: TerminalFront,
): Promise<number> {
  const { source, settings, project, secrets } = opened
  const [output] = settings.outputs
  const { selected, carried } = await findChanged(opened)
  const { shard } = selected
  const entries = carried?.cases ?? selected.cases
  const asked = source.generated.length > 0 ? 'the agent under test was not called' : 'no agent was called'
  print(
    pen.line`${pen.green('✓')} ${pluralize((shard?.all ?? selected.cases).length, 'case is valid', 'cases are valid')}; ${asked}`,
  )
  if (shard) print(pen.line`  ${shardCount(shard, selected.cases)}`)
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
