import { waitOutsideCase } from '../../tools/tool.ts'
import type { OpenApp } from './agents.ts'
import { type DoctorFinding, describeErrors, findingsOf } from './finding.ts'

const { ok, error } = findingsOf('Tools')

/** The MCP servers: their files, and with `start` whether they start and list their tools. */
export async function toolFindings({ app, signal }: OpenApp, start: boolean): Promise<DoctorFinding[]> {
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
  return findings
}
