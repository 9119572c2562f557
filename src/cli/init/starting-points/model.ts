import { followsInstructions, introducesItself, remembers } from '../first-cases.ts'
import {
  checkAddress,
  findModelEndpoints,
  type ModelEndpoint,
  modelQuestion,
  toConnector,
} from '../model-endpoints.ts'
import type { AgentSetup, StartingPoint } from '../starting-point.ts'

/** A model that the environment or `.env` names: by an address, or by a key. */
export const modelEndpoints: StartingPoint = {
  look: ({ env }) =>
    findModelEndpoints(env).map((endpoint) => {
      const { variable, url } = checkAddress(endpoint)
      return {
        reference: variable,
        found: `the model at ${url}, named by ${variable}`,
        question: (signal) => modelQuestion(endpoint, env, signal),
        setUp: (model) => setUpModel(endpoint, model),
      }
    }),
}

/** `openai:` reads the key of OpenAI; any other key needs a connector that names it. */
function setUpModel(endpoint: ModelEndpoint, model: string): AgentSetup {
  const { type, url, key } = endpoint
  const isReference = type === 'openai' && (key === undefined || key === 'OPENAI_API_KEY')
  return {
    config: isReference
      ? { agent: `openai:${url}#${model}` }
      : {
          agent: 'assistant',
          connectors: { main: toConnector(endpoint, model) },
          agents: { assistant: { connector: 'main' } },
        },
    target: `${model} at ${url}`,
    cases: [introducesItself(), remembers(), followsInstructions()],
    variables: key === undefined ? [] : [key],
  }
}
