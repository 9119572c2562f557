import { columns, type Topic } from './topic.ts'

export const environmentTopic: Topic = {
  name: 'environment',
  aliases: ['env', 'variables'],
  about: 'Environment variables that viva reads',
  page: 'docs/agents.md',
  lines: () => [
    ...columns([
      ['OPENAI_API_KEY', 'the key for agents and connectors given as openai:URL#model'],
      ['HTTPS_PROXY, HTTP_PROXY', 'the proxy for https:// and for http:// URLs'],
      ['NO_PROXY', 'hosts that are reached without the proxy'],
      ['NO_COLOR, FORCE_COLOR', 'print without colours, or always with them'],
      ['CI', 'if set, the terminal shows no live progress'],
      ['GITHUB_ACTIONS', 'set by GitHub: output is escaped for its logs'],
      ['GITHUB_STEP_SUMMARY', 'set by GitHub: where `-r github` writes its summary'],
      ['VIVA_DEBUG', 'if set, a bug in viva is printed with its stack'],
    ]),
    '',
    'Connectors name the variables of their keys themselves: "key": "$ENV.MY_KEY".',
    'Variables can also be set in an .env file of the project or the app; the',
    'environment takes precedence. Values of variables that look like secrets are',
    'replaced in all results and reports.',
  ],
}
