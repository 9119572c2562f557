import { InfrastructureError } from '../errors.ts'
import type { StandIn } from '../scope/context.ts'
import { pause } from '../scope/deadline.ts'
import { canonicalProcessName } from '../text/process-name.ts'
import { shorten } from '../text/shorten.ts'
import { isToolName } from '../text/tool-name.ts'
import { ToolError } from './tool.ts'

/** The answer of a stub, in place of a tool call. */
export interface StubAnswer {
  result?: unknown
  error?: string
  delayMs?: number
}

export interface StubRule {
  /** As it is written, for calls that are recorded with their stubs. */
  written: unknown
  /** Whether the rule applies to a call with these arguments. */
  matches(args: unknown): boolean
  /** Given out in order; the last answer repeats. */
  answers: readonly StubAnswer[]
}

/** By the name of the tool, with or without its server. The first rule that matches a call answers it. */
export type Stubs = Readonly<Record<string, readonly StubRule[]>>

/** The stubs of the turn, then those of the case. The first layer that has the tool answers, however its name is spelt. */
export type StubLayers = readonly Stubs[]

/** Answers the calls of one session in place of its tools. */
export class StubPlayer {
  readonly #played: Map<StubRule, number>

  constructor(played: ReadonlyMap<StubRule, number> = new Map()) {
    this.#played = new Map(played)
  }

  /** A player that goes on from here, and leaves this one where it is. */
  fork(): StubPlayer {
    return new StubPlayer(this.#played)
  }

  /** Answers for a stubbed tool. Throws `ToolError` for a stub that fails. */
  async answer(
    rules: readonly StubRule[],
    tool: string,
    args: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    const rule = rules.find((each) => each.matches(args))
    if (rule === undefined) {
      const shown = shorten(JSON.stringify(args) ?? '', 200)
      throw new InfrastructureError(
        'stub',
        `no stub of ${tool} matches ${shown}: add one without "when" for all other calls`,
      )
    }
    const played = this.#played.get(rule) ?? 0
    this.#played.set(rule, played + 1)
    const { result = null, error, delayMs } = rule.answers[Math.min(played, rule.answers.length - 1)] ?? {}
    if (delayMs !== undefined) await pause(delayMs, signal)
    if (error !== undefined) throw new ToolError(error)
    return result
  }
}

/** Creates the stand-in for tools during one turn of a session. `all`: a tool without a stub must not be called. */
export function createStandIn(stubs: StubLayers, player: StubPlayer, all: boolean): StandIn {
  return {
    ...createUserStandIn(stubs, player, all),
    async answer(tool, args, signal) {
      const rules = findToolStubs(stubs, tool)
      if (rules === undefined) throw notStubbedError(tool, 'was called', tool)
      return player.answer(rules, tool, args, signal)
    },
    refuse(what) {
      if (all) throw notStubbedError(what, 'was called')
    },
  }
}

/** The same for the tools of a simulated user, whose scripts may leave the app even if no tool may be called. */
export function createUserStandIn(stubs: StubLayers, player: StubPlayer, all: boolean): StandIn {
  return {
    replaces: (tool) => all || findToolStubs(stubs, tool) !== undefined,
    async answer(tool, args, signal) {
      const rules = findToolStubs(stubs, tool)
      if (rules === undefined) throw notStubbedError(tool, 'was called by the simulated user', tool)
      return player.answer(rules, tool, args, signal)
    },
    replacesProcess: (name) => findProcessStubs(stubs, name) !== undefined,
    // A `when` matches an object of arguments, which is the first argument of a tool's process.
    answerProcess: (name, args, signal) =>
      player.answer(findProcessStubs(stubs, name) ?? [], name, args.length === 1 ? args[0] : args, signal),
    refuse() {},
  }
}

function notStubbedError(what: string, was: string, tool?: string): InfrastructureError {
  return new InfrastructureError('stub', `${what} ${was} and is not stubbed (--stub-all)`, { tool })
}

/** A process has one name, and no server that could be left out. */
function findProcessStubs(stubs: StubLayers, name: string): readonly StubRule[] | undefined {
  return stubs
    .flatMap((layer) => Object.entries(layer))
    .find(([key]) => canonicalProcessName(key) === name)?.[1]
}

function findToolStubs(stubs: StubLayers, tool: string): readonly StubRule[] | undefined {
  const named = stubs.flatMap((layer) => Object.entries(layer)).find(([name]) => isToolName(tool, name))
  return named?.[1]
}
