// Generated from the schema by `npm run generate`. Do not edit.

import type {
  AgentAssertionInput,
  AllOfAssertionInput,
  AnyOfAssertionInput,
  AssertionInput,
  AwaitingInputAssertionInput,
  ContainsAllAssertionInput,
  ContainsAnyAssertionInput,
  ContainsAssertionInput,
  CostAssertionInput,
  EndsWithAssertionInput,
  EqualsAssertionInput,
  IcontainsAssertionInput,
  JsonPathAssertionInput,
  JsonSchemaAssertionInput,
  JudgeAssertionInput,
  LatencyAssertionInput,
  LengthAssertionInput,
  NOfAssertionInput,
  NotContainsAssertionInput,
  OptionsInput,
  RegexAssertionInput,
  ScriptAssertionInput,
  SimilarAssertionInput,
  SnapshotAssertionInput,
  StartsWithAssertionInput,
  StateAssertionInput,
  ToolCalledAssertionInput,
  ToolNotCalledAssertionInput,
  ToolOrderAssertionInput,
  ToolResultAssertionInput,
  TypeAssertionInput,
} from '../checks/assertion-type.ts'

export interface MessageInput {
  /** Who the message is from */
  role: 'system' | 'user' | 'assistant' | 'tool'
  /** Text, or a list of content parts */
  content: string | Array<ContentPartInput> | null
  /** The name of the speaker or the tool */
  name?: string | undefined
  /** An assistant's tool calls, in OpenAI's format */
  tool_calls?: Array<MessageToolCallInput> | undefined
  /** In a `tool` message: the id of the call that it answers */
  tool_call_id?: string | undefined
}

export type ContentPartInput =
  | {
      /** A text */
      type: 'text'
      /** The text */
      text: string
    }
  | {
      /** An image */
      type: 'image'
      /** A `file://` path (next to the case file, in the agent’s folder or in the app), or a URL */
      source: string
      /** The name of the file */
      name?: string | undefined
    }
  | {
      /** A sound */
      type: 'audio'
      /** A `file://` path (next to the case file, in the agent’s folder or in the app), or a URL */
      source: string
      /** The name of the file */
      name?: string | undefined
    }
  | {
      /** A file */
      type: 'file'
      /** A `file://` path (next to the case file, in the agent’s folder or in the app), or a URL */
      source: string
      /** The name of the file */
      name?: string | undefined
    }
  | {
      /** An image, in OpenAI's format */
      type: 'image_url'
      /** The image: a URL, or `{url, detail}` */
      image_url:
        | string
        | {
            /** A `file://` path (next to the case file, in the agent’s folder or in the app), or a URL */
            url: string
            /** How closely the model looks at it */
            detail?: string | undefined
          }
    }
  | {
      /** Any data */
      type: 'data'
      /** The data */
      data: unknown
    }

export interface MessageToolCallInput {
  /** The id, which the `tool` message with the result repeats */
  id: string
  /** Always `function` */
  type?: 'function' | undefined
  /** The tool and its arguments */
  function: {
    /** The name of the tool */
    name: string
    /** The arguments, as JSON text */
    arguments: string
  }
}

export interface TurnInput {
  /** The user message */
  input: string | MessageInput | Array<MessageInput> | Record<string, unknown>
  /** Shown in the reports */
  description?: string | undefined
  /** Checks on the reply of this turn */
  assert?: AssertionInput | Array<AssertionInput> | undefined
  /** The same as `assert` */
  assertions?: AssertionInput | Array<AssertionInput> | undefined
  /** The output must equal this; not checked if there is an `assert` */
  expected?: unknown
  /** Options for this turn; they override those of the case */
  options?: OptionsInput | undefined
  /** Files to send with the message */
  attachments?: Array<AttachmentInput> | undefined
  /** Stubs for this turn; they override those of the case */
  stubs?: Record<string, StubInput | Array<StubInput>> | undefined
}

export interface AttachmentInput {
  /** The kind of file */
  type: 'image' | 'audio' | 'file'
  /** A `file://` path (next to the case file, in the agent’s folder or in the app), or a URL */
  source: string
  /** The name of the file */
  name?: string | undefined
}

export interface StubInput {
  /** Applies only to calls whose arguments match, as in `tool_called` */
  when?: Record<string, unknown> | undefined
  /** What the tool returns */
  result?: unknown
  /** The tool fails with this message */
  error?: string | undefined
  /** How long the tool takes. For example: `30s`, `1m30s`, `250ms` */
  delay?: string | undefined
  /** Answers for successive calls; the last one is repeated */
  sequence?: Array<StubAnswerInput> | undefined
}

export interface StubAnswerInput {
  /** What the tool returns */
  result?: unknown
  /** The tool fails with this message */
  error?: string | undefined
  /** How long the tool takes. For example: `30s`, `1m30s`, `250ms` */
  delay?: string | undefined
}

export interface SimulatorInput {
  /** An agent, as for `-n`, or a script. The default is `--simulator`, or else `viva.simulator` */
  use?: string | undefined
  /** Who the user is */
  persona?: string | undefined
  /** What the user wants */
  goal?: string | undefined
  /** Maximum number of turns; overrides that of the case */
  max_turns?: number | undefined
  /** Everything that the user knows; if the agent asks for anything else, the user does not know it */
  facts?: unknown
  /** The first message, word for word */
  opening?: string | undefined
  /** Tools of the user to replace; `stubs` of the case are for the tools of the agent */
  stubs?: Record<string, StubInput | Array<StubInput>> | undefined
  /** Passed to the simulator */
  metadata?: Record<string, unknown> | undefined
  /** Options for the calls to the simulator; their `metadata` overrides everything else */
  options?: OptionsInput | undefined
}

export interface InteractiveInput {
  /** The same as `--interactive`, for this case */
  enabled?: boolean | undefined
  /** How long the person may take (default 5m). For example: `30s`, `1m30s`, `250ms` */
  timeout?: string | undefined
}

export interface CheckpointInput {
  /** Unique in its case */
  id: string
  /** A description for readers */
  description?: string | undefined
  /** The checkpoint is reached when a reply passes this */
  assert?: AssertionInput | Array<AssertionInput> | undefined
  /** The same as `assert` */
  assertion?: AssertionInput | Array<AssertionInput> | undefined
  /** Checkpoints that must be reached earlier, or in the same turn */
  after?: Array<string> | undefined
  /** `false`: the checkpoint is optional */
  required?: boolean | undefined
  /** `true`: the checkpoint must never be reached */
  forbidden?: boolean | undefined
}

export type ConditionInput =
  | {
      /** The conversation has had this many turns */
      type: 'after_turns'
      /** The maximum number of turns */
      turns: number
    }
  | {
      /** A field of the output has this value */
      type: 'field_equals'
      /** A dotted path or a JSONPath in the output */
      path: string
      /** The value */
      value: unknown
    }
  | {
      /** A field of the output exists and is not null */
      type: 'field_is_set'
      /** A dotted path or a JSONPath in the output */
      path: string
    }
  | {
      /** A judge answers a question about the conversation with yes */
      type: 'natural_language'
      /** A question about the conversation */
      prompt: string
      /** How confident the judge must be (default 0.7) */
      threshold?: number | undefined
      /** The connector of the judge */
      connector?: string | undefined
    }
  | {
      /** All of the conditions are met */
      type: 'and'
      /** Conditions of any kind */
      conditions: Array<ConditionInput>
    }
  | {
      /** One of the conditions is met */
      type: 'or'
      /** Conditions of any kind */
      conditions: Array<ConditionInput>
    }
  | {
      /** The condition is not met */
      type: 'not'
      /** A condition of any kind */
      condition: ConditionInput
    }
  | EqualsAssertionInput
  | ContainsAssertionInput
  | NotContainsAssertionInput
  | IcontainsAssertionInput
  | ContainsAnyAssertionInput
  | ContainsAllAssertionInput
  | StartsWithAssertionInput
  | EndsWithAssertionInput
  | RegexAssertionInput
  | SimilarAssertionInput
  | LengthAssertionInput
  | JsonPathAssertionInput
  | JsonSchemaAssertionInput
  | TypeAssertionInput
  | ToolCalledAssertionInput
  | ToolNotCalledAssertionInput
  | ToolResultAssertionInput
  | ToolOrderAssertionInput
  | AwaitingInputAssertionInput
  | LatencyAssertionInput
  | CostAssertionInput
  | StateAssertionInput
  | SnapshotAssertionInput
  | ScriptAssertionInput
  | AgentAssertionInput
  | JudgeAssertionInput
  | AllOfAssertionInput
  | AnyOfAssertionInput
  | NOfAssertionInput

/** A case as it is written in a file; docs/reference/cases.md lists its fields. */
export interface CaseInput {
  /** The JSON Schema, for editors; ignored */
  $schema?: string | undefined
  /** Unique in its file */
  id: string
  /** A readable name */
  name?: string | undefined
  /** A description for readers of the file; not printed */
  description?: string | undefined
  /** Usually left out: a case is `multi_turn` if the conversation can continue after the first reply */
  type?: 'single_turn' | 'multi_turn' | undefined
  /** Tags, by which `--tag` selects cases */
  tags?: Array<string> | undefined
  /** Skip the case; a string gives the reason */
  skip?: boolean | string | undefined
  /** The user message: text, a message, a list of messages, or any object for module agents */
  input?: string | MessageInput | Array<MessageInput> | Record<string, unknown> | undefined
  /** A list of messages; overrides `input` */
  messages?: Array<MessageInput> | undefined
  /** User messages with their checks; all of them are sent, in this order */
  turns?: Array<TurnInput> | undefined
  /** An agent or a script that plays the user */
  simulator?: SimulatorInput | undefined
  /** Ask a person for the next message */
  interactive?: InteractiveInput | undefined
  /** What to do when the agent waits for an answer and nobody answers (default `skip`) */
  on_missing_input?: 'skip' | 'fail' | 'end' | undefined
  /** Maximum number of turns (default 20, or the number of `turns` if that is larger) */
  max_turns?: number | undefined
  /** Checks on the reply; with `turns`, on the last reply */
  assert?: AssertionInput | Array<AssertionInput> | undefined
  /** The same as `assert` */
  assertions?: AssertionInput | Array<AssertionInput> | undefined
  /** The output must equal this; not checked if there is an `assert` */
  expected?: unknown
  /** Checks after the end of the conversation, on the last reply or, for some types, on all turns */
  final_assertions?: AssertionInput | Array<AssertionInput> | undefined
  /** What must happen in the conversation, in any turn */
  checkpoints?: Array<CheckpointInput> | undefined
  /** The conversation ends when any of these conditions is met */
  terminate_when?: Array<ConditionInput> | undefined
  /** The outcome when a condition in `terminate_when` is met (default `pass`) */
  on_condition_met?: 'pass' | 'fail' | undefined
  /** The outcome when the turn limit is reached first (default `fail`) */
  on_max_turns_reached?: 'pass' | 'fail' | undefined
  /**
   * The outcome when all turns were sent and no condition was met (default `fail` if one of the other
   * two is set)
   */
  on_exhausted?: 'pass' | 'fail' | undefined
  /** End the conversation at the first failed check */
  stop_on_failure?: boolean | undefined
  /** A known failure, which does not fail the run; if the case passes, the reports say so */
  expected_failure?:
    | {
        /** Why it fails; shown in the reports */
        reason: string
        /** After this day, a failure counts again */
        until?: string | undefined
      }
    | undefined
  /**
   * Agents of `viva audit` that may pass this case; for example, `refusing` if the request must be
   * refused
   */
  audit_allows?: Array<'silent' | 'echo' | 'refusing' | 'done' | 'tools-fail'> | undefined
  /** Limit for the whole case (default 5m); overrides `--timeout`. For example: `30s`, `1m30s`, `250ms` */
  timeout?: string | undefined
  /** Limit for each turn. For example: `30s`, `1m30s`, `250ms` */
  turn_timeout?: string | undefined
  /** How often a failed case is repeated at most; overrides `--retries` */
  retries?: number | undefined
  /** The user (`-u` and `--ctx` override it) */
  user?: string | undefined
  /** The user’s team (`-t` and `--ctx` override it) */
  team?: string | undefined
  /** Passed to the agent in its context */
  metadata?: Record<string, unknown> | undefined
  /** Options for every call to the agent */
  options?: OptionsInput | undefined
  /** Tools to replace, and what they return instead */
  stubs?: Record<string, StubInput | Array<StubInput>> | undefined
  /**
   * Script to call before the case, with `(ctx, case)`. What it returns is passed to `after`; if it is
   * an object, its keys become variables
   */
  before?: string | undefined
  /** Script to call after the case, whatever its result, with `(ctx, case, result, what before returned)` */
  after?: string | undefined
  /** Files to send with the message */
  attachments?: Array<AttachmentInput> | undefined
}
