import { createPen, type Inked, type Pen, wantsColour } from '../../reporters/pen.ts'
import type { CommandStart } from '../../setup/command-start.ts'
import type { Shell } from '../../system/shell.ts'
import { pluralize } from '../../text/counted.ts'
import { runTest } from '../commands/test.ts'
import { errorExitCode, printError, printWarning } from '../print-error.ts'
import { untilInterrupted } from '../signals.ts'
import { checkFolder, isVivaInstalled } from './check-folder.ts'
import { chooseAgent } from './choose-agent.ts'
import { completeProject, findConfigName } from './existing-config.ts'
import { countMessages } from './first-cases.ts'
import { type Folder, openFolder } from './folder.ts'
import { type FilePlan, planFiles, workflowFile } from './plan-files.ts'
import { defaultAnswers, personAnswers, type Respondent } from './questions.ts'
import type { AgentCandidate, AgentSetup } from './starting-point.ts'
import { writeFiles } from './write-files.ts'

export interface InitFlags {
  yes?: boolean
  name?: string
  /** False for `--no-run`. */
  run?: boolean
}

/** `viva init`: looks, asks, plans, writes, and runs the first cases. */
export function initCommand(given: InitFlags, shell: Shell): Promise<number> {
  return untilInterrupted(shell, async (signal) => {
    checkFolder(shell.cwd, shell.env)
    const folder = openFolder(shell.cwd, shell.env)
    const print = createPrint(shell)
    const respondent = chooseRespondent(given, shell, signal, print)
    const work: InitWork = { given, folder, respondent, shell, signal, print }
    const prepared = await prepare(work)
    if (prepared === undefined) return printNothing(print)
    const { setup, plan } = prepared
    announce(setup, plan, work)
    const wish = await confirm(setup, work)
    if (wish === 'nothing') return printNothing(print)
    writeFiles(folder.path, plan.files)
    print(
      (pen) => pen.line`${pen.green('✓')} ${pluralize(plan.files.length, 'file is', 'files are')} written`,
    )
    const exitCode = wish === 'run' ? await runFirstCases(setup, plan, work) : 0
    printNextSteps(plan, exitCode, work)
    return exitCode
  })
}

interface InitWork {
  given: InitFlags
  folder: Folder
  respondent: Respondent
  shell: Shell
  signal: AbortSignal
  print: Print
}

type Print = (line: (pen: Pen) => Inked) => void

function createPrint({ stdout, env }: Shell): Print {
  const pen = createPen(wantsColour(stdout, env))
  return (line) => void stdout.write(`${line(pen).text}\n`)
}

/** Where nobody can be asked, the defaults are taken, as with `--yes`. */
function chooseRespondent({ yes }: InitFlags, shell: Shell, signal: AbortSignal, print: Print): Respondent {
  if (yes === true) return defaultAnswers
  const person = personAnswers(shell, signal)
  if (person === undefined)
    print((pen) => pen.dim('There is no terminal to ask questions: the defaults are taken (--yes)'))
  return person ?? defaultAnswers
}

function printNothing(print: Print): number {
  print((pen) => pen.line`Nothing was written.`)
  return 0
}

/** All that can go wrong before anything is written. Undefined if the user does not want to go on. */
async function prepare(work: InitWork): Promise<{ setup: AgentSetup; plan: FilePlan } | undefined> {
  const { given, folder, respondent, shell, signal, print } = work
  const existing = findConfigName(folder)
  if (existing !== undefined) {
    const start: CommandStart = { signal, shell, warn: (text) => printWarning(shell, text) }
    const setup = await completeProject(existing, folder, start)
    const plan = planFiles(setup, undefined, folder)
    return { setup, plan: { ...plan, kept: [existing, ...plan.kept] } }
  }
  const { agent, others, isPicked } = await chooseAgent(given.name, folder, respondent)
  print((pen) => pen.line`Found ${agent.found}`)
  if (others.length > 0 && !respondent.isPerson) {
    print((pen) => pen.dim(`  also: ${others.map(({ found }) => found).join('; ')} (-n names another agent)`))
  }
  if (!(await agreesToStart(agent, isPicked, work))) return undefined
  const question = await agent.question?.(signal)
  const answer = question === undefined ? '' : await respondent.answer(question)
  const setup = refuseUnasked(await agent.setUp(answer, signal), work)
  return { setup, plan: planFiles(setup, agent.found, folder) }
}

/** What a file names is no consent to send messages to a host of others. */
function refuseUnasked(setup: AgentSetup, { given, respondent }: InitWork): AgentSetup {
  const { publicHost, notRun } = setup
  if (publicHost === undefined || notRun !== undefined || respondent.isPerson || given.name !== undefined)
    return setup
  return { ...setup, notRun: `${publicHost} is a public host, and nobody was asked. viva test calls it` }
}

/** A program of the user's starts only after a person has agreed, or has been told with `--yes`. */
async function agreesToStart(
  { starts }: AgentCandidate,
  isPicked: boolean,
  { respondent, print }: InitWork,
): Promise<boolean> {
  if (starts === undefined || isPicked) return true
  const sentence = starts.replace(/^./, (letter) => letter.toUpperCase())
  if (!respondent.isPerson) {
    print((pen) => pen.line`${pen.cyan('ℹ')} ${sentence}`)
    return true
  }
  const isYes = (typed: string) => /^y(?:es?)?$/i.test(typed)
  const answer = await respondent.answer({
    text: `${sentence}? (yes, no)`,
    standard: 'yes',
    hint: '--yes takes the defaults',
    problem: (typed) => (isYes(typed) || /^no?$/i.test(typed) ? undefined : 'write yes or no'),
  })
  return isYes(answer)
}

/** What will be written, what stays, and what will be called. */
function announce(setup: AgentSetup, { files, kept, notes }: FilePlan, { given, print }: InitWork): void {
  for (const { name, replaces } of files)
    print((pen) => pen.line`  ${pen.green('+')} ${name}${replaces ? ' (a line for .viva/)' : ''}`)
  for (const name of kept) print((pen) => pen.line`  ${pen.dim('=')} ${name} (is there already, and is kept)`)
  for (const note of [...(setup.notes ?? []), ...notes]) print((pen) => pen.line`${pen.yellow('⚠')} ${note}`)
  if (setup.notRun !== undefined)
    print((pen) => pen.line`${pen.yellow('⚠')} The cases are not run: ${setup.notRun ?? ''}`)
  if (given.run === false || setup.notRun !== undefined) return
  const cases = pluralize(setup.cases.length, 'case', 'cases')
  const messages = pluralize(countMessages(setup.cases), 'message', 'messages')
  print((pen) => pen.line`${pen.cyan('ℹ')} Then it runs ${cases}: ${messages} to ${setup.target}`)
}

type Wish = 'run' | 'write' | 'nothing'

async function confirm(
  { notRun }: AgentSetup,
  { given: { run = true }, respondent }: InitWork,
): Promise<Wish> {
  const standard = run && notRun === undefined ? 'run' : 'write'
  if (!respondent.isPerson) return standard
  const answers = new Map<string, Wish>([
    ['yes', standard],
    ['no', 'nothing'],
    ['write', 'write'],
  ])
  // A letter is enough.
  const read = (typed: string) =>
    [...answers].find(([word]) => typed !== '' && word.startsWith(typed.toLowerCase()))?.[1]
  const answer = await respondent.answer({
    text:
      standard === 'run'
        ? 'Write these files and run the cases? (yes, no, write: without a run)'
        : 'Write these files? (yes, no)',
    standard: 'yes',
    hint: '--yes takes the defaults',
    problem: (typed) => (read(typed) === undefined ? 'write yes, no or write' : undefined),
  })
  return read(answer) ?? 'nothing'
}

/** First what the run will cost, then the run. The files stay, whatever happens. */
async function runFirstCases(
  setup: AgentSetup,
  { casesFolder }: FilePlan,
  { shell, signal }: InitWork,
): Promise<number> {
  const own = { ...shell, env: { ...shell.env, ...setup.environment } }
  const input = [casesFolder]
  try {
    const checked = await runTest({ input, dryRun: true }, own)
    signal.throwIfAborted()
    return checked === 0 ? await runTest({ input }, own) : checked
  } catch (error) {
    signal.throwIfAborted()
    printError(shell, error)
    return errorExitCode(error)
  }
}

function printNextSteps({ files, casesFile }: FilePlan, exitCode: number, { folder, print }: InitWork): void {
  const steps: [what: string, why: string, isWanted?: boolean][] = [
    [
      'the message above',
      'says what is wrong: nothing was learned about the agent yet',
      exitCode === 2 || exitCode === 3,
    ],
    [casesFile, 'change a case, or add your own'],
    ['npx viva test', 'runs the cases again; -o report.html writes a report'],
    ['npx viva audit', 'checks whether the cases can fail'],
    ['npm install --save-dev vivavoce', 'adds viva to the project', !isVivaInstalled(folder.path)],
    [
      "import { describeAgent } from 'vivavoce/vitest'",
      'runs cases as tests of vitest',
      folder.manifest?.dependencies.has('vitest') === true,
    ],
    [
      workflowFile,
      'runs them in CI; add the keys it names as secrets of the repository',
      files.some(({ name }) => name === workflowFile),
    ],
  ]
  const wanted = steps.filter(([, , isWanted = true]) => isWanted)
  const width = Math.max(...wanted.map(([what]) => what.length))
  print((pen) => pen.line`\n${pen.bold('Next steps')}`)
  for (const [what, why] of wanted) print((pen) => pen.line`  ${pen.cyan(what.padEnd(width))}  ${why}`)
}
