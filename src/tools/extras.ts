import type { Data } from '../results/transcript/message.ts'
import type { Scope } from '../scope/scope.ts'

/** What a server has besides its tools, for scripts to ask for. No model sees it. */
export interface ServerExtras {
  resources(scope: Scope): Promise<Resource[]>
  /** Throws `ConfigError` where there is no such resource, and `ToolError` when it fails. */
  readResource(uri: string, scope: Scope): Promise<{ contents: ResourceContent[] }>
  prompts(scope: Scope): Promise<Prompt[]>
  /** Throws `ConfigError` where there is no such prompt, and `ToolError` when it cannot be made of the arguments. */
  prompt(name: string, args: Data, scope: Scope): Promise<FilledPrompt>
  /** Empty for a name that has none. */
  samples(of: SampleOf, name: string): readonly Data[]
}

export type SampleOf = 'tool' | 'resource'

export interface Resource {
  /** May be a template, with `{names}` in it. */
  uri: string
  name: string
  description?: string
  mimeType?: string
}

export interface ResourceContent {
  uri: string
  mimeType?: string
  text?: string
  /** In base64, where it is no text. */
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
