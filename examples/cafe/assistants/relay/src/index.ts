// @ts-nocheck
/** A hook that asks an agent with a hook, as deep as it is told. */
export function Create(ctx, messages) {
  const depth = Number(messages.at(-1).content)
  if (depth <= 1) return
  const { content, error } = ctx.agent.Call('relay', [{ role: 'user', content: String(depth - 1) }])
  if (error) throw new Error(error)
  ctx.memory.context.Set('below', content)
}

export function Next(ctx, { messages }) {
  const below = ctx.memory.context.Get('below')
  return { data: below === null ? 'ground' : `${below} < ${messages.at(-1).content}` }
}
