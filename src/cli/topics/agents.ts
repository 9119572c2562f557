import { columns, type Topic } from './topic.ts'

export const agentsTopic: Topic = {
  name: 'agents',
  about: 'What -n accepts: which agents can be tested',
  page: 'docs/agents.md',
  lines: () => [
    '-n names the agent under test:',
    '',
    ...columns([
      ['./agent.ts', 'a module: its default export is a function or an agent'],
      ['./agent.ts#name', 'another export of the module'],
      ['openai:URL#model', 'a server with an OpenAI-compatible chat API'],
      ['openai-responses:URL#model', "a server with OpenAI's Responses API"],
      ['http://host/chat', 'any HTTP endpoint'],
      ['a2a:https://host', 'an agent that speaks the Agent2Agent protocol'],
      ['exec:COMMAND', 'a command: one JSON line in, one JSON line out'],
      ['expense', 'a package of the app, below assistants/'],
      ['a name', 'an entry of `agents` in viva.config.*'],
    ]),
    '',
    'Without -n, viva uses the package that the input is in, or `agent` of the config.',
    'Several -n run every case against each of the agents, and compare them.',
    '`viva agents` lists the agents of a project, `viva agents --check` checks them.',
  ],
}
