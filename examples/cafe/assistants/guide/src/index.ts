// @ts-nocheck
/** Each word of the guest is a thing that a script can do. */
const things = {
  resource: (ctx) => ctx.mcp.ReadResource('menu', 'menu://drinks/latte').contents[0].text,
  resources: (ctx) => ctx.mcp.ListResources('menu').resources.map(({ uri }) => uri),
  prompt: (ctx) => ctx.mcp.GetPrompt('menu', 'recommend', { mood: 'sleepy' }).messages[0].content.text,
  sample: (ctx) => ctx.mcp.ListSamples('menu', 'tool', 'price').samples[0].input,
  tool: (ctx) => ctx.mcp.CallTool('menu', 'stock', { drink: 'latte' }),
  model: (ctx) => ctx.llm.Stream('till', 'How old are you?').content,
  agent: (ctx) => ctx.agent.Call('till', 'How much is a latte?').content,
  search: (ctx) => ctx.search.Web('coffee', { limit: 1 }).items,
  http: () => http.Get('https://weather.example/today').data,
  process: () => Process('models.stock.Find', 'latte'),
  script: (ctx) => Process('scripts.menu.Price', 'latte', ctx).price,
  memory: (ctx) => [ctx.memory.user.Incr('n'), ctx.memory.team.Incr('n'), ctx.memory.chat.Incr('n')],
  files: () => new FS('data').ReadDir('/'),
}

function Create(ctx, messages) {
  const wanted = String(messages.at(-1).content)
  if (things[wanted] === undefined) return { max_tokens: 20, max_completion_tokens: 20 }
  ctx.memory.context.Set('shown', things[wanted](ctx))
  return { messages: [{ role: 'user', content: 'Nothing, thank you' }] }
}

function Next(ctx) {
  return ctx.memory.context.Has('shown') ? { data: { shown: ctx.memory.context.Get('shown') } } : null
}
