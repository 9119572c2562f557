/** A model of a barista, without a network: it reads the conversation and says, or calls, what comes next. */

interface Message {
  role: string
  content: string
}

interface Request {
  messages: Message[]
  tools: { function: { name: string } }[]
}

export default function barista({ messages, tools }: Request) {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  const last = messages.at(-1)
  const said = last?.content ?? ''
  if (last?.role === 'tool') return { reply: `Done: ${said}` }
  if (/what were you told/i.test(said)) return { reply: system.join(' | ') }
  if (/which tools/i.test(said))
    return { reply: tools.map((tool) => tool.function.name).join(', ') || 'none' }
  if (/\b(hi|hello)\b/i.test(said)) return { reply: 'Welcome to the café! What would you like to drink?' }
  if (/what do you have/i.test(said)) return { tool_calls: [{ name: 'menu__list', arguments: {} }] }
  if (/\blatte|espresso|flat white\b/i.test(said) && !/small|large/i.test(said))
    return { reply: `One ${drinkIn(said)}. Which size would you like, small or large?` }
  if (/\b(small|large)\b/i.test(said)) {
    const size = /large/i.test(said) ? 'large' : 'small'
    return { reply: `A ${size} one. Shall I place the order? Please confirm.` }
  }
  if (/\b(yes|confirm)/i.test(said)) {
    const wanted = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
    const order = {
      drink: drinkIn(wanted.join(' ')),
      size: /large/i.test(wanted.join(' ')) ? 'large' : 'small',
    }
    return { tool_calls: [{ name: 'agents_barista_orders__place', arguments: order }] }
  }
  return { reply: 'Sorry, I did not get that. What would you like to drink?' }
}

function drinkIn(text: string): string {
  return /latte|espresso|flat white/i.exec(text)?.[0].toLowerCase() ?? 'coffee'
}
