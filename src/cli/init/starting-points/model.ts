import { ConfigError } from '../../../errors.ts'
import { redactUrl } from '../../../models/network/address.ts'
import { followsInstructions, introducesItself, remembers } from '../first-cases.ts'
import { findModelEndpoints, type ModelEndpoint, modelQuestion, toConnector } from '../model-endpoints.ts'
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

/** What is written must hold no password. */
function checkAddress(endpoint: ModelEndpoint): ModelEndpoint {
  const { variable, url } = endpoint
  const fault = (message: string, hint: string) =>
    new ConfigError({ code: 'bad_environment', message: `${variable}: ${message}`, hint })
  if (!URL.canParse(url) || !/^https?:/.test(url)) throw fault('not a URL', 'write http://host:port/v1')
  const { username, password, search } = new URL(url)
  if (username === '' && password === '' && search === '') return endpoint
  throw fault(
    `the address ${redactUrl(new URL(url))} has credentials, which would be written into the config`,
    'name the key in OPENAI_API_KEY',
  )
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
