import type { Connectors } from '../app/connectors.ts'
import type { Helpers } from '../assertions/helpers.ts'

/** What checks get of the project. Connectors are theirs by name: `-c` is for the agent under test. */
export function createHelpers(connectors: Connectors): Helpers {
  return {
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
