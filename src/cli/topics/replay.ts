import type { Layer } from '../../scope/tape.ts'
import { columns, type Topic } from './topic.ts'

const aboutLayers = {
  agent: 'the agent under test, with its model and its hooks',
  model: 'the model of the agent, where viva calls it',
  tools: 'MCP servers, and HTTP requests of scripts',
  simulator: 'simulated users',
  judge: 'judges, validators and natural-language conditions',
  generator: 'generators of cases',
  script: 'script checks, before and after',
} as const satisfies Record<Layer, string>

export const replayTopic: Topic = {
  name: 'replay',
  aliases: ['record', 'recordings'],
  about: 'Runs without network or cost: record once, replay, grade, branch',
  page: 'docs/replay.md',
  lines: () => [
    'Keep every call of a run, and answer the same calls from the file:',
    '',
    '  viva test tests/ --record calls.recording',
    '  viva test tests/ --replay calls.recording',
    '',
    'A call that was not recorded is an infrastructure error (exit code 3), which',
    'shows the nearest recorded call and the difference. --replay-missing live makes',
    'the call and adds it. --live makes all calls of a layer again:',
    '',
    ...columns(Object.entries(aboutLayers)),
    '',
    'Replayed results say nothing new about the agent: they count in no pass rate,',
    'gate, baseline or history. `viva recording list` shows what a file contains.',
    '',
    'From a results file alone, without a recording:',
    '',
    ...columns([
      ['viva grade', 'other checks and judges for the same conversations'],
      ['viva mutate', 'how many damaged replies the checks notice'],
      ['viva branch', 'a conversation that goes on from one of its turns'],
      ['viva shrink', 'the smallest case that fails in the same way'],
    ]),
  ],
}
