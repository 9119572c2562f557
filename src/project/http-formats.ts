/**
 * The formats of HTTP agents, each with the keys of the body that it fills with the conversation, and those that
 * `body` in the config must have.
 */
export const httpFormatKeys = {
  'ai-sdk-ui': { fills: ['messages'], needs: [] },
  'openai-chat': { fills: ['messages'], needs: [] },
  'openai-responses': { fills: ['input'], needs: [] },
  'ag-ui': { fills: ['threadId', 'runId', 'messages', 'resume'], needs: [] },
  langgraph: { fills: ['input.messages', 'command'], needs: ['assistant_id'] },
} as const satisfies Record<string, { fills: readonly string[]; needs: readonly string[] }>

export type HttpFormatName = keyof typeof httpFormatKeys

export const httpFormatNames = Object.keys(httpFormatKeys) as [HttpFormatName, ...HttpFormatName[]]
