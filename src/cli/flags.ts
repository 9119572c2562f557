import { orders } from '../analysis/history/orders.ts'
import { missingInputs } from '../conversation/plan.ts'
import { shardBases } from '../results/shard.ts'
import { queueAddressProblem } from '../run/workers/address.ts'
import { layers } from '../scope/tape.ts'
import { mostAutoRuns } from '../setup/run-rules.ts'
import { snapshotChoices } from '../setup/snapshots/choices.ts'
import { type Flag, inGroup, longName } from './flag.ts'
import {
  alphaProblem,
  amount,
  between,
  choice,
  duration,
  numberOrAuto,
  rate,
  shardProblem,
  share,
  wholeNumber,
} from './flag-values.ts'

/**
 * The one table of flags of `viva test`: parsing, `--help`, shell completion, the reference in the docs and the re-run
 * command come from it.
 */
export const flags = {
  ...inGroup('What to test', {
    input: {
      spec: '-i, --input <input>',
      about: 'case file, folder, or a message',
      more: 'also script tests (scripts.agent.script) and generators (agents:ID or scripts:ID)',
      repeat: true,
    },
    name: {
      spec: '-n, --name <agent>',
      about: 'agent to test: an id, ./module.ts, a URL (viva help agents)',
      more: 'openai:URL#model, http://…, a2a:URL or exec:CMD; repeat to compare several',
      default: 'detected from the input',
      repeat: true,
    },
    connector: {
      spec: '-c, --connector <id>',
      about: "override the agent's connector",
      more: 'an id, or openai:URL#model; repeat to compare several',
      repeat: true,
    },
  }),
  ...inGroup('Context', {
    user: { spec: '-u, --user <id>', about: 'id of the user', default: 'test-user' },
    team: { spec: '-t, --team <id>', about: "id of the user's team", default: 'test-team' },
    locale: { spec: '--locale <locale>', about: "the user's locale", default: 'en-us' },
    ctx: { spec: '--ctx <file>', about: 'JSON file with the context', more: 'overrides -u, -t and --locale' },
  }),
  ...inGroup('Selection', {
    run: { spec: '--run <regex>', about: 'run only cases whose id or name matches', once: true },
    tag: {
      spec: '--tag <tag>',
      about: 'run only cases with this tag',
      more: 'or an expression such as "smoke and not slow"; with several, at least one must match',
      repeat: true,
      once: true,
    },
    lastFailed: {
      spec: '--last-failed',
      about: 'run only cases that did not pass last time',
      more: 'according to the history',
      once: true,
    },
    changed: {
      spec: '--changed',
      about: 'run only what has changed since it last passed',
      more: 'the other passes are carried over: listed, but not counted as run',
      once: true,
    },
    order: {
      spec: '--order <how>',
      about: 'failed-first, slow-first or random',
      more: 'the first two come from the history; random is reproducible with --seed',
      default: 'as written',
      ...choice(...orders),
    },
    seed: {
      spec: '--seed <n>',
      about: 'seed for --order random, agents and models',
      more: 'passed to agents in their options, sent to models that accept one, and recorded in the results',
      problem: wholeNumber(0, Number.MAX_SAFE_INTEGER),
    },
    shard: {
      spec: '--shard <i/n>',
      about: 'run only the i-th of n parts of the cases',
      more: 'for several machines; viva merge puts the results together',
      problem: shardProblem,
      once: true,
    },
    shardBy: {
      spec: '--shard-by <how>',
      about: 'divide the cases by hash or by time',
      more: 'time: so that all parts take about as long; all machines need the same history',
      default: 'hash',
      ...choice(...shardBases),
      once: true,
    },
    requireChecks: { spec: '--require-checks', about: 'make cases without checks an error' },
    list: { spec: '--list', about: 'list the cases without running them', once: true },
    dryRun: {
      spec: '--dry-run',
      about: 'validate everything without calling the agent',
      more: '-o saves generated cases',
      once: true,
    },
  }),
  ...inGroup('Execution', {
    parallel: {
      spec: '--parallel <n>',
      about: 'number of cases that run at once, or auto',
      more: 'auto: as many as the server can take',
      default: '1',
      problem: numberOrAuto,
      values: ['auto'],
    },
    timeout: {
      spec: '--timeout <duration>',
      about: 'time limit for one case',
      default: '5m; script tests 30s',
      problem: duration,
    },
    failFast: { spec: '--fail-fast', about: 'stop at the first failure' },
    resume: {
      spec: '--resume <file>',
      about: 'run only cases without a result in the file',
      more: 'finishes an interrupted run',
      once: true,
    },
    stubAll: { spec: '--stub-all', about: 'refuse calls to tools that are not stubbed' },
    beforeAll: {
      spec: '--before-all <ref>',
      about: 'script to call before the run',
      more: 'with (ctx, cases)',
    },
    afterAll: {
      spec: '--after-all <ref>',
      about: 'script to call after the run',
      more: 'with (ctx, results, …)',
    },
    coverage: {
      spec: '--coverage',
      about: 'report which lines the script tests ran',
      more: 'as a table and in coverage/lcov.info',
    },
    queue: {
      spec: '--queue <url>',
      about: 'let workers on other machines run the cases',
      more: 'redis://host:6379; viva worker starts one. VIVA_QUEUE_PASSWORD is the password, where the URL has none',
      problem: queueAddressProblem,
    },
    workerTimeout: {
      spec: '--worker-timeout <duration>',
      about: 'how long a run with --queue waits for workers',
      default: '25s',
      problem: duration,
    },
    record: {
      spec: '--record <file>',
      about: 'record all calls to agents, models and tools',
      more: 'so that --replay can answer them without a network',
      once: true,
    },
    replay: {
      spec: '--replay <file>',
      about: 'answer all calls from a recording',
      more: 'no network, no key and no cost',
    },
    live: {
      spec: '--live <layer>',
      about: 'let these calls go out while the rest is replayed',
      more: 'agent, model, tools, simulator, judge, generator or script; repeatable',
      repeat: true,
      ...choice(...layers),
    },
    replayMissing: {
      spec: '--replay-missing <what>',
      about: 'what to do with a call that is not recorded: error or live',
      more: 'live: it goes out, and is added to the recording',
      default: 'error',
      ...choice('error', 'live'),
    },
    updateSnapshots: {
      spec: '--update-snapshots [which]',
      about: 'accept the replies as snapshots',
      more: '=new: only missing ones; =changed: only different ones; all also removes unused ones',
      ...choice(...snapshotChoices),
      once: true,
    },
    watch: {
      spec: '--watch',
      about: 'run again what a change affects',
      more: 'a change of the cases, the agent or other files of the project',
      once: true,
    },
  }),
  ...inGroup('Conversations', {
    simulator: {
      spec: '--simulator <id>',
      about: 'agent that plays the user',
      more: 'in multi-turn cases that do not name one',
    },
    onMissingInput: {
      spec: '--on-missing-input <what>',
      about: 'when nobody answers: skip, fail or end',
      more: 'what to do when the agent waits and no turn is left',
      default: 'skip',
      ...choice(...missingInputs),
    },
    interactive: {
      spec: '--interactive',
      about: 'ask you when the agent waits for an answer',
      more: 'you type the next message',
    },
    skipInteractive: { spec: '--skip-interactive', about: 'never ask a person, even if a case asks for one' },
  }),
  ...inGroup('Repetition and gates', {
    runs: {
      spec: '--runs <n>',
      about: 'run every case n times, or auto',
      more: 'auto: until it is clear whether it reaches --gate',
      default: '1',
      problem: numberOrAuto,
      values: ['auto'],
    },
    gate: { spec: '--gate <rate>', about: 'pass rate that every case must reach, 0 to 1', problem: rate },
    confidence: {
      spec: '--confidence <share>',
      about: 'confidence of --runs auto',
      more: 'how sure it must be that a case reaches --gate or does not',
      default: '0.95',
      problem: between(0.5, 0.9999, '0.95'),
    },
    maxRuns: {
      spec: '--max-runs <n>',
      about: 'maximum number of runs with --runs auto',
      more: 'for each case',
      default: '30',
      problem: wholeNumber(2, mostAutoRuns),
    },
    gateSuite: {
      spec: '--gate-suite <rate>',
      about: 'mean pass rate of all cases, 0 to 1',
      more: 'which all cases together must reach',
      problem: rate,
    },
    gateStable: {
      spec: '--gate-stable',
      about: 'require every case to be stable',
      more: 'no run fails or passes only when retried',
    },
    retries: {
      spec: '--retries <n>',
      about: 'repeat a failed case up to n times',
      more: 'one that then passes is flaky',
      default: '0',
      problem: wholeNumber(0, 20),
    },
    baseline: {
      spec: '--baseline <file>',
      about: 'compare with an earlier results file',
      more: 'a regression fails the run',
      once: true,
    },
    alpha: {
      spec: '--alpha <share>',
      about: 'significance level of --baseline',
      more: 'how often it may report a regression by chance',
      default: '0.05',
      problem: alphaProblem,
    },
  }),
  ...inGroup('Budget', {
    maxCost: {
      spec: '--max-cost <amount>',
      about: 'budget in US dollars',
      more: 'when it is spent, no further case starts',
      problem: amount,
    },
    maxTokens: {
      spec: '--max-tokens <n>',
      about: 'budget in tokens',
      more: 'when it is used up, no further case starts',
      problem: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    },
    maxInfrastructureErrors: {
      spec: '--max-infrastructure-errors <share>',
      about: 'share to tolerate, such as 5%',
      more: 'share of results that may be infrastructure errors',
      default: '0%',
      problem: share,
    },
  }),
  ...inGroup('Output', {
    output: {
      spec: '-o, --output <file>',
      about: 'results file or report: .jsonl .json .html .md .xml .txt',
      more: 'the extension sets the format',
      default: 'output-{timestamp}.jsonl',
      repeat: true,
      once: true,
    },
    reporter: {
      spec: '-r, --reporter <name>',
      about: 'report for the nth -o, or for stdout (viva help reports)',
      more: 'report.html, report.json, report.markdown, report.summary, junit, github, or an agent',
      values: ['report.html', 'report.json', 'report.markdown', 'report.summary', 'junit', 'github'],
      repeat: true,
      once: true,
    },
    json: {
      spec: '--json',
      about: 'print only events, as JSON lines',
      more: 'on stdout, and nothing else',
      once: true,
    },
    verbose: { spec: '-v, --verbose', about: 'show every turn, also for cases that passed' },
  }),
  ...inGroup('Privacy', {
    transcripts: {
      spec: '--no-transcripts',
      about: 'do not record or report what was said',
      more: 'nor anything that quotes it',
    },
    mask: {
      spec: '--mask <field>',
      about: 'hide fields with this name',
      more: 'such as email or customer.email; or whatever a /pattern/ matches',
      repeat: true,
    },
  }),
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
