import { ConfigError } from '../../errors.ts'
import { placeholdersIn } from '../../json/template.ts'
import { findSecrets, redactUrl } from '../../models/network/address.ts'
import type { Network } from '../../models/network/network.ts'
import { awaitedConnection } from '../../models/network/proxy-errors.ts'
import { type AgentPrices, type Prices, priceReply } from '../../models/prices.ts'
import type { Faults } from '../../project/config-schema.ts'
import { type HttpAgentConfig, isHttpUrl } from '../../project/http-agent-schema.ts'
import type { Environment } from '../../system/environment.ts'
import { type Agent, plainSession } from '../agent.ts'
import type { AgentSources } from '../resolved.ts'
import { readEnvironment } from './environment.ts'
import { formatProtocol } from './http-formatted.ts'
import { mappedProtocol } from './http-mapped.ts'
import { type Misfit, visibleToServer } from './http-request.ts'
import { classifyStatusError } from './status-fault.ts'
import { retryIfUndelivered } from './unless-heard.ts'

export interface AgentSurroundings {
  network: Network
  env: Environment
  faults?: Faults | undefined
  prices?: Prices | undefined
  /** Its name in the config, where its id is another one. */
  configured?: string | undefined
}

export function agentSurroundings({
  network,
  project,
  configured,
}: Pick<AgentSources, 'network' | 'project'> & { configured?: string | undefined }): AgentSurroundings {
  const { faults, prices } = project.config
  return { network, env: project.env, faults, prices, configured }
}

/** `-n http://…` or an entry of the config: an HTTP agent whose requests and answers follow a mapping or a format. */
export function httpAgent(
  id: string,
  config: HttpAgentConfig,
  { network, env, faults, prices, configured }: AgentSurroundings,
): { agent: Agent; secrets: string[] } {
  const { headers, request, body } = config
  const environment = readEnvironment(id, placeholdersIn([config.url, headers, request, body]), env)
  const url = fillAddress(id, config.url, environment)
  const endpoint = { config: { ...config, url }, environment, network }
  const { history, tools, disclosure, open } =
    config.format === undefined
      ? mappedProtocol(endpoint, faults)
      : formatProtocol(config.format, endpoint, faults)
  const priced: AgentPrices = { own: prices, names: [id, ...(configured === undefined ? [] : [configured])] }
  const agent: Agent = {
    id,
    input: 'any',
    history,
    tools,
    disclosure,
    async open({ context }) {
      const { prepare, effects } = open(context)
      return plainSession(async (turn, scope) => {
        const { request, shown, send, misfit } = prepare(turn)
        return scope.exchange({
          target: redactUrl(shown.url),
          endpoint: id,
          request: { method: request.method, url: redactUrl(shown.url), body: shown.body },
          perform: ({ signal }, own) =>
            send(signal, own).then(
              (reply) => priceReply(reply, priced),
              (error: unknown) => {
                const blamed = classifyStatusError(error, faults)
                throw history === 'kept' ? retryIfUndelivered(blamed) : blamed
              },
            ),
          sees: () => visibleToServer(config, turn, context),
          attached: [
            turn.input.message,
            turn.view.history,
            turn.view.turns.map(({ input }) => input.message),
          ],
          continues: history === 'kept' ? id : undefined,
          ...(effects === undefined ? {} : { effects }),
          usage: (reply) => reply.usage,
          overdue: () => misfit?.()?.problem,
          heldUpBy: () => awaitedConnection(request) ?? describeFinalMisfit(misfit?.()),
        })
      })
    },
  }
  return { agent, secrets: [...environment.values(), ...listUrlSecrets(url)] }
}

/** What is awaited where the other side speaks another protocol. */
function describeFinalMisfit(misfit: Misfit | undefined): string | undefined {
  return misfit?.isFinal ? `an answer in its format: ${misfit.problem}` : undefined
}

/** Environment variables are filled in now, values of the conversation with each request. */
function fillAddress(id: string, url: string, environment: Map<string, string>): string {
  const address = url.replace(
    /\{\{\s*env\.([^{}]*?)\s*\}\}/g,
    (_, name: string) => environment.get(name) ?? '',
  )
  if (isHttpUrl(address)) return address
  const message = `agent ${id}: url must be an http:// or https:// URL`
  const hint = `with the current environment variables, ${url} is not one`
  throw new ConfigError({ code: 'bad_agent', message, hint })
}

/** Placeholders that are filled in later come from the conversation and are not secret. */
function listUrlSecrets(address: string): string[] {
  if (!URL.canParse(address)) return []
  return findSecrets(new URL(address)).filter((secret) => placeholdersIn(secret).length === 0)
}
