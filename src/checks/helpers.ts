import type { JudgeFinding, JudgeQuestion } from '../results/judge-finding.ts'
import type { Data } from '../results/transcript/message.ts'
import type { Scope } from '../scope/scope.ts'

/**
 * What a check may ask from outside the conversation. It is given when a check is compiled; what it has and
 * has not is asked before anything runs. A check that needs more (a model, a tool, an agent) gets another pair here.
 */
export interface Helpers {
  /** Undefined when the connector can embed; else what is wrong with it. */
  embedProblem(connector: string): string | undefined
  /** A vector for each text: all of one length, none of them zero. On the judge's account. */
  embed(connector: string, texts: readonly string[], scope: Scope): Promise<readonly Vector[]>
  /** Undefined when there may be such a tool; else what is wrong. Servers are not started for the question. */
  toolProblem(tool: string): string | undefined
  /** Calls a tool of the app for real, whatever is stubbed. */
  callTool(tool: string, args: unknown, scope: Scope): Promise<unknown>
  /** Undefined when there is such a script; else what is wrong. Whether it has the function is known when it is loaded. */
  scriptProblem(reference: string): string | undefined
  /** Calls a function of a script; `args` gets the `ctx` to pass to it, in which the options are. */
  callScript(
    reference: string,
    args: (ctx: unknown) => unknown[],
    scope: Scope,
    options?: Data,
  ): Promise<unknown>
  /** Undefined when there is such a validator; else what is wrong with it, or with the connector it is given. */
  validatorProblem(use: string, connector: string | undefined): string | undefined
  /** Asks a validator about what it is shown, on the judge's account. */
  validate(use: string, shown: Data, options: Data, scope: Scope): Promise<JudgeFinding>
  /** Asks a judge, of which `validatorProblem` knows too. */
  judge(use: string, request: JudgeQuestion, scope: Scope): Promise<JudgeFinding>
  /** What the author expects of the reply, for scripts that judge it. */
  expected?: unknown
}

export type Vector = readonly number[]

/** For cases that are listed and not played, and for checks that ask for nothing. */
export const noHelpers: Helpers = {
  embedProblem: () => undefined,
  embed: () => Promise.reject(new Error('there are no helpers here')),
  toolProblem: () => undefined,
  callTool: () => Promise.reject(new Error('there are no helpers here')),
  scriptProblem: () => undefined,
  callScript: () => Promise.reject(new Error('there are no helpers here')),
  validatorProblem: () => undefined,
  validate: () => Promise.reject(new Error('there are no helpers here')),
  judge: () => Promise.reject(new Error('there are no helpers here')),
}
