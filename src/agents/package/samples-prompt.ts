import type { Message } from '../../results/transcript/message.ts'
import type { Tool } from '../../tools/tool.ts'

/** The Yao engine shows a model at most three samples of each tool. */
const maxSamples = 3

/** A system message with the samples of the tools, if they have any. */
export function samplesPrompt(tools: readonly Tool[]): Message[] {
  const shown = tools.flatMap(({ name, description, samples = [] }) => {
    if (samples.length === 0) return []
    const lines = samples.slice(0, maxSamples).map(({ name: title, description: about, input, output }) => {
      const heading = [title, about].filter((text) => text !== undefined && text !== '').join(': ')
      const result = output === undefined ? '' : ` gives ${JSON.stringify(output)}`
      return `- ${heading === '' ? '' : `${heading}. `}${JSON.stringify(input ?? {})}${result}`
    })
    return [`### ${name}`, ...(description === undefined ? [] : [description]), ...lines].join('\n')
  })
  if (shown.length === 0) return []
  return [{ role: 'system', content: ['## How the tools are used', ...shown].join('\n\n') }]
}
