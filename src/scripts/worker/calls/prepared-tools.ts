import { isRecord } from '../../../json/json.ts'
import { isFunction } from '../is-function.ts'
import type { SdkAgent } from './ai-sdk-shape.ts'
import { answering, wrapToolSet } from './wrap-tools.ts'

type PrepareCall = (args: unknown) => unknown

export function findPrepareCall({ settings }: SdkAgent): PrepareCall | undefined {
  return isRecord(settings) && isFunction(settings.prepareCall) ? settings.prepareCall : undefined
}

/** The settings of an agent that is being called. */
interface LentSettings {
  own: unknown
  wrapping: object
  calls: number
}

const lent = new WeakMap<SdkAgent, LentSettings>()

/** Calls an agent so that the tools that its `prepareCall` returns are wrapped. Its settings are the user's, and stay as they are. */
export async function withPreparedTools<T>(
  agent: SdkAgent,
  work: (agent: SdkAgent) => PromiseLike<T>,
): Promise<T> {
  const known = lent.get(agent)
  const settings = known?.wrapping === agent.settings ? known : lend(agent)
  if (settings === undefined) return await work(agent)
  // A frozen agent cannot be lent settings; a delegate of any other one might lack the private fields of its class.
  if (agent.settings !== settings.wrapping && !Reflect.set(agent, 'settings', settings.wrapping))
    return await work(Object.create(agent, { settings: { value: settings.wrapping } }))
  lent.set(agent, settings)
  settings.calls += 1
  try {
    return await work(agent)
  } finally {
    settings.calls -= 1
    if (settings.calls === 0) giveBack(agent, settings)
  }
}

function lend(agent: SdkAgent): LentSettings | undefined {
  const prepare = findPrepareCall(agent)
  if (prepare === undefined) return undefined
  const own = agent.settings as object
  const wrapping = Object.create(Object.getPrototypeOf(own), {
    ...Object.getOwnPropertyDescriptors(own),
    prepareCall: { value: wrapPrepareCall(prepare), enumerable: true },
  })
  return { own, wrapping, calls: 0 }
}

function giveBack(agent: SdkAgent, { own, wrapping }: LentSettings): void {
  // The agent may have got other settings meanwhile.
  if (agent.settings === wrapping) agent.settings = own
}

/** The tools that it returns take the place of those that the agent is called with. */
function wrapPrepareCall(prepare: PrepareCall): PrepareCall {
  return async function (this: unknown, args: unknown) {
    const prepared: unknown = await prepare.call(this, args)
    const caller = answering.getStore()
    if (!isRecord(prepared) || caller === undefined || caller.hasEnded()) return prepared
    return { ...prepared, tools: wrapToolSet(prepared.tools, caller) }
  }
}
