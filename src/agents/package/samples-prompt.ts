import type { Message } from '../../results/transcript/message.ts'
import type { Tool } from '../../tools/tool.ts'

/** The engine shows a model so many samples of each tool. */
const mostSamples = 3

/** How tools are used, where they bring samples of it. */
export function samplesPrompt(tools: readonly Tool[]): Message[] {
  const shown = tools.flatMap(({ name, description, samples = [] }) => {
    if (samples.length === 0) return []
    const lines = samples.slice(0, mostSamples).map(({ name: title, description: about, input, output }) => {
      const heading = [title, about].filter((text) => text !== undefined && text !== '').join(': ')
      const result = output === undefined ? '' : ` gives ${JSON.stringify(output)}`
      return `- ${heading === '' ? '' : `${heading}. `}${JSON.stringify(input ?? {})}${result}`
    })
    return [`### ${name}`, ...(description === undefined ? [] : [description]), ...lines].join('\n')
  })
  if (shown.length === 0) return []
  return [{ role: 'system', content: ['## How the tools are used', ...shown].join('\n\n') }]
}
