import type { StartingPoint } from './starting-point.ts'
import { aiSdkAgents } from './starting-points/ai-sdk.ts'
import { demoAgent } from './starting-points/demo.ts'
import { httpServices } from './starting-points/http.ts'
import { mcpServers } from './starting-points/mcp.ts'
import { modelEndpoints } from './starting-points/model.ts'
import { moduleAgents } from './starting-points/module.ts'
import { openApiServices } from './starting-points/openapi.ts'
import { yaoApp } from './starting-points/yao.ts'

/** In this order: the first that finds something is what is tested. What is most surely an agent comes first. */
export const startingPoints: readonly StartingPoint[] = [
  yaoApp,
  aiSdkAgents,
  moduleAgents,
  httpServices,
  openApiServices,
  mcpServers,
  modelEndpoints,
  demoAgent,
]
