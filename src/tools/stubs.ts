import { WorldError } from '../errors.ts'
import type { StandIn } from '../scope/context.ts'
import { pause } from '../scope/deadline.ts'
import { shorten } from '../shorten.ts'
import { isToolName } from '../tool-name.ts'
import { ToolError } from './tool.ts'

/** What a tool says instead of being called. */
export interface StubAnswer {
  result?: unknown
  error?: string
  delayMs?: number
}

export interface StubRule {
  /** Whether it is for a call with these arguments. */
  matches(args: unknown): boolean
  /** The first call gets the first, the next one the next; the last one stays. */
  answers: readonly StubAnswer[]
}

/** By the name of the tool, with or without its server. The first rule that matches a call answers it. */
export type Stubs = Readonly<Record<string, readonly StubRule[]>>

/** Those of the turn, then those of the case. The first that have the tool answer for it, however it is spelt. */
export type StubLayers = readonly Stubs[]

/** Answers calls of one session in place of its tools. */
export class StubPlayer {
  readonly #played = new Map<StubRule, number>()

  /** Of a tool that is replaced. Throws `ToolError` where it is to fail. */
  async answer(stubs: StubLayers, tool: string, args: unknown, signal: AbortSignal): Promise<unknown> {
    const rules = stubsOf(stubs, tool) ?? []
    const rule = rules.find((each) => each.matches(args))
    if (rule === undefined) {
      const shown = shorten(JSON.stringify(args) ?? '', 200)
      throw new WorldError(
        'stub',
        `no stub of ${tool} is for ${shown}: add one without "when" for all other calls`,
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

/** What stands in for tools during one turn of a session. `all`: a tool without a stub must not be called. */
export function standInFor(stubs: StubLayers, player: StubPlayer, all: boolean): StandIn {
  const isStubbed = (tool: string) => stubsOf(stubs, tool) !== undefined
  return {
    replaces: (tool) => all || isStubbed(tool),
    replacesProcess: isStubbed,
    async answer(tool, args, signal) {
      if (isStubbed(tool)) return player.answer(stubs, tool, args, signal)
      throw new WorldError('stub', `${tool} was called and is not stubbed (--stub-all)`)
    },
  }
}

function stubsOf(stubs: StubLayers, tool: string): readonly StubRule[] | undefined {
  const named = stubs.flatMap((layer) => Object.entries(layer)).find(([name]) => isToolName(tool, name))
  return named?.[1]
}
