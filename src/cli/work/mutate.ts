import { resolve } from 'node:path'
import type { ProposedCheck } from '../../analysis/mutate/case-score.ts'
import { mutationJson } from '../../analysis/mutate/json.ts'
import { mutationLines } from '../../analysis/mutate/lines.ts'
import { type Mutation, scoreWithProposals, totalScore } from '../../analysis/mutate/mutation.ts'
import { mutationExtensions, mutationReportFor } from '../../analysis/mutate/reports.ts'
import { proposalText, scoreText } from '../../analysis/mutate/words.ts'
import { changedList } from '../../cases/add-checks.ts'
import { ConfigError, errorMessage } from '../../errors.ts'
import { describePath } from '../../json/validation/issues.ts'
import { refuseForeignFile } from '../../reporters/keep-foreign-file.ts'
import type { Inked, Pen } from '../../reporters/pen.ts'
import { oneLine, printableJson } from '../../reporters/printable.ts'
import { writeReport } from '../../reporters/report.ts'
import { createMutateSetup, mutateCases, type ReadyToMutate } from '../../setup/mutate.ts'
import { checkWritable } from '../../setup/outputs/targets.ts'
import {
  type AcceptedChecks,
  type CaseFiles,
  type ChecksByHand,
  checkCaseFiles,
  rememberCaseFiles,
  writeChecks,
} from '../../setup/write-checks.ts'
import type { Shell } from '../../system/shell.ts'
import { pluralize } from '../../text/counted.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import { longName } from '../flag.ts'
import { personAnswers, type Respondent } from '../init/questions.ts'
import { type GivenMutateFlags, ownMutateFlags } from '../mutate-flags.ts'
import { untilInterrupted } from '../signals.ts'
import { TerminalFront } from '../terminal.ts'
import { createStart } from './test.ts'

/** `viva mutate` with flags that have been checked, except its own. */
export function mutateCommand(results: string, given: GivenMutateFlags, shell: Shell): Promise<number> {
  checkOwnFlags(given)
  const paths = [given.output ?? []].flat().map((path) => resolve(shell.cwd, String(path)))
  for (const path of paths) checkTarget(path)
  return untilInterrupted(shell, async (signal) => {
    const person = given.write && !given.yes ? personAnswers(shell, signal) : undefined
    if (given.write && !given.yes && person === undefined) throw nobodyToAsk()
    const front = new TerminalFront(given, shell, `mutate ${shellQuote(results)}`)
    const start = createStart(given, shell, front, signal)
    const request = { ...start.request, outputs: [], graded: results }
    const options = { judges: given.judges === true, mostOfCase: Number(given.maxMutants ?? 40) }
    return createMutateSetup(options).use({ ...start, request }, async (ready) => {
      const files = rememberCaseFiles(ready.cases, ready.project.root)
      if (given.write) checkCaseFiles(files)
      const mutation = await mutateCases(ready, options, (line) => front.terminal.note(line))
      // Only what is shown: what is written into case files is what was verified.
      const shown = ready.secrets.redact()(mutation)
      if (given.json) shell.stdout.write(mutationJson(shown))
      else for (const line of mutationLines(shown, front.terminal.pen)) front.terminal.print(line)
      const isWritten = await writeReports(paths, shown, front)
      const added = given.write
        ? await addAccepted(await accept(mutation, person, ready), files, ready, front)
        : new Set<ProposedCheck>()
      const code = exitCode(mutation, given.minScore, (proposal) => added.has(proposal), front)
      return isWritten || code === 1 ? code : 3
    })
  })
}

/** Whether all of them were written. The others, and the checks that were accepted, do not suffer from one that was not. */
async function writeReports(
  paths: readonly string[],
  shown: Mutation,
  { terminal: { print, pen } }: TerminalFront,
): Promise<boolean> {
  let isWritten = true
  for (const path of paths) {
    const text = mutationReportFor(path)?.render(shown)
    if (text === undefined) continue
    try {
      await writeReport({ path }, [text])
    } catch (error) {
      isWritten = false
      print(pen.line`${pen.red('✗')} ${`${path} could not be written: ${errorMessage(error)}`}`)
    }
  }
  return isWritten
}

function checkOwnFlags(given: GivenMutateFlags): void {
  for (const name of ['minScore', 'maxMutants'] as const) {
    const flag = ownMutateFlags[name]
    const value = given[name]
    const wrong = value === undefined ? undefined : flag.problem(value)
    if (wrong !== undefined)
      throw new ConfigError({ code: 'bad_flag', message: `${longName(flag)} ${value}: ${wrong}` })
  }
  if (given.yes && !given.write)
    throw new ConfigError({
      code: 'bad_flag',
      message: '--yes is for --write',
      hint: 'give both, or neither',
    })
}

function nobodyToAsk(): ConfigError {
  return new ConfigError({
    code: 'bad_flag',
    message: '--write: nobody can be asked, because this is not a terminal',
    hint: 'add --yes to accept all proposed checks',
  })
}

function checkTarget(path: string): void {
  const report = mutationReportFor(path)
  if (report === undefined)
    throw new ConfigError({
      code: 'bad_output',
      message: `-o ${path}: no format of a mutation report`,
      hint: `use ${mutationExtensions.join(', ')}`,
    })
  refuseForeignFile(path, report.isOurs)
  checkWritable(path)
}

/** All proposals, or those that the person at the terminal wants. */
async function accept(
  { cases }: Mutation,
  person: Respondent | undefined,
  { cases: entries, secrets }: ReadyToMutate,
): Promise<AcceptedChecks[]> {
  const redact = secrets.redact()
  const wanted = new Map<string, ProposedCheck[]>()
  let answer = person === undefined ? 'all' : ''
  for (const { file, id, proposals } of cases) {
    const checks: ProposedCheck[] = []
    for (const proposal of proposals) {
      if (answer !== 'all' && answer !== 'quit')
        answer = readAnswer((await person?.answer(question(redact(id), proposal))) ?? 'quit') ?? ''
      if (answer === 'all' || answer === 'yes') checks.push(proposal)
    }
    if (checks.length > 0) wanted.set(JSON.stringify([file, id]), checks)
  }
  const accepted: AcceptedChecks[] = []
  for (const entry of entries) {
    const checks = wanted.get(JSON.stringify([entry.file, entry.id]))
    if (checks !== undefined) accepted.push({ entry, checks })
  }
  return accepted
}

const answers = ['yes', 'no', 'all', 'quit']

/** `y` is `yes`. */
function readAnswer(text: string): string | undefined {
  const typed = text.trim().toLowerCase()
  return typed === '' ? undefined : answers.find((answer) => answer === typed || answer[0] === typed)
}

function question(id: string, proposal: ProposedCheck) {
  const text = oneLine(`${id}: add to ${proposalText(proposal)}? (yes, no, all, quit)`, 400)
  const problem = (answer: string) =>
    readAnswer(answer) === undefined ? `answer ${answers.join(', ')}` : undefined
  return { text, standard: 'yes', hint: '--yes accepts all', problem }
}

/** Returns the checks that are in the case files now. */
async function addAccepted(
  accepted: readonly AcceptedChecks[],
  files: CaseFiles,
  { source, secrets }: ReadyToMutate,
  { terminal: { print, pen } }: TerminalFront,
): Promise<Set<ProposedCheck>> {
  const redact = secrets.redact()
  const { written, byHand } = await writeChecks(accepted, files, source.cases)
  for (const { file, checks } of written)
    print(pen.line`  ${pen.green('✓')} ${pluralize(checks, 'check')} added to ${oneLine(redact(file))}`)
  for (const line of byHand.flatMap((each) => patchLines(redact(each), pen))) print(line)
  if (accepted.length === 0) print(pen.line`  Nothing was added`)
  const left = new Set(byHand.map((each) => each.accepted))
  return new Set(accepted.filter((each) => !left.has(each)).flatMap(({ checks }) => checks))
}

/** The whole new lists of checks, to be put in the place of those that the case has. JSON is valid in modules, too. */
function patchLines({ accepted: { entry }, changes }: ChecksByHand, pen: Pen): Inked[] {
  const [file, id] = [oneLine(entry.file || 'the case'), oneLine(entry.id)]
  return [
    pen.line`  ${pen.yellow('⚠')} ${file} is not edited. In the case ${JSON.stringify(id)}, write:`,
    ...changes.flatMap((change) => {
      const [place, list] = [describePath(change.path), changedList(change)]
      if (!Array.isArray(list)) return [pen.line`      ${place}: ${printableJson(list)}`]
      const items = list.map((each, index) => {
        const separator = index === list.length - 1 ? '' : ','
        return pen.line`        ${printableJson(each)}${separator}`
      })
      return [pen.line`      ${place}: [`, ...items, pen.line`      ]`]
    }),
  ]
}

/** The score of the cases as they are now. 3 if no mutant could be judged. */
function exitCode(
  mutation: Mutation,
  minScore: string | undefined,
  isAdded: (proposal: ProposedCheck) => boolean,
  { terminal: { print, pen } }: TerminalFront,
): number {
  const score = scoreWithProposals(mutation, isAdded)
  const { share } = score
  if (share === undefined) return mutation.overBudget === undefined ? 3 : 1
  if (score.killed > totalScore(mutation).killed)
    print(pen.line`  ${pen.bold(`Mutation score with them: ${scoreText(score)}`)}`)
  if (minScore !== undefined && share < Number(minScore)) {
    print(pen.line`  ${pen.red('✗')} The mutation score is below ${minScore}`)
    return 1
  }
  return mutation.overBudget === undefined ? 0 : 1
}
