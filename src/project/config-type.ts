// Generated from the schema by `npm run generate`. Do not edit.

export interface HttpAgentInput {
  /** The URL of the agent; `-n` with this URL uses this entry too */
  url: string
  /** Default `POST`; with `GET` there is no `request` */
  method?: 'POST' | 'PUT' | 'PATCH' | 'GET' | undefined
  /** Sent with every request; may contain `{{placeholders}}` */
  headers?: Record<string, string> | undefined
  /**
   * The protocol that the agent speaks. It replaces `request`, `response`, `session`, `stream` and
   * `event`
   */
  format?: 'ai-sdk-ui' | 'openai-chat' | 'openai-responses' | 'ag-ui' | 'langgraph' | undefined
  /**
   * With a `format`: further fields of the body, such as `model` or `assistant_id`, with
   * `{{placeholders}}`
   */
  body?: Record<string, unknown> | undefined
  /** The body: any JSON, with `{{placeholders}}` */
  request?: unknown
  /** JSONPaths of the parts of the answer */
  response?: HttpResponseInput | undefined
  /** JSONPath of the value that later turns send back as `{{session}}` */
  session?: string | undefined
  /** `sse`: the agent answers with server-sent events */
  stream?: 'sse' | undefined
  /** How to read the events */
  event?: HttpEventInput | undefined
}

export interface HttpResponseInput {
  /** The text a person would read */
  content?: string | undefined
  /** What checks look at, if it is not the text */
  output?: string | undefined
  /**
   * The path of a list of `{name, arguments, result?}` (or `args`), or `{path, name, arguments, result}`
   * with a path for each. Without it, the agent hides its tools
   */
  tool_calls?: string | HttpToolCallsInput | undefined
  /** Whether the agent waits for an answer */
  awaiting_input?: string | undefined
  /** What the agent suggests as input */
  input_hint?: string | undefined
  /** Why the model stopped */
  finish_reason?: string | undefined
  /** Paths of the token counts, and of the model */
  usage?:
    | {
        /** The number of input tokens */
        input_tokens?: string | undefined
        /** The number of output tokens */
        output_tokens?: string | undefined
        /** The number of input tokens that came from a cache */
        cached_tokens?: string | undefined
        /** The name of the model, by which its price is found */
        model?: string | undefined
        /** The cost in US dollars, if the agent knows it */
        cost?: string | undefined
      }
    | undefined
  /** If this path finds something, the agent has failed */
  error?: string | undefined
}

export interface HttpToolCallsInput {
  /** The list of calls */
  path: string
  /** In a call: the name of the tool */
  name: string
  /** In a call: its arguments, as data or as JSON text (default: `arguments` or `args`) */
  arguments?: string | undefined
  /** In a call: what the tool returned */
  result?: string | undefined
  /** In a call: why the tool failed */
  error?: string | undefined
}

export interface HttpEventInput {
  /** The next piece of the text, in the events that have one */
  delta: string
  /**
   * What ends the stream: the name of an event, its whole data (`[DONE]`), or a path that exists in it
   * (`$.done`)
   */
  end?: string | undefined
}

export interface A2aAgentInput {
  /** The base URL of the agent, or the URL of its agent card (`….json`) */
  a2a: string
  /** Sent with every request; `{{env.NAME}}` is replaced */
  headers?: Record<string, string> | undefined
}

export interface ModelAgentInput {
  /**
   * The model that answers: a connector of the project, `openai:URL#model` or
   * `openai-responses:URL#model`
   */
  connector: string
  /** The system prompt: its text, or the path of a file, such as `./desk.md` */
  prompt?: string | undefined
  /** MCP servers by name. The model may call their tools */
  mcp?: Record<string, McpCommandInput | McpUrlInput> | undefined
  /** A module whose exports are tools that the model may call, or several */
  tools?: string | Array<string> | undefined
  /** Settings of the model, such as `temperature`, in addition to those of the connector */
  settings?: Record<string, unknown> | undefined
  /** How many rounds of tool calls one reply may take (default 10) */
  max_tool_rounds?: number | undefined
}

export interface McpCommandInput {
  /** The program to start, without a shell */
  command: string
  /** Its arguments. `$ENV.NAME` is replaced */
  args?: Array<string> | undefined
  /** Environment variables, in addition to those of viva. `$ENV.NAME` is replaced */
  env?: Record<string, string> | undefined
  /** `true`: all cases use one process. By default, each case has a process of its own */
  shared?: boolean | undefined
  /** The tools that the model may call (default: all, except the one that resets the server) */
  tools?: Array<string> | undefined
  /** Time limit for one call of a tool. For example: `30s`, `1m30s`, `250ms` */
  timeout?: string | undefined
  /** A tool of the server that puts it into its initial state. It is called before each case */
  reset?: string | undefined
}

export interface McpUrlInput {
  /** The address of a server that is already running */
  url: string
  /** How to talk to it (default `http`) */
  transport?: 'http' | 'sse' | undefined
  /** Sent with every request. `$ENV.NAME` is replaced */
  headers?: Record<string, string> | undefined
  /** The tools that the model may call (default: all, except the one that resets the server) */
  tools?: Array<string> | undefined
  /** Time limit for one call of a tool. For example: `30s`, `1m30s`, `250ms` */
  timeout?: string | undefined
  /** A tool of the server that puts it into its initial state. It is called before each case */
  reset?: string | undefined
}

export interface ConnectorInput {
  /** The API that the model speaks; `openai` is the chat completions API, which most servers have */
  type: 'openai' | 'openai-responses' | 'anthropic' | 'scripted'
  /** A readable name */
  label?: string | undefined
  /** Another readable name */
  name?: string | undefined
  /**
   * `model`, `key`, `host` and settings such as `temperature`; for `scripted`: `rules`, `module` or
   * `embeddings`
   */
  options?: Record<string, unknown> | undefined
  /** Limits on the requests to the model, for all cases of a run together */
  limits?: LimitsInput | undefined
}

export interface LimitsInput {
  /** Maximum number of simultaneous requests */
  concurrency?: number | undefined
  /** Maximum number of requests per minute, evenly spread: 60 is one per second, from the beginning */
  requests_per_minute?: number | undefined
}

export interface ServiceInput {
  /** The command that starts it, run without a shell */
  command: string
  /** The service is ready when a GET of this URL succeeds (status below 400) */
  url: string
  /** How long the start and each reset may take (default 30s). For example: `30s`, `1m30s`, `250ms` */
  timeout?: string | undefined
  /** Called before each case: a URL (`POST`) or `{url, method}`. Cases then run one at a time */
  reset?:
    | string
    | {
        /** The URL */
        url: string
        /** The method (default `POST`) */
        method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET' | undefined
      }
    | undefined
  /** Environment variables, in addition to those of viva */
  env?: Record<string, string> | undefined
  /** Working folder, relative to the folder of the config */
  cwd?: string | undefined
}

export interface PriceInput {
  /** Price of a million input tokens */
  input: number
  /** Price of a million output tokens */
  output: number
  /** Price of a million cached input tokens */
  cached_input?: number | undefined
}

export interface HelpersInput {
  /** The connector of the built-in agents, unless a case names one */
  connector?: string | undefined
  /** Tools of the users that `viva.simulator` plays, such as their phone */
  simulator?: SimulatorToolsInput | undefined
}

export interface SimulatorToolsInput {
  /** MCP servers by name. The model may call their tools */
  mcp?: Record<string, McpCommandInput | McpUrlInput> | undefined
  /** A module whose exports are tools that the model may call, or several */
  tools?: string | Array<string> | undefined
  /** How many rounds of tool calls one message may take (default 10) */
  max_tool_rounds?: number | undefined
}

export interface AwaitingInput {
  /** Names of tools that ask the user for an answer, with or without their server */
  tools?: Array<string> | undefined
  /** Sentences that ask for an answer, as regular expressions in RE2 syntax */
  patterns?: Array<string> | undefined
  /** Sentences that do not ask for an answer, although they seem to */
  not?: Array<string> | undefined
}

export interface NetworkInput {
  /**
   * Number of retries after status 408, 409, 429 and 5xx, and after connections that ended too early
   * (default 3)
   */
  retries?: number | undefined
  /**
   * Wait before the first retry (default 500ms); it doubles with each further retry. For example: `30s`,
   * `1m30s`, `250ms`
   */
  backoff?: string | undefined
  /**
   * The proxy for all requests, instead of `HTTP_PROXY` and `HTTPS_PROXY`; `false` means no proxy.
   * `$ENV.NAME` is replaced
   */
  proxy?: string | false | undefined
  /** Hosts that are reached without the proxy, instead of `NO_PROXY` */
  no_proxy?: string | Array<string> | undefined
  /**
   * PEM files, relative to the folder of the config, with certificate authorities to trust in addition
   * to those of Node
   */
  ca?: string | Array<string> | undefined
  /**
   * Sent with every request to a connector or an agent, unless the connector or agent has its own header
   * of the same name. `$ENV.NAME` is replaced
   */
  headers?: Record<string, string> | undefined
}

/** The contents of a `viva.config.ts`; docs/reference/config.md lists its keys. */
export interface ConfigInput {
  /** The JSON Schema, for editors; ignored */
  $schema?: string | undefined
  /** The agent under test when `-n` is not given */
  agent?: string | undefined
  /**
   * Named agents: a value as for `-n`, a model with a prompt and MCP servers, or a mapping for HTTP or
   * A2A
   */
  agents?: Record<string, string | HttpAgentInput | A2aAgentInput | ModelAgentInput> | undefined
  /**
   * What `viva test` runs when it is given no input: case files, folders, patterns, script tests and
   * generators. Paths are relative to the folder of the config
   */
  inputs?: Array<string> | undefined
  /**
   * For `--changed`: what decides how an agent or a model answers, where viva cannot see it. By the name
   * of an agent or connector, the files, folders and patterns to look at; `[]` if the rest says it all.
   * Paths are relative to the folder of the config
   */
  fingerprint?: Record<string, Array<string>> | undefined
  /**
   * Who is at fault when an agent answers with an HTTP status: `agent` or `infrastructure`, by status.
   * By default, 5xx is the agent’s failure, except 502, 503, 504 and 529
   */
  faults?: Record<string, 'agent' | 'infrastructure'> | undefined
  /**
   * `case`: each case has its own copy of a module agent, and of modules with tools, in a thread that no
   * other case uses. By default, cases share what is at the top level of the module
   */
  isolate?: 'case' | undefined
  /** Models, as in `*.conn.yao` files */
  connectors?: Record<string, ConnectorInput> | undefined
  /** Connectors by role: `use::light` in a package means the connector of the role `light` */
  roles?: Record<string, string> | undefined
  /** Commands that run during the tests; they are started in order and stopped at the end */
  services?: Array<ServiceInput> | undefined
  /** Prices by model, connector or agent, in US dollars per million tokens */
  prices?: Record<string, PriceInput> | undefined
  /** Settings of the built-in helper agents (simulator, validator, judge, generator) */
  helpers?: HelpersInput | undefined
  /** What `Process(name, …)` returns to scripts, for processes that viva does not have */
  processes?:
    | Record<
        string,
        {
          /** What the process returns */
          result?: unknown
          /** The process fails with this message */
          error?: string | undefined
        }
      >
    | undefined
  /** How to detect that an agent waits for an answer, in addition to the built-in rules */
  awaiting?: AwaitingInput | undefined
  /**
   * Environment variables whose values are redacted in every report. Scripts can read them, but no other
   * variables that look like secrets
   */
  secrets?: Array<string> | undefined
  /** `false`: do not record what was said, as with `--no-transcripts` */
  transcripts?: boolean | undefined
  /** Fields (`email`, `customer.email`) and `/patterns/` to hide, in addition to those of `--mask` */
  masks?: Array<string> | undefined
  /** Default of `--timeout`. For example: `30s`, `1m30s`, `250ms` */
  timeout?: string | undefined
  /** Default of `--parallel`: a number, or `auto` */
  parallel?: number | 'auto' | undefined
  /** Network settings: retries, proxy, certificates, headers */
  network?: NetworkInput | undefined
}
