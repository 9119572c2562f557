// @ts-nocheck
import type { agent } from '@yao/runtime'

/** Before the model: what the guest wants decides how it is asked, or whether at all. */
function Create(ctx: agent.Context, messages: agent.Message[]): agent.Create {
  const said = String(messages.at(-1)?.content ?? '')
  ctx.memory.context.Set('asked', said)
  ctx.trace.Add({ said }, { label: 'Create' }).Complete()
  if (/complain|cold|awful/i.test(said))
    return { delegate: { agent_id: 'complaints', messages, options: { metadata: { from: 'barista' } } } }
  if (/in a hurry/i.test(said)) {
    return {
      messages: [{ role: 'user', content: 'What were you told?' }],
      prompt_preset: 'mode.rush',
      disable_global_prompts: true,
      temperature: 0,
    }
  }
  if (/auf deutsch/i.test(said)) return { messages: ask('What were you told?'), locale: 'de' }
  if (/only the menu/i.test(said))
    return { messages: ask('Which tools?'), mcp_servers: [{ server_id: 'menu' }] }
  if (/at the till/i.test(said)) return { messages: ask('What else do you know?'), connector: 'use::light' }
  return { metadata: { visits: ctx.memory.chat.Incr('visits') } }
}

function ask(content: string) {
  return [{ role: 'user', content }]
}

/** After the model and its tools: an order becomes data, and a doubtful guest is handed on. */
function Next(ctx: agent.Context, payload: agent.Payload): agent.Next {
  const { completion, tools, messages } = payload
  const placed = tools?.find(({ tool }) => tool === 'place')
  if (placed) {
    ctx.Send({ type: 'action', props: { name: 'print.receipt' } })
    return {
      data: {
        content: placed.result.message,
        awaiting_input: false,
        order: { ...placed.result, asked: JSON.parse(placed.arguments) },
        server: placed.server,
        visits: ctx.metadata.visits,
      },
      metadata: { took: 'order' },
    }
  }
  if (
    /Sorry, I did not get that/.test(completion?.content ?? '') &&
    /manager/i.test(ctx.memory.context.Get('asked'))
  )
    return { delegate: { agent_id: 'router', messages } }
  return null
}
