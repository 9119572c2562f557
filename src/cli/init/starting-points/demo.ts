import { type FirstCase, introducesItself, remembers } from '../first-cases.ts'
import type { StartingPoint } from '../starting-point.ts'

const file = 'agent.mjs'

const source = `// A PLACEHOLDER, written by viva init because it found no agent here. It uses no model, no key and no network.
// Replace it with your own agent, or name that in viva.config.ts: see \`viva test --help\` for what -n accepts.
const orders = { 1001: 'shipped', 1002: 'waiting for payment' }

export default async function answer(input, { history }) {
  const order = /order (\\d+)/i.exec(input)?.[1]
  if (order !== undefined) {
    const status = orders[order] ?? 'unknown'
    const call = { name: 'look_up_order', arguments: { id: order }, result: { status } }
    return { content: \`Order \${order} is \${status}.\`, tool_calls: [call] }
  }
  if (/my name\\?/i.test(input)) {
    const said = history.map(({ content }) => /my name is (\\w+)/i.exec(content)?.[1]).find(Boolean)
    return { content: said ? \`Your name is \${said}.\` : 'You have not told me your name.', tool_calls: [] }
  }
  return { content: 'I am a placeholder for your agent. I look up orders and remember names.', tool_calls: [] }
}
`

const looksUpOrder: FirstCase = {
  comment: 'It looks an order up, and answers with what it found.',
  case: {
    id: 'looks-up-order',
    input: 'Where is order 1001?',
    assert: [
      { type: 'tool_called', name: 'look_up_order', arguments: { id: '1001' } },
      { type: 'contains', value: 'shipped' },
    ],
  },
}

/** A folder without an agent gets one that stands in for it. */
export const demoAgent: StartingPoint = {
  isPlaceholder: true,
  look: ({ has }) =>
    has(file)
      ? []
      : [
          {
            reference: `./${file}`,
            found: `no agent: ${file} is a placeholder for yours`,
            setUp: () => ({
              config: { agent: `./${file}` },
              target: `the placeholder in ${file}`,
              cases: [introducesItself('orders placeholder'), remembers(), looksUpOrder],
              files: { [file]: source },
              notes: [
                `No agent was found: ${file} is a placeholder. It uses no model, no key and no network.`,
              ],
            }),
          },
        ],
}
