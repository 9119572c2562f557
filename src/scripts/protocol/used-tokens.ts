/** Reported when an agent says which tokens it has used. */
export interface UsedTokensEvent {
  type: 'used_tokens'
  usage: object
}

export function isUsedTokens(event: unknown): event is UsedTokensEvent {
  return typeof event === 'object' && event !== null && 'type' in event && event.type === 'used_tokens'
}

/** The usage of one call of a model, as its API or the AI SDK reports it, with the name of the model. */
export type ReportUsage = (usage: (NamedModel & object) | (NamedModel & Record<string, unknown>)) => void

interface NamedModel {
  /** Its price is looked up in `prices` of the config, and then in viva's own list. */
  readonly model?: string | undefined
  /** In US dollars, where it is known. */
  readonly cost?: number | undefined
}
