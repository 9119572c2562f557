import type { JudgeFinding, JudgeQuestion } from '../results/judge-finding.ts'
import type { Key } from '../results/key.ts'
import type { Data } from '../results/transcript/message.ts'
import type { Scope } from '../scope/scope.ts'

/**
 * Services that checks use: models, tools, scripts, agents. A check receives them when it is compiled. For each one
 * there is a function that reports, before anything runs, whether it is available.
 */
export interface CheckHelpers {
  /** Why the connector cannot create embeddings, or undefined. */
  embedProblem(connector: string): string | undefined
  /** One vector per text: all of the same length, none of them zero. The cost counts as cost of judging. */
  embed(connector: string, texts: readonly string[], scope: Scope): Promise<readonly Vector[]>
  /** Why there is no such tool, or undefined. Does not start servers, so it may not know. */
  toolProblem(tool: string): string | undefined
  /** Calls the real tool of the agent that plays the case, even if it is stubbed. */
  callTool(tool: string, args: unknown, scope: Scope): Promise<ToolAnswer>
  /** Why there is no such script, or undefined. Whether it has the function is only known when it is loaded. */
  scriptProblem(reference: string): string | undefined
  /** Calls a function of a script; `args` receives the `ctx`, which contains the options. */
  callScript(
    reference: string,
    args: (ctx: unknown) => unknown[],
    scope: Scope,
    options?: Data,
  ): Promise<unknown>
  /** Why the validator cannot be used with this connector, or undefined. */
  validatorProblem(use: string, connector: string | undefined): string | undefined
  /** Asks a validator. The cost counts as cost of judging. */
  validate(use: string, shown: Data, options: Data, scope: Scope): Promise<JudgeFinding>
  /** Asks a judge; `validatorProblem` checks judges, too. */
  judge(use: string, request: JudgeQuestion, scope: Scope): Promise<JudgeFinding>
  /** Why there can be no snapshots, or undefined. */
  snapshotProblem?(): string | undefined
  /** Compares a text with its snapshot, or makes it the snapshot where the run may do that. */
  snapshot(question: SnapshotQuestion): SnapshotAnswer
  /** The `expected` value of the case, for scripts that judge the reply. */
  expected?: unknown
}

/** What a tool returned, or why nobody could be asked. */
export type ToolAnswer =
  | { is: 'given'; value: unknown }
  /** `disclosure`: what makes the tool calls of the agent visible, where they are hidden. */
  | { is: 'unknown'; reason: string; disclosure?: string }

export interface SnapshotQuestion {
  key: Key
  /** What it is a snapshot of, such as `turn 1, output`. */
  part: string
  text: string
  /** Replaces what may differ. */
  normalize(text: string): string
}

/** The snapshot that a text belongs to, and what is known of it. */
export type SnapshotAnswer =
  | { is: 'same' }
  | { is: 'different'; text: string; expected: string }
  /** This text is the snapshot from now on, so nothing was checked. */
  | { is: 'written'; replaces: boolean }
  | { is: 'missing'; text: string; why: string }

export type Vector = readonly number[]

/** For cases that are listed but not played, and for checks that need no services. */
export const noCheckHelpers: CheckHelpers = {
  embedProblem: () => undefined,
  embed: () => Promise.reject(new Error('there are no helpers here')),
  toolProblem: () => undefined,
  callTool: () => Promise.reject(new Error('there are no helpers here')),
  scriptProblem: () => undefined,
  callScript: () => Promise.reject(new Error('there are no helpers here')),
  validatorProblem: () => undefined,
  validate: () => Promise.reject(new Error('there are no helpers here')),
  judge: () => Promise.reject(new Error('there are no helpers here')),
  snapshot: ({ text }) => ({ is: 'missing', text, why: 'there are no snapshots here' }),
}
