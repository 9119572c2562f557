import { agentsTopic } from './agents.ts'
import { assertionsTopic } from './assertions.ts'
import { casesTopic } from './cases.ts'
import { configTopic } from './config.ts'
import { environmentTopic } from './environment.ts'
import { exitCodesTopic } from './exit-codes.ts'
import { gatesTopic } from './gates.ts'
import { replayTopic } from './replay.ts'
import { reportsTopic } from './reports.ts'
import { scaleTopic } from './scale.ts'
import { simulatorsTopic } from './simulators.ts'
import { snapshotsTopic } from './snapshots.ts'
import type { Topic } from './topic.ts'

/** What `viva help` explains. */
export const topics: readonly Topic[] = [
  casesTopic,
  assertionsTopic,
  agentsTopic,
  simulatorsTopic,
  snapshotsTopic,
  gatesTopic,
  replayTopic,
  scaleTopic,
  configTopic,
  environmentTopic,
  reportsTopic,
  exitCodesTopic,
]
