// Generated from the schema by `npm run generate`. Do not edit.

export type AssertionInput =
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

/**
 * The output equals the value. The comparison is deep and ignores the order of keys. If the value is
 * not a string, JSON is first extracted from a text reply.
 */
export interface EqualsAssertionInput {
  /**
   * The output equals the value. The comparison is deep and ignores the order of keys. If the value is
   * not a string, JSON is first extracted from a text reply.
   */
  type: 'equals'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** Any value. */
  value: unknown
}

/**
 * The output contains the value. If the output is data, a string is searched for in every string and
 * key, and any other value must equal a member at any depth.
 */
export interface ContainsAssertionInput {
  /**
   * The output contains the value. If the output is data, a string is searched for in every string and
   * key, and any other value must equal a member at any depth.
   */
  type: 'contains'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** Text, or any value. */
  value: unknown
}

/** The output does not contain the value, as defined for `contains`. */
export interface NotContainsAssertionInput {
  /** The output does not contain the value, as defined for `contains`. */
  type: 'not_contains'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** Text, or any value. */
  value: unknown
}

/** The output contains the text, ignoring case; otherwise as defined for `contains`. */
export interface IcontainsAssertionInput {
  /** The output contains the text, ignoring case; otherwise as defined for `contains`. */
  type: 'icontains'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The text. */
  value: string
}

/** The output contains at least one of the values, as defined for `contains`. */
export interface ContainsAnyAssertionInput {
  /** The output contains at least one of the values, as defined for `contains`. */
  type: 'contains_any'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** A list of texts, or of any values. */
  value: Array<unknown>
  /** `true`: ignore case. */
  ignore_case?: boolean | undefined
}

/** The output contains all of the values, as defined for `contains`. */
export interface ContainsAllAssertionInput {
  /** The output contains all of the values, as defined for `contains`. */
  type: 'contains_all'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** A list of texts, or of any values. */
  value: Array<unknown>
  /** `true`: ignore case. */
  ignore_case?: boolean | undefined
}

/** The output, or its compact JSON, starts with the text. Leading white space is significant. */
export interface StartsWithAssertionInput {
  /** The output, or its compact JSON, starts with the text. Leading white space is significant. */
  type: 'starts_with'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The text. */
  value: string
  /** `true`: ignore case. */
  ignore_case?: boolean | undefined
}

/** The output, or its compact JSON, ends with the text. Trailing white space is significant. */
export interface EndsWithAssertionInput {
  /** The output, or its compact JSON, ends with the text. Trailing white space is significant. */
  type: 'ends_with'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The text. */
  value: string
  /** `true`: ignore case. */
  ignore_case?: boolean | undefined
}

/**
 * A regular expression in RE2 syntax (as in Go; `(?i)` works) matches somewhere in the output or its
 * compact JSON.
 */
export interface RegexAssertionInput {
  /**
   * A regular expression in RE2 syntax (as in Go; `(?i)` works) matches somewhere in the output or its
   * compact JSON.
   */
  type: 'regex'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The regular expression. */
  pattern?: string | undefined
  /** The same as `pattern`. */
  value?: string | undefined
}

/**
 * The similarity of the output to the text, from 0 to 1, is at least `threshold`. `edit`: 1 minus the
 * edit distance divided by the length of the longer text. `tokens`: the F1 score of the words that
 * both texts contain, ignoring order and case. `embedding`: the cosine similarity of their embeddings,
 * which come from a connector; negative values count as 0, and so does an empty output.
 */
export interface SimilarAssertionInput {
  /**
   * The similarity of the output to the text, from 0 to 1, is at least `threshold`. `edit`: 1 minus the
   * edit distance divided by the length of the longer text. `tokens`: the F1 score of the words that
   * both texts contain, ignoring order and case. `embedding`: the cosine similarity of their embeddings,
   * which come from a connector; negative values count as 0, and so does an empty output.
   */
  type: 'similar'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The text, or a list of texts, of which the most similar counts. */
  value: string | Array<string>
  /** How the similarity is measured (default `edit`). */
  method?: 'edit' | 'tokens' | 'embedding' | undefined
  /** The connector that provides the embeddings: of type `openai` with an embedding model, or `scripted`. */
  connector?: string | undefined
  /** The lowest similarity that passes (default 0.8). */
  threshold?: number | undefined
}

/**
 * The length of the output is within the limits. It is counted in characters (Unicode code points of
 * the text or the compact JSON), in words (as Unicode defines them) or in items (of an array, or the
 * keys of an object; JSON is first extracted from a text reply).
 */
export interface LengthAssertionInput {
  /**
   * The length of the output is within the limits. It is counted in characters (Unicode code points of
   * the text or the compact JSON), in words (as Unicode defines them) or in items (of an array, or the
   * keys of an object; JSON is first extracted from a text reply).
   */
  type: 'length'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** At least this many. */
  min?: number | undefined
  /** At most this many. */
  max?: number | undefined
  /** Exactly this many. */
  equals?: number | undefined
  /** The same as `equals`. */
  value?: number | undefined
  /** What is counted. The default is `items` for an array and `characters` for everything else. */
  unit?: 'characters' | 'words' | 'items' | undefined
}

/**
 * The value at a dotted path or JSONPath (RFC 9535) in the JSON of the reply equals `value` or, if
 * `value` is an array, one of its items. A final assertion also looks in tool results, newest first,
 * then in the variables that scripts have set. If the reply, or a fenced code block in it, is
 * malformed JSON (a trailing comma, single quotes, truncated…), it is repaired first, and the reason
 * says so.
 */
export interface JsonPathAssertionInput {
  /**
   * The value at a dotted path or JSONPath (RFC 9535) in the JSON of the reply equals `value` or, if
   * `value` is an array, one of its items. A final assertion also looks in tool results, newest first,
   * then in the variables that scripts have set. If the reply, or a fenced code block in it, is
   * malformed JSON (a trailing comma, single quotes, truncated…), it is repaired first, and the reason
   * says so.
   */
  type: 'json_path'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** A dotted path or a JSONPath; the leading `$.` may be left out. */
  path: string
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The expected value. */
  value?: unknown
  /** Instead of a value: whether the path must exist. */
  exists?: boolean | undefined
}

/**
 * The JSON of the output is valid against the JSON Schema (2020-12; draft-07 syntax is accepted too).
 * Formats are checked, patterns use RE2 syntax, and references must stay inside the schema. Malformed
 * JSON is repaired first, as for `json_path`.
 */
export interface JsonSchemaAssertionInput {
  /**
   * The JSON of the output is valid against the JSON Schema (2020-12; draft-07 syntax is accepted too).
   * Formats are checked, patterns use RE2 syntax, and references must stay inside the schema. Malformed
   * JSON is repaired first, as for `json_path`.
   */
  type: 'json_schema'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The schema. */
  value: Record<string, unknown> | boolean
}

/**
 * The output, or the part at `path`, has this JSON type. If a text reply contains JSON, the assertion
 * passes for the type of this JSON as well as for `string`.
 */
export interface TypeAssertionInput {
  /**
   * The output, or the part at `path`, has this JSON type. If a text reply contains JSON, the assertion
   * passes for the type of this JSON as well as for `string`.
   */
  type: 'type'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The name of the type. */
  value: 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null'
}

/**
 * A tool was called with arguments that contain the expected ones. Instead of a value, an expected
 * argument can be a matcher: `{"$regex": …}`, `{"$any": true}`, `{"$gt": n}`, `$gte`, `$lt` or `$lte`.
 */
export interface ToolCalledAssertionInput {
  /**
   * A tool was called with arguments that contain the expected ones. Instead of a value, an expected
   * argument can be a matcher: `{"$regex": …}`, `{"$any": true}`, `{"$gt": n}`, `$gte`, `$lt` or `$lte`.
   */
  type: 'tool_called'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The name of the tool, with or without its server. */
  name?: string | undefined
  /** What the arguments must contain. */
  arguments?: Record<string, unknown> | undefined
  /** The same as `arguments`. */
  args?: Record<string, unknown> | undefined
  /** Instead of `name`: a name, a call with its arguments, or a list of alternatives. */
  value?:
    | string
    | {
        /** The name of the tool, with or without its server. */
        name: string
        /** What the arguments must contain. */
        arguments?: Record<string, unknown> | undefined
        /** The same as `arguments`. */
        args?: Record<string, unknown> | undefined
      }
    | Array<
        | string
        | {
            /** The name of the tool, with or without its server. */
            name: string
            /** What the arguments must contain. */
            arguments?: Record<string, unknown> | undefined
            /** The same as `arguments`. */
            args?: Record<string, unknown> | undefined
          }
      >
    | undefined
  /** Whose calls: those of the `agent` (default), or those of the simulated `user`. */
  by?: 'agent' | 'user' | undefined
}

/**
 * The tool was not called, or not with these arguments; for a list, none of the tools was called. If
 * the agent hides its tools, the result is `unknown`, which does not pass.
 */
export interface ToolNotCalledAssertionInput {
  /**
   * The tool was not called, or not with these arguments; for a list, none of the tools was called. If
   * the agent hides its tools, the result is `unknown`, which does not pass.
   */
  type: 'tool_not_called'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The name of the tool, with or without its server. */
  name?: string | undefined
  /** What the arguments must contain. */
  arguments?: Record<string, unknown> | undefined
  /** The same as `arguments`. */
  args?: Record<string, unknown> | undefined
  /** Instead of `name`: a name, a call with its arguments, or a list of alternatives. */
  value?:
    | string
    | {
        /** The name of the tool, with or without its server. */
        name: string
        /** What the arguments must contain. */
        arguments?: Record<string, unknown> | undefined
        /** The same as `arguments`. */
        args?: Record<string, unknown> | undefined
      }
    | Array<
        | string
        | {
            /** The name of the tool, with or without its server. */
            name: string
            /** What the arguments must contain. */
            arguments?: Record<string, unknown> | undefined
            /** The same as `arguments`. */
            args?: Record<string, unknown> | undefined
          }
      >
    | undefined
  /** Whose calls: those of the `agent` (default), or those of the simulated `user`. */
  by?: 'agent' | 'user' | undefined
}

/** At least one call of the tool returned this result. Matchers work as in `tool_called`. */
export interface ToolResultAssertionInput {
  /** At least one call of the tool returned this result. Matchers work as in `tool_called`. */
  type: 'tool_result'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks this part of the result: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The name of the tool, with or without its server. */
  name?: string | undefined
  /** Consider only calls whose arguments contain these. */
  arguments?: Record<string, unknown> | undefined
  /** The same as `arguments`. */
  args?: Record<string, unknown> | undefined
  /**
   * The expected result; objects may have more keys, and matchers can be used. Without `name`, the form
   * that Yao uses: `{"tool": …, "result": …}`, where a string `"regex:…"` is a pattern, and the call
   * must not have failed.
   */
  value?: unknown
  /** What the result must contain, as defined for `contains`. */
  contains?: unknown
  /** Whether there must be a result or, with `path`, whether the path must exist. */
  exists?: boolean | undefined
  /** Whether the call must have failed. */
  error?: boolean | undefined
  /** Whose calls: those of the `agent` (default), or those of the simulated `user`. */
  by?: 'agent' | 'user' | undefined
}

/**
 * All tool calls of the conversation together match the expected calls. `strict`: exactly these, in
 * this order. `unordered`: exactly these, in any order. `subset`: no calls other than these.
 * `superset`: all of these, and possibly others. Each expected call is paired with at most one actual
 * call, and the best pairing counts. Matchers work as in `tool_called`.
 */
export interface ToolOrderAssertionInput {
  /**
   * All tool calls of the conversation together match the expected calls. `strict`: exactly these, in
   * this order. `unordered`: exactly these, in any order. `subset`: no calls other than these.
   * `superset`: all of these, and possibly others. Each expected call is paired with at most one actual
   * call, and the best pairing counts. Matchers work as in `tool_called`.
   */
  type: 'tool_order'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The expected calls: names, or `{"name", "arguments"}`. */
  value: Array<
    | string
    | {
        /** The name of the tool, with or without its server. */
        name: string
        /** What the arguments must contain. */
        arguments?: Record<string, unknown> | undefined
        /** The same as `arguments`. */
        args?: Record<string, unknown> | undefined
      }
  >
  /** How they are compared (default `strict`). */
  mode?: 'strict' | 'unordered' | 'subset' | 'superset' | undefined
  /** With `subset` or `superset`: the paired calls must be in the same order. */
  in_order?: boolean | undefined
  /** Whose calls: those of the `agent` (default), or those of the simulated `user`. */
  by?: 'agent' | 'user' | undefined
}

/**
 * The agent waits for an answer after its reply (or, with `"value": false`, does not wait). A final
 * assertion checks the last reply.
 */
export interface AwaitingInputAssertionInput {
  /**
   * The agent waits for an answer after its reply (or, with `"value": false`, does not wait). A final
   * assertion checks the last reply.
   */
  type: 'awaiting_input'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** Whether it waits (default `true`). */
  value?: boolean | undefined
}

/**
 * The reply came within this time, including the time of its tools. As a final assertion: every reply
 * came within this time.
 */
export interface LatencyAssertionInput {
  /**
   * The reply came within this time, including the time of its tools. As a final assertion: every reply
   * came within this time.
   */
  type: 'latency'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The maximum time, as a Go duration: `2s`, `1m30s`, `250ms`. */
  max: string
}

/**
 * The reply cost at most this much, including tools; as a final assertion, all replies together.
 * Simulators and judges are not included. The result is `unknown` if a price is unknown.
 */
export interface CostAssertionInput {
  /**
   * The reply cost at most this much, including tools; as a final assertion, all replies together.
   * Simulators and judges are not included. The result is `unknown` if a price is unknown.
   */
  type: 'cost'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The maximum cost, in US dollars. */
  max: number
}

/**
 * A tool, or a function of a script, returns the expected value. The check calls it itself, to find
 * out what was really done, whatever the agent says. The real tool is called, even if it is stubbed.
 * The result is `unknown` if the agent runs its tools itself, so that viva cannot ask them, and with
 * `viva grade`: results files do not contain the state of tools.
 */
export interface StateAssertionInput {
  /**
   * A tool, or a function of a script, returns the expected value. The check calls it itself, to find
   * out what was really done, whatever the agent says. The real tool is called, even if it is stubbed.
   * The result is `unknown` if the agent runs its tools itself, so that viva cannot ask them, and with
   * `viva grade`: results files do not contain the state of tools.
   */
  type: 'state'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** The part of the result to check: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /**
   * The tool of an MCP server or of an AI SDK agent, a function that the module of the agent exports (as
   * `tool`), or the function of a script. No tools of other agents are called.
   */
  call: {
    /** The tool, with or without its server */
    tool?: string | undefined
    /** The arguments of the tool */
    arguments?: Record<string, unknown> | undefined
    /** A function of a script, in place of a tool */
    script?: string | undefined
    /** The arguments of the function */
    args?: Array<unknown> | undefined
  }
  /** The expected value. If it is a list and the actual value is not, one of its items must be equal. */
  value?: unknown
  /** Whether `path` must exist. */
  exists?: boolean | undefined
}

/**
 * It is the same as in the snapshot, which the first run writes to a file beside the case file. A
 * change fails the case until `--update-snapshots` accepts it. In CI, nothing is written without that
 * flag.
 */
export interface SnapshotAssertionInput {
  /**
   * It is the same as in the snapshot, which the first run writes to a file beside the case file. A
   * change fails the case until `--update-snapshots` accepts it. In CI, nothing is written without that
   * flag.
   */
  type: 'snapshot'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** What is compared: the `output` (default), the `tool_calls`, or the whole `conversation`. */
  of?: 'output' | 'tool_calls' | 'conversation' | undefined
  /** A name for the snapshot, if its place is not enough. */
  name?: string | undefined
  /** What may differ: `ids`, `dates`, `numbers`, and own rules as `{"pattern": …, "as": …}`. */
  normalize?:
    | Array<
        | 'dates'
        | 'ids'
        | 'numbers'
        | {
            /** A regular expression in RE2 syntax */
            pattern: string
            /** The text that replaces every match */
            as: string
          }
      >
    | undefined
}

/**
 * Your function decides that the output is right. It is called with `(output, input, value, ctx)` and
 * returns `true`, `false` or `{pass, message}`.
 */
export interface ScriptAssertionInput {
  /**
   * Your function decides that the output is right. It is called with `(output, input, value, ctx)` and
   * returns `true`, `false` or `{pass, message}`.
   */
  type: 'script'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The function: `scripts.tests.Check`. */
  script?: string | undefined
  /** The same as `script`, in the form of other references: `scripts:tests.check`. */
  use?: string | undefined
  /** Passed to the function. The default is what the case expects. */
  value?: unknown
  /** Passed as `ctx.options`, as for a case; `metadata` is added to `ctx.metadata`. */
  options?: OptionsInput | undefined
}

export interface OptionsInput {
  /** The connector to use; for the agent under test, `-c` overrides it */
  connector?: string | undefined
  /** Steps that the agent should skip */
  skip?:
    | {
        /** The history of the conversation */
        history?: boolean | undefined
        /** The trace */
        trace?: boolean | undefined
        /** The output to the user */
        output?: boolean | undefined
        /** The extraction of keywords */
        keyword?: boolean | undefined
        /** The search */
        search?: boolean | undefined
        /** The parsing of attached content */
        content_parsing?: boolean | undefined
      }
    | undefined
  /** Leave out the app's global prompts */
  disable_global_prompts?: boolean | undefined
  /** Search settings; their format depends on the agent */
  search?: unknown
  /** The mode of the agent */
  mode?: string | undefined
  /** Passed to the agent in its context */
  metadata?: Record<string, unknown> | undefined
}

/**
 * A validator agent decides that the reply meets the criteria. It receives the reply, the conversation
 * and the criteria, and answers `{"passed": true, "reason": …}`.
 */
export interface AgentAssertionInput {
  /**
   * A validator agent decides that the reply meets the criteria. It receives the reply, the conversation
   * and the criteria, and answers `{"passed": true, "reason": …}`.
   */
  type: 'agent'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /**
   * The validator: an agent (`agents:` may be left out), or a script (`scripts:`); by default the
   * built-in `viva.validator`.
   */
  use?: string | undefined
  /** The criteria, unless they are in `options.metadata.criteria`. */
  value?: unknown
  /** Options of the call, as for a case; `metadata` is added to its parameters. */
  options?: OptionsInput | undefined
}

/**
 * A judge decides that the reply meets the criteria. It sees the conversation up to this turn with its
 * tool calls (in a final assertion, the whole conversation), gives its reason before its verdict, and
 * may say that it cannot decide, which never passes.
 */
export interface JudgeAssertionInput {
  /**
   * A judge decides that the reply meets the criteria. It sees the conversation up to this turn with its
   * tool calls (in a final assertion, the whole conversation), gives its reason before its verdict, and
   * may say that it cannot decide, which never passes.
   */
  type: 'judge'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** What must be true; every item of a list must be. */
  criteria: string | Array<string>
  /** How to score: a text, or scores with their meaning (`{"1": "…", "0.5": "…"}`). */
  rubric?: string | Record<string, string> | undefined
  /** The lowest score that passes. */
  threshold?: number | undefined
  /** How often the judge is asked (default 1). More than half of the answers must agree. */
  samples?: number | undefined
  /** The judge: an agent or a script. The default is the built-in `viva.judge`. */
  use?: string | undefined
  /** Options of the call, as for a case; `metadata` is added to its parameters. */
  options?: OptionsInput | undefined
}

/**
 * All of the assertions pass. If one fails, the group fails. If none fails but one cannot be judged,
 * the group cannot be judged either. The score is the share that passed, by weight.
 */
export interface AllOfAssertionInput {
  /**
   * All of the assertions pass. If one fails, the group fails. If none fails but one cannot be judged,
   * the group cannot be judged either. The score is the share that passed, by weight.
   */
  type: 'all_of'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The assertions, of any type. `weight` is their share of the score. */
  assertions: Array<AssertionInput>
}

/**
 * At least one of the assertions passes. If none passes but one cannot be judged, the group cannot be
 * judged either. The score is the share that passed, by weight.
 */
export interface AnyOfAssertionInput {
  /**
   * At least one of the assertions passes. If none passes but one cannot be judged, the group cannot be
   * judged either. The score is the share that passed, by weight.
   */
  type: 'any_of'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** The assertions, of any type. `weight` is their share of the score. */
  assertions: Array<AssertionInput>
}

/**
 * At least `n` of the assertions pass. If this depends on assertions that cannot be judged, the group
 * cannot be judged either. The score is the share that passed, by weight.
 */
export interface NOfAssertionInput {
  /**
   * At least `n` of the assertions pass. If this depends on assertions that cannot be judged, the group
   * cannot be judged either. The score is the share that passed, by weight.
   */
  type: 'n_of'
  /**
   * Swaps passed and failed. If there is nothing to check, such as a path that does not exist, the
   * assertion fails in any case.
   */
  negate?: boolean | undefined
  /** Shown first when the assertion does not pass. */
  message?: string | undefined
  /** Checks only this part of the output: a dotted path or a JSONPath. */
  path?: string | undefined
  /** Its weight in the reported score; the assertion must pass, whatever its weight. */
  weight?: number | undefined
  /** `false`: the result is recorded, but does not fail the case. */
  gates?: boolean | undefined
  /** Checks only this turn, counted from 1. */
  turn?: number | undefined
  /** Checks every turn, of which `any` or `all` must pass, or only the `last` turn. */
  scope?: 'any' | 'all' | 'last' | undefined
  /** How many must pass. */
  n: number
  /** The assertions, of any type. `weight` is their share of the score. */
  assertions: Array<AssertionInput>
}
