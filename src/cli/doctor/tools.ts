import { existsSync } from 'node:fs'
import { listToolModules, loadSimulatorTools } from '../../project/app/model-agent.ts'
import { waitOutsideCase } from '../../tools/tool.ts'
import type { OpenApp } from './agents.ts'
import { type DoctorFinding, describeErrors, findingsOf } from './finding.ts'

const { ok, error } = findingsOf('Tools')

/**
 * The MCP servers: their files, and with `start` whether they start and list their tools. The modules with tools are loaded;
 * no tool is called.
 */
export async function toolFindings(
  { project, app, signal }: OpenApp,
  start: boolean,
): Promise<DoctorFinding[]> {
  const { toolServers } = app.sources
  const findings: DoctorFinding[] = []
  for (const id of toolServers.ids()) {
    try {
      const server = toolServers.server(id)
      const tools = start ? (await server.tools(waitOutsideCase(signal))).length : server.atRest?.tools.length
      const note = start ? 'starts, ' : ''
      findings.push(
        ok(`MCP server ${id}: ${tools === undefined ? 'not started (--start)' : `${note}tools: ${tools}`}`),
      )
    } catch (problem) {
      signal.throwIfAborted()
      findings.push(...describeErrors(problem).map((text) => error(`MCP server ${id}: ${text}`)))
    }
  }
  for (const { path, file } of listToolModules(project)) {
    try {
      const tools = await toolServers.module(path).tools(waitOutsideCase(signal))
      findings.push(ok(`${file}: ${tools.map(({ name }) => name).join(', ')}`))
    } catch (problem) {
      signal.throwIfAborted()
      // One that is not there is reported where it is named.
      if (existsSync(path)) findings.push(...describeErrors(problem).map((text) => error(text)))
    }
  }
  try {
    loadSimulatorTools(project)
  } catch (problem) {
    findings.push(...describeErrors(problem).map((text) => error(text)))
  }
  return findings
}
