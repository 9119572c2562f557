import type { Connectors } from '../app/connectors.ts'
import type { Package } from '../app/package.ts'
import { renderPrompts } from '../app/prompts.ts'
import { AgentError, ConfigError } from '../errors.ts'
import type { Context } from '../scope/context.ts'
import type { Data, Message } from '../transcript/message.ts'
import { messagesOf } from '../transcript/turn.ts'
import type { Agent } from './agent.ts'

/** An agent of an app: its prompts, then the conversation, to its connector's model. */
export function packageAgent(
  pack: Package,
  connectors: Connectors,
  connectorFlag: string | undefined,
): Agent {
  const ownConnector = pack.connector
  const model = (turnConnector: unknown) => {
    const id = connectorFlag ?? (typeof turnConnector === 'string' ? turnConnector : ownConnector)
    if (id === undefined) throw new ConfigError(noConnector(pack))
    return connectors.model(id)
  }
  // What can go wrong before the first case should: the model is made once here.
  if (connectorFlag !== undefined || ownConnector !== undefined) model(undefined)
  return {
    id: pack.id,
    input: 'messages',
    history: 'given',
    tools: 'reported',
    async open({ context }) {
      return {
        async send({ input, view, options }, scope) {
          const messages = [...promptsFor(pack, context, options), ...messagesOf(view), input.message]
          return model(options.connector).generate({ messages, tools: [], settings: pack.options }, scope)
        },
        async close() {},
      }
    },
  }
}

function promptsFor(pack: Package, context: Context, options: Data): Message[] {
  const metadata = (options.metadata ?? {}) as Data
  const withoutGlobal = options.disable_global_prompts === true || metadata.__disable_global_prompts === true
  const prompts = [...(withoutGlobal ? [] : pack.globalPrompts), ...presetOf(pack, metadata.__prompt_preset)]
  return renderPrompts(prompts, {
    ASSISTANT_ID: pack.id,
    ASSISTANT_NAME: pack.name,
    ASSISTANT_DESCRIPTION: pack.description,
    ASSISTANT_TYPE: pack.type,
    CHAT_ID: context.sessionId,
    LOCALE: context.locale,
    REFERER: context.referer,
    CLIENT_TYPE: context.client.type,
    USER_ID: context.userId,
    TEAM_ID: context.teamId,
    TENANT_ID: context.authorized.tenant_id,
    ...metadata,
  })
}

function presetOf(pack: Package, preset: unknown) {
  if (typeof preset !== 'string' || preset === '') return pack.prompts
  const found = pack.presets.get(preset)
  if (found) return found
  const known = [...pack.presets.keys()].join(', ') || 'none'
  throw new AgentError(`${pack.id} has no prompt preset "${preset}" (there are: ${known})`)
}

function noConnector(pack: Package) {
  return {
    code: 'no_connector',
    message: `agent ${pack.id} has no connector`,
    hint: 'add "connector" to its package.yao, or use -c',
  }
}
