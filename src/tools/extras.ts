import type { Data } from '../results/transcript/message.ts'
import type { Scope } from '../scope/scope.ts'

/** What a server offers scripts besides its tools. Models do not see it. */
export interface ServerExtras {
  resources(scope: Scope): Promise<Resource[]>
  /** Throws `ConfigError` for an unknown resource, and `ToolError` when reading fails. */
  readResource(uri: string, scope: Scope): Promise<{ contents: ResourceContent[] }>
  prompts(scope: Scope): Promise<Prompt[]>
  /** Throws `ConfigError` for an unknown prompt, and `ToolError` when the arguments do not fit. */
  prompt(name: string, args: Data, scope: Scope): Promise<FilledPrompt>
  /** Empty for a name without samples. */
  samples(of: SampleKind, name: string): readonly Data[]
}

export type SampleKind = 'tool' | 'resource'

export interface Resource {
  /** May be a template with `{names}` in it. */
  uri: string
  name: string
  description?: string
  mimeType?: string
}

export interface ResourceContent {
  uri: string
  mimeType?: string
  text?: string
  /** Content that is not text, in base64. */
  blob?: string
}

export interface Prompt {
  name: string
  description?: string
  arguments?: PromptArgument[]
}

export interface PromptArgument {
  name: string
  description?: string
  required?: boolean
}

export interface FilledPrompt {
  description?: string
  messages: PromptMessage[]
}

export interface PromptMessage {
  role: string
  content: Data
}
