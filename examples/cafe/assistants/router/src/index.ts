// @ts-nocheck
export function Create(ctx, messages) {
  const said = String(messages.at(-1).content)
  if (/for ever/.test(said)) return { delegate: { agent_id: 'router', messages } }
  return { delegate: { agent_id: /price|how much/i.test(said) ? 'till' : 'complaints', messages } }
}
