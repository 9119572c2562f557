// @ts-nocheck
/** Neither prompts nor tools: no model is asked. */
export function Next(ctx, { messages, completion }) {
  const complaint = messages.at(-1).content
  const answer = ctx.SendStream('We are sorry')
  ctx.Append(answer, ' to hear that.')
  ctx.End(answer)
  if (/quietly/.test(complaint)) return null
  return { data: { apology: 'We are sorry.', complaint, from: ctx.metadata.from ?? 'nobody', completion } }
}
