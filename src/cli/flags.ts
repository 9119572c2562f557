import { orders } from '../analysis/history/orders.ts'
import { durationRangeProblem, parseDuration } from '../text/duration.ts'
import { nearest } from '../text/nearest.ts'

/**
 * The one table of flags of `viva test`: parsing, `--help`, the reference in the docs and the re-run
 * command come from it. A flag marked `notYet` is known, and refused.
 */
export interface Flag {
  /** As commander takes them: `-i, --input <input>`. */
  spec: string
  about: string
  default?: string
  repeat?: boolean
  notYet?: boolean
  /** Says what is wrong with a value. */
  problem?(value: string): string | undefined
  /** Left out of the command that re-runs what failed. */
  once?: boolean
}

const wholeNumber = (least: number, most: number) => (value: string) =>
  /^\d+$/.test(value) && Number(value) >= least && Number(value) <= most
    ? undefined
    : `must be a whole number from ${least} to ${most}`

const runs = (value: string) =>
  value === 'auto' ? undefined : wholeNumber(1, 1000)(value)?.concat(', or auto')

/** Written as a decimal number: `0.9`, not `90%`. */
const between = (least: number, most: number, example: string) => (value: string) =>
  /^\d*\.?\d+$/.test(value) && Number(value) > least && Number(value) <= most
    ? undefined
    : `must be a number above ${least}, at most ${most}, like ${example}`

const rate = between(0, 1, '0.9')

/** Of `--alpha`, here and in `viva compare`. */
export const alphaProblem = (value: string) => between(0, 0.5, '0.05')(value)

const amount = (value: string) =>
  /^\d*\.?\d+$/.test(value) && Number(value) > 0
    ? undefined
    : 'must be an amount of dollars above 0, like 2.50'

const duration = (value: string) =>
  parseDuration(value) === undefined
    ? (durationRangeProblem(value) ?? 'must be a duration like 30s, 1m30s or 250ms')
    : undefined

const share = (value: string) =>
  /^\d+(\.\d+)?%$/.test(value) && Number.parseFloat(value) <= 100 ? undefined : 'must be a share like 5%'

const oneOf =
  (...values: string[]) =>
  (value: string) => {
    if (values.includes(value)) return undefined
    const guess = nearest(value, values)
    return `must be one of ${values.join(', ')}${guess === undefined ? '' : ` (did you mean "${guess}"?)`}`
  }

export const flags = {
  input: {
    spec: '-i, --input <input>',
    about:
      'case file, folder, script tests (scripts.agent.script), agents:ID or scripts:ID that write cases, or a message',
    repeat: true,
  },
  name: {
    spec: '-n, --name <agent>',
    about:
      'agent to test: id, ./module.ts, openai:URL#model, http://…, a2a:URL, exec:CMD; several are compared',
    default: 'found from the input',
    repeat: true,
  },
  connector: {
    spec: '-c, --connector <id>',
    about: "override the agent's connector: id, or openai:URL#model; several are compared",
    repeat: true,
  },
  output: {
    spec: '-o, --output <file>',
    about: 'results file, format by extension: .jsonl .json .html .md .xml .txt',
    default: 'output-{timestamp}.jsonl',
    repeat: true,
    once: true,
  },
  reporter: {
    spec: '-r, --reporter <name>',
    about:
      'report for the nth -o, or for stdout: report.html, report.json, report.markdown, report.summary, junit, github, or an agent',
    repeat: true,
    once: true,
  },
  user: { spec: '-u, --user <id>', about: 'user of the conversations', default: 'test-user' },
  team: { spec: '-t, --team <id>', about: "the user's team", default: 'test-team' },
  locale: { spec: '--locale <locale>', about: "the user's locale", default: 'en-us' },
  ctx: { spec: '--ctx <file>', about: 'JSON file with the context; beats -u, -t and --locale' },
  run: { spec: '--run <regex>', about: 'only cases whose id or name matches', once: true },
  tag: {
    spec: '--tag <tag>',
    about: 'only cases with this tag, or "smoke and not slow" (any of several)',
    repeat: true,
    once: true,
  },
  list: { spec: '--list', about: 'list the cases and stop', once: true },
  dryRun: {
    spec: '--dry-run',
    about: 'validate everything, do not call the agent under test; -o keeps generated cases',
    once: true,
  },
  parallel: { spec: '--parallel <n>', about: 'cases at once', default: '1', problem: wholeNumber(1, 1000) },
  timeout: {
    spec: '--timeout <duration>',
    about: 'limit for one case',
    default: '5m; script tests 30s',
    problem: duration,
  },
  failFast: { spec: '--fail-fast', about: 'stop at the first failure' },
  onMissingInput: {
    spec: '--on-missing-input <what>',
    about: 'skip, fail or end when the agent waits and no turn is left',
    default: 'skip',
    problem: oneOf('skip', 'fail', 'end'),
  },
  requireChecks: { spec: '--require-checks', about: 'a case that checks nothing is an error' },
  resume: {
    spec: '--resume <file>',
    about: 'finish an interrupted run: play what has no result in the file',
    once: true,
  },
  transcripts: {
    spec: '--no-transcripts',
    about: 'record and report nothing that was said, nor what quotes it',
  },
  mask: {
    spec: '--mask <field>',
    about: 'hide fields of that name (email, customer.email), or what a /pattern/ finds',
    repeat: true,
  },
  json: { spec: '--json', about: 'events as JSON lines on stdout, nothing else there', once: true },
  verbose: { spec: '-v, --verbose', about: 'show every turn, also of cases that passed' },
  runs: {
    spec: '--runs <n>',
    about: 'play every case n times; auto: as often as it takes to know whether it reaches --gate',
    default: '1',
    problem: runs,
  },
  gate: { spec: '--gate <rate>', about: 'pass rate that every case must reach, 0 to 1', problem: rate },
  gateSuite: {
    spec: '--gate-suite <rate>',
    about: 'mean pass rate that the cases must reach together',
    problem: rate,
  },
  gateStable: {
    spec: '--gate-stable',
    about: 'every case must be stable: no run may fail, nor pass only when retried',
  },
  confidence: {
    spec: '--confidence <share>',
    about: 'how sure --runs auto must be',
    default: '0.95',
    problem: between(0.5, 0.9999, '0.95'),
  },
  baseline: {
    spec: '--baseline <file>',
    about: 'compare with the results of another run: a regression fails the run',
    once: true,
  },
  alpha: {
    spec: '--alpha <share>',
    about: 'how often --baseline may tell of a regression where there is none',
    default: '0.05',
    problem: alphaProblem,
  },
  maxRuns: {
    spec: '--max-runs <n>',
    about: 'the most that --runs auto plays a case',
    default: '30',
    problem: wholeNumber(2, 1000),
  },
  retries: {
    spec: '--retries <n>',
    about: 'play a failed case again; one that then passes is flaky',
    default: '0',
    problem: wholeNumber(0, 20),
  },
  simulator: {
    spec: '--simulator <id>',
    about: 'agent that plays the user in cases of several turns that name none',
  },
  interactive: { spec: '--interactive', about: 'ask you for the next message when the agent waits' },
  skipInteractive: { spec: '--skip-interactive', about: 'never ask a person, whatever the cases say' },
  beforeAll: { spec: '--before-all <ref>', about: 'script to call before the run, with (ctx, cases)' },
  afterAll: { spec: '--after-all <ref>', about: 'script to call after the run, with (ctx, results, …)' },
  coverage: {
    spec: '--coverage',
    about: 'which lines the script tests ran: a table, and coverage/lcov.info',
  },
  lastFailed: {
    spec: '--last-failed',
    about: 'only cases that did not pass when they were played last, by the history',
    once: true,
  },
  order: {
    spec: '--order <how>',
    about: 'which cases begin: failed-first, slow-first (by the history), or random (--seed repeats it)',
    default: 'as written',
    problem: oneOf(...orders),
  },
  shard: { spec: '--shard <i/n>', about: 'the i-th of n parts', notYet: true },
  seed: {
    spec: '--seed <n>',
    about: 'sent to models that take one, as `seed`; also in the options and the results; for --order random',
    problem: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  },
  maxCost: {
    spec: '--max-cost <amount>',
    about: 'start no case once so many dollars are spent',
    problem: amount,
  },
  maxTokens: {
    spec: '--max-tokens <n>',
    about: 'start no case once so many tokens are used',
    problem: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  },
  maxInfrastructureErrors: {
    spec: '--max-infrastructure-errors <share>',
    about: 'infrastructure errors that are tolerated, like 5%',
    default: '0%',
    problem: share,
  },
  stubAll: { spec: '--stub-all', about: 'call no tool that is not stubbed' },
  record: { spec: '--record <file>', about: 'record all calls', notYet: true },
  replay: { spec: '--replay <file>', about: 'answer calls from a recording', notYet: true },
  updateSnapshots: { spec: '--update-snapshots', about: 'accept changed snapshots', notYet: true },
  watch: { spec: '--watch', about: 'run again on changes', notYet: true },
} satisfies Record<string, Flag>

/** Flags of earlier versions, with what they are called now. */
export const renamedFlags: Readonly<Record<string, string>> = {
  '--max-world-failures': longName(flags.maxInfrastructureErrors),
}

export type FlagName = keyof typeof flags

/** What the user gave, still as text; a flag without a value is `true`. */
export type GivenFlags = Partial<Record<FlagName, string | string[] | boolean>>

export function flagList(): [FlagName, Flag][] {
  return Object.entries(flags) as [FlagName, Flag][]
}

/** `--input` of `-i, --input <input>` */
export function longName({ spec }: Flag): string {
  return /--[\w-]+/.exec(spec)?.[0] ?? spec
}
