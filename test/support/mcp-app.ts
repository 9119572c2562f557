import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createNetwork } from '../../src/models/network/network.ts'
import { findToolServers, type ToolServers } from '../../src/project/app/mcps.ts'
import { createScriptHost } from '../../src/scripts/runner/script-host.ts'
import type { RunProcess } from '../../src/tools/process-call.ts'

const network = createNetwork({ connections: 1 })

/** Answers with its arguments. */
const echo: RunProcess = async (process, args) => ({ process, args })

/** The servers of an app with these files. */
export function openServers(files: Record<string, unknown>, run = echo): ToolServers {
  const root = mkdtempSync(join(tmpdir(), 'viva-'))
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const project = { root, cwd: root, config: {}, env: {}, envFile: {}, appRoot: root }
  return findToolServers(project, network, run, createScriptHost())
}

/** The server of `mcps/echo.mcp.yao`. */
export function openEcho(files: Record<string, unknown>, run = echo) {
  const server = openServers(files, run).server('echo')
  if (server.extras === undefined) throw new Error('a server without extras')
  return { ...server, extras: server.extras }
}

export const processServer = (more: object) => ({ transport: 'process', ...more })

/** The schema of a tool. */
export const pingSchema = { type: 'object', description: 'Pings', 'x-process-args': ['$args.count'] }
