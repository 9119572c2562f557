import { describe, expect, it } from 'vitest'
import { findExportedAgents } from './exported-agents.ts'

const find = (text: string) => findExportedAgents('agent.ts', text)

describe('agents of the AI SDK in a source', () => {
  it('exports are found in every form, with their instructions and tools', () => {
    expect(
      find(`import { ToolLoopAgent, Experimental_Agent as Old, tool } from 'ai'
const tools = { 'look-up': tool({ description: 'Finds it' }), other }
const desk = new ToolLoopAgent({ model, instructions: \`You are
brief.\`, tools })
export { desk as reception }
export const hidden: Agent = new ToolLoopAgent(settings)
export default desk
`),
    ).toEqual([
      {
        name: 'reception',
        kind: 'agent',
        instructions: 'You are\nbrief.',
        tools: [{ name: 'look-up', description: 'Finds it' }, { name: 'other' }],
      },
      { name: 'hidden', kind: 'agent', tools: [] },
      expect.objectContaining({ name: 'default', kind: 'agent' }),
    ])
  })

  it('models are found, and embeddings are none', () => {
    expect(
      find(`import { openai, createOpenAI } from '@ai-sdk/openai'
const provider = createOpenAI({})
export const model = openai('gpt-5')
export const chat = provider.chat('m')
export const vectors = openai.textEmbeddingModel('e')
export { provider }
`).map(({ name, kind }) => [name, kind]),
    ).toEqual([
      ['model', 'model'],
      ['chat', 'model'],
    ])
  })

  it('agents that are not exported, or of another package, are not found', () => {
    expect(find("import { ToolLoopAgent } from 'ai'\nconst agent = new ToolLoopAgent({})\n")).toEqual([])
    expect(
      find("import { Agent } from './mine'\nimport { tool } from 'ai'\nexport default new Agent({})\n"),
    ).toEqual([])
    expect(find('// import { ToolLoopAgent } from "ai"\nexport const broken = {{{\n')).toEqual([])
  })
})
