import { ConfigError } from '../../errors.ts'
import type { Package } from '../../project/app/package.ts'
import { renderPrompts } from '../../project/app/prompts.ts'
import type { Data, Message } from '../../results/transcript/message.ts'
import type { Scope } from '../../scope/scope.ts'

export interface PromptChoice {
  preset: string | undefined
  withoutGlobal: boolean
}

/** The choice of the case, which a hook may override. */
export function promptChoice({ disableGlobalPrompts }: Package, options: Data, metadata: Data): PromptChoice {
  const { __prompt_preset: preset, __disable_global_prompts: disabled } = metadata
  return {
    preset: typeof preset === 'string' && preset !== '' ? preset : undefined,
    withoutGlobal:
      typeof disabled === 'boolean'
        ? disabled
        : options.disable_global_prompts === true || disableGlobalPrompts,
  }
}

/** The prompts of the app, then those of the package, with the variables of this turn filled in. */
export function buildPrompts(
  pack: Package,
  { preset, withoutGlobal }: PromptChoice,
  scope: Pick<Scope, 'context' | 'now'>,
): Message[] {
  const { context } = scope
  const prompts = [...(withoutGlobal ? [] : pack.globalPrompts), ...presetPrompts(pack, preset)]
  const variables = {
    ASSISTANT_ID: pack.id,
    ASSISTANT_NAME: pack.translate(pack.name, context.locale),
    ASSISTANT_DESCRIPTION: pack.translate(pack.description, context.locale),
    ASSISTANT_TYPE: pack.type,
    CHAT_ID: context.sessionId,
    LOCALE: context.locale,
    REFERER: context.referer,
    CLIENT_TYPE: context.client.type,
    USER_ID: context.userId,
    TEAM_ID: context.teamId,
    TENANT_ID: context.authorized.tenant_id,
    ...context.metadata,
    ...context.placeholders,
  }
  const { env } = pack
  return renderPrompts(prompts, {
    variables,
    env,
    now: () => scope.now(),
    placeholders: context.placeholders,
  })
}

function presetPrompts(pack: Package, preset: string | undefined) {
  if (preset === undefined) return pack.prompts
  const found = pack.presets.get(preset)
  if (found !== undefined) return found
  throw new ConfigError({ code: 'unknown_preset', message: unknownPresetMessage(pack, preset) })
}

export function presetProblem(pack: Package, preset: string): string | undefined {
  return pack.presets.has(preset) ? undefined : unknownPresetMessage(pack, preset)
}

function unknownPresetMessage({ id, presets }: Package, preset: string): string {
  const known = [...presets.keys()]
  const there = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`
  return `${id} has no prompt preset "${preset}": ${there}`
}
