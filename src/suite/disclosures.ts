import type { Disclosure } from '../scope/context.ts'

/** For the authors of suites. */
type SuiteDisclosure = Required<Disclosure>

export const suiteDisclosure: SuiteDisclosure = {
  tools:
    'wrap them where the agent begins: const tools = context.tools({ lookUp, createOrder }), or return agentReply(output, { toolCalls })',
  usage: 'let the agent return agentReply(output, { usage: { model, inputTokens, outputTokens } })',
}

/** Of agents whose code is not called with a context. */
const own = new WeakMap<object, SuiteDisclosure>()

export function withDisclosure<Agent extends object>(agent: Agent, disclosure: SuiteDisclosure): Agent {
  own.set(agent, disclosure)
  return agent
}

export function findDisclosure(agent: object): SuiteDisclosure {
  return own.get(agent) ?? suiteDisclosure
}
