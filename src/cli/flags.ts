import { orders } from '../analysis/history/orders.ts'
import { snapshotChoices } from '../setup/snapshots/choices.ts'
import {
  alphaProblem,
  amount,
  between,
  duration,
  numberOrAuto,
  oneOf,
  rate,
  share,
  wholeNumber,
} from './flag-values.ts'

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

export const flags = {
  input: {
    spec: '-i, --input <input>',
    about:
      'case file, folder, script tests (scripts.agent.script), generator (agents:ID or scripts:ID), or a message',
    repeat: true,
  },
  name: {
    spec: '-n, --name <agent>',
    about:
      'agent to test: id, ./module.ts, openai:URL#model, http://…, a2a:URL, exec:CMD; repeat to compare several',
    default: 'detected from the input',
    repeat: true,
  },
  connector: {
    spec: '-c, --connector <id>',
    about: "override the agent's connector: id, or openai:URL#model; repeat to compare several",
    repeat: true,
  },
  output: {
    spec: '-o, --output <file>',
    about: 'results file; the extension sets the format: .jsonl .json .html .md .xml .txt',
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
  user: { spec: '-u, --user <id>', about: 'id of the user', default: 'test-user' },
  team: { spec: '-t, --team <id>', about: "id of the user's team", default: 'test-team' },
  locale: { spec: '--locale <locale>', about: "the user's locale", default: 'en-us' },
  ctx: { spec: '--ctx <file>', about: 'JSON file with the context; overrides -u, -t and --locale' },
  run: { spec: '--run <regex>', about: 'run only cases whose id or name matches', once: true },
  tag: {
    spec: '--tag <tag>',
    about:
      'run only cases with this tag, or an expression such as "smoke and not slow"; with several, at least one must match',
    repeat: true,
    once: true,
  },
  list: { spec: '--list', about: 'list the cases without running them', once: true },
  dryRun: {
    spec: '--dry-run',
    about: 'validate everything without calling the agent under test; -o saves generated cases',
    once: true,
  },
  parallel: {
    spec: '--parallel <n>',
    about: 'number of cases that run at once; auto: as many as the server can take',
    default: '1',
    problem: numberOrAuto,
  },
  timeout: {
    spec: '--timeout <duration>',
    about: 'time limit for one case',
    default: '5m; script tests 30s',
    problem: duration,
  },
  failFast: { spec: '--fail-fast', about: 'stop at the first failure' },
  onMissingInput: {
    spec: '--on-missing-input <what>',
    about: 'what to do when the agent waits and no turn is left: skip, fail or end',
    default: 'skip',
    problem: oneOf('skip', 'fail', 'end'),
  },
  requireChecks: { spec: '--require-checks', about: 'make cases without checks an error' },
  resume: {
    spec: '--resume <file>',
    about: 'finish an interrupted run: run only cases without a result in the file',
    once: true,
  },
  transcripts: {
    spec: '--no-transcripts',
    about: 'do not record or report what was said, nor anything that quotes it',
  },
  mask: {
    spec: '--mask <field>',
    about: 'hide fields with this name (email, customer.email), or whatever a /pattern/ matches',
    repeat: true,
  },
  json: { spec: '--json', about: 'print events as JSON lines on stdout, and nothing else', once: true },
  verbose: { spec: '-v, --verbose', about: 'show every turn, also for cases that passed' },
  runs: {
    spec: '--runs <n>',
    about: 'run every case n times; auto: until it is clear whether it reaches --gate',
    default: '1',
    problem: numberOrAuto,
  },
  gate: { spec: '--gate <rate>', about: 'pass rate that every case must reach, 0 to 1', problem: rate },
  gateSuite: {
    spec: '--gate-suite <rate>',
    about: 'mean pass rate that all cases together must reach, 0 to 1',
    problem: rate,
  },
  gateStable: {
    spec: '--gate-stable',
    about: 'require every case to be stable: no run fails or passes only when retried',
  },
  confidence: {
    spec: '--confidence <share>',
    about: 'confidence that --runs auto must reach',
    default: '0.95',
    problem: between(0.5, 0.9999, '0.95'),
  },
  baseline: {
    spec: '--baseline <file>',
    about: 'compare with the results of an earlier run; a regression fails the run',
    once: true,
  },
  alpha: {
    spec: '--alpha <share>',
    about: 'significance level of --baseline: how often it may report a regression by chance',
    default: '0.05',
    problem: alphaProblem,
  },
  maxRuns: {
    spec: '--max-runs <n>',
    about: 'maximum number of runs of a case with --runs auto',
    default: '30',
    problem: wholeNumber(2, 1000),
  },
  retries: {
    spec: '--retries <n>',
    about: 'repeat a failed case up to n times; one that then passes is flaky',
    default: '0',
    problem: wholeNumber(0, 20),
  },
  simulator: {
    spec: '--simulator <id>',
    about: 'agent that plays the user in multi-turn cases that do not name one',
  },
  interactive: {
    spec: '--interactive',
    about: 'ask you for the next message when the agent waits for an answer',
  },
  skipInteractive: { spec: '--skip-interactive', about: 'never ask a person, even if a case asks for one' },
  beforeAll: { spec: '--before-all <ref>', about: 'script to call before the run, with (ctx, cases)' },
  afterAll: { spec: '--after-all <ref>', about: 'script to call after the run, with (ctx, results, …)' },
  coverage: {
    spec: '--coverage',
    about: 'report which lines the script tests ran, as a table and in coverage/lcov.info',
  },
  lastFailed: {
    spec: '--last-failed',
    about: 'run only cases that did not pass last time, according to the history',
    once: true,
  },
  order: {
    spec: '--order <how>',
    about:
      'order of the cases: failed-first, slow-first (both from the history) or random (reproducible with --seed)',
    default: 'as written',
    problem: oneOf(...orders),
  },
  shard: { spec: '--shard <i/n>', about: 'run the i-th of n parts', notYet: true },
  seed: {
    spec: '--seed <n>',
    about:
      'seed for --order random; also passed to agents in their options, sent to models that accept one, and recorded in the results',
    problem: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  },
  maxCost: {
    spec: '--max-cost <amount>',
    about: 'budget in US dollars; when it is spent, no further case starts',
    problem: amount,
  },
  maxTokens: {
    spec: '--max-tokens <n>',
    about: 'budget in tokens; when it is used up, no further case starts',
    problem: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  },
  maxInfrastructureErrors: {
    spec: '--max-infrastructure-errors <share>',
    about: 'share of infrastructure errors to tolerate, such as 5%',
    default: '0%',
    problem: share,
  },
  stubAll: { spec: '--stub-all', about: 'refuse calls to tools that are not stubbed' },
  record: { spec: '--record <file>', about: 'record all calls', notYet: true },
  replay: { spec: '--replay <file>', about: 'answer calls from a recording', notYet: true },
  updateSnapshots: {
    spec: '--update-snapshots [which]',
    about: 'accept the replies as snapshots; =new or =changed: only missing or different ones',
    problem: oneOf(...snapshotChoices),
    once: true,
  },
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
