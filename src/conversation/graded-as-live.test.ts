import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Agent, Session } from '../agents/agent.ts'
import type { AuthoredCase } from '../cases/case-schema.ts'
import { compileCase } from '../cases/compile.ts'
import { noSpeakers } from '../cases/speakers.ts'
import { noCheckHelpers } from '../checks/check-helpers.ts'
import { isGradable } from '../results/gradable.ts'
import type { UsageByRole } from '../results/usage.ts'
import { CaseScope } from '../scope/case-scope.ts'
import { createPlainScope } from '../scope/plain-scope.ts'
import { Targets } from '../scope/targets.ts'
import { describeChangedMessages } from './changed-messages.ts'
import { gradeConversation } from './grade.ts'
import type { Plan } from './plan.ts'
import { playConversation } from './play.ts'
import { type CaseVerdict, decideVerdict } from './verdict.ts'

/** Answers in order, and the last answer again and again. */
function session(answers: readonly unknown[]): Session & { calls: number } {
  return {
    calls: 0,
    async send() {
      const output = answers[Math.min(this.calls, answers.length - 1)]
      this.calls += 1
      const content = typeof output === 'string' ? output : JSON.stringify(output)
      return { output, content, messages: [{ role: 'assistant', content }], toolCalls: [] }
    },
  }
}

interface Talk {
  turns: number
  replies: string[]
  /** What the simulated user says. */
  said: unknown[]
}

/** What may be different when a conversation is graded. */
type Change = Omit<AuthoredCase, 'id' | 'turns'>

/** The plan of one play, and how often its simulated user was asked. */
function preparePlay({ turns, said }: Talk, change: Change): { plan: Plan; asked: () => number } {
  const user = session(said)
  const agent: Agent = {
    id: 'user',
    input: 'any',
    history: 'given',
    tools: 'hidden',
    open: async () => ({
      ...user,
      send: (request, scope) => user.send(request, scope),
      close: async () => {},
    }),
  }
  const speakers = { ...noSpeakers, simulators: { problem: () => undefined, agent: async () => agent } }
  const findFile = () => {
    throw new Error('there are no files')
  }
  const inputs = Array.from({ length: turns }, (_, place) => ({ input: `turn ${place + 1}` }))
  const authored = { id: 'x', ...change, turns: inputs }
  const { plan } = compileCase(authored, { helpers: noCheckHelpers, speakers, findFile })
  return { plan, asked: () => user.calls }
}

async function withScope<T>(use: (scope: CaseScope) => Promise<T>): Promise<T> {
  const scope = CaseScope.open({
    targets: new Targets(),
    key: { file: '', id: 'x', variant: '', run: 1, attempt: 1 },
    context: createPlainScope().context,
    timeoutMs: 60_000,
    signal: new AbortController().signal,
    retry: { retries: 0, backoffMs: 1 },
    emit: () => {},
  })
  try {
    return await use(scope)
  } finally {
    scope.close()
  }
}

async function hold(talk: Talk, change: Change) {
  const { plan, asked } = preparePlay(talk, change)
  const held = await withScope((scope) => playConversation(plan, session(talk.replies), scope))
  const usage: UsageByRole = asked() === 0 ? {} : { simulator: { calls: asked(), retries: 0 } }
  return { saved: { ...held, usage }, verdict: decideVerdict(held, plan) }
}

/** The verdict of grading, or undefined where it is refused. */
async function grade(talk: Talk, then: Change, now: Change) {
  const { saved, verdict } = await hold(talk, then)
  const { plan } = preparePlay(talk, now)
  if (!isGradable({ ...saved, ...verdict })) return undefined
  if (describeChangedMessages(plan, saved, (value) => value) !== undefined) return undefined
  return decideVerdict(await withScope((scope) => gradeConversation(plan, saved, scope)), plan)
}

const optional = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 })
const says = (value: string) => ({ type: 'contains', value }) as const

const talks: fc.Arbitrary<Talk> = fc.record({
  turns: fc.integer({ min: 1, max: 3 }),
  replies: fc.array(fc.constantFrom('Done.', 'Which one?', 'Here is x.', 'x? Which one?'), {
    minLength: 1,
    maxLength: 5,
  }),
  said: fc.array(
    fc.constantFrom<unknown>(
      'Plain',
      { message: 'More', goal_achieved: false },
      { message: 'Thanks', goal_achieved: true },
      { message: '', goal_achieved: true },
    ),
    { minLength: 1, maxLength: 4 },
  ),
})

const changes: fc.Arbitrary<Change> = fc
  .record({
    max_turns: optional(1, 2, 3, 4, 6),
    on_missing_input: optional<'skip' | 'fail' | 'end'>('skip', 'fail', 'end'),
    stop_on_failure: optional(true),
    terminate_when: optional([says('x')], [says('Which')]),
    on_max_turns_reached: optional<'pass' | 'fail'>('pass', 'fail'),
    on_exhausted: optional<'pass' | 'fail'>('pass', 'fail'),
    checkpoints: optional(
      [{ id: 'x', assertion: says('x') }],
      [{ id: 'which', assertion: says('Which'), forbidden: true }],
    ),
    final_assertions: optional([says('x')]),
    simulator: optional({ use: 'user', goal: 'to buy it' }),
  })
  .map((change) => Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)))

/** A results file does not say whether its case let the simulator speak once more at the limit of turns. */
function isMissedGoal(graded: CaseVerdict, live: CaseVerdict): boolean {
  return graded.failure?.kind === 'max_turns' && live.failure?.kind !== 'max_turns'
}

it('a conversation that is graded has the verdict of the same case played now, or cannot be judged', async () => {
  const seen = { same: 0, unknown: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(talks, changes, changes, async (talk, then, now) => {
      const live = await hold(talk, now)
      const graded = await grade(talk, then, now)
      if (graded === undefined) seen.refused += 1
      else if (graded.failure?.kind === 'judge_unknown') seen.unknown += 1
      else if (!isMissedGoal(graded, live.verdict)) {
        expect(graded).toEqual(live.verdict)
        seen.same += 1
      }
    }),
    { numRuns: 2000, seed: 7 },
  )
  expect(seen.same).toBeGreaterThan(seen.unknown)
})

it('a conversation that is graded with the case it was held with has the same verdict', async () => {
  await fc.assert(
    fc.asyncProperty(talks, changes, async (talk, change) => {
      const graded = await grade(talk, change, change)
      if (graded !== undefined) expect(graded).toEqual((await hold(talk, change)).verdict)
    }),
    { numRuns: 800, seed: 7 },
  )
})
