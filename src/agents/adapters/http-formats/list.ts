import type { HttpFormatName } from '../../../project/http-formats.ts'
import { agUI } from './ag-ui.ts'
import { aiSdkUI } from './ai-sdk-ui.ts'
import type { HttpFormat } from './format.ts'
import { langGraph } from './langgraph.ts'
import { openAIChat } from './openai-chat.ts'
import { openAIResponses } from './openai-responses.ts'

export const httpFormats: Record<HttpFormatName, HttpFormat> = {
  'ai-sdk-ui': aiSdkUI,
  'openai-chat': openAIChat,
  'openai-responses': openAIResponses,
  'ag-ui': agUI,
  langgraph: langGraph,
}
