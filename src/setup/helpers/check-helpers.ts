import { askJudge } from '../../agents/helpers/judge.ts'
import { askValidator, validatorRequest } from '../../agents/helpers/validator.ts'
import type { AgentLookup } from '../../cases/speakers.ts'
import type { CheckHelpers } from '../../checks/check-helpers.ts'
import type { Connectors } from '../../project/app/connectors.ts'
import type { SnapshotStore } from '../snapshots/snapshot-store.ts'

/** What checks get of the project. Connectors are theirs by name: `-c` is for the agent under test. */
export function createCheckHelpers(
  connectors: Connectors,
  calls: Pick<CheckHelpers, 'scriptProblem' | 'callScript' | 'toolProblem' | 'callTool'>,
  validators: AgentLookup,
  snapshots: SnapshotStore,
): CheckHelpers {
  return {
    ...calls,
    snapshot: (question) => snapshots.ask(question),
    validatorProblem: validators.problem,
    validate: async (use, shown, options, scope) =>
      askValidator(await validators.agent(use), validatorRequest(shown, options), scope),
    judge: async (use, request, scope) => askJudge(await validators.agent(use), request, scope),
    embedProblem: (id) =>
      connectors.problem(id) ?? (connectors.model(id).embed ? undefined : noEmbeddings(id)),
    async embed(id, texts, scope) {
      const { embed } = connectors.model(id)
      if (embed === undefined) throw new Error(noEmbeddings(id))
      return embed(texts, scope.child('judge'))
    },
  }
}

function noEmbeddings(id: string): string {
  return `connector ${id} gives no embeddings; one of type openai does, and a scripted one with \`embeddings\``
}
