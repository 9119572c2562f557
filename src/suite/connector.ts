import type { Model } from '../models/model.ts'
import { type Connectors, findConnectors } from '../project/app/connectors.ts'
import { openNetwork } from '../project/app/network.ts'
import { loadProject, locateProject } from '../project/project.ts'
import { createScriptHost } from '../scripts/runner/script-host.ts'
import { keepSecrets } from './secrets.ts'

const connections = 64

/** By folder. Their scripts run in a process that ends with this one. */
const projects = new Map<string, Promise<Connectors>>()

/**
 * Finds a connector of the `viva.config`, or of the app, that the working folder is in, with its limits and prices.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { writeFileSync } from 'node:fs'
 * import { accuracy, createConnectorProvider, createJudge } from 'vivavoce'
 *
 * const verdict = { criteria: [{ criterion: 'accuracy', reason: 'It is right.', score: 90 }] }
 * const fast = { type: 'scripted', options: { rules: [{ reply: verdict }] } }
 * writeFileSync('viva.config.json', JSON.stringify({ connectors: { fast } }))
 *
 * const judge = createJudge({ provider: await createConnectorProvider('fast'), criteria: [accuracy()] })
 * assert.equal((await judge.evaluate({ input: '2 + 2?', output: '4' })).overallScore, 90)
 */
export async function createConnectorProvider(id: string): Promise<Model> {
  const cwd = process.cwd()
  const opened = projects.get(cwd) ?? openConnectors(cwd)
  projects.set(cwd, opened)
  // What was wrong with it may be mended by the next time.
  opened.catch(() => projects.delete(cwd))
  const connectors = await opened
  const model = connectors.model(id)
  keepSecrets(connectors.secrets())
  return model
}

async function openConnectors(cwd: string): Promise<Connectors> {
  const location = locateProject(cwd, cwd, process.env)
  const scripts = createScriptHost({ surroundings: { env: location.env, cwd } })
  const project = await loadProject(location, scripts, new AbortController().signal)
  return findConnectors(project, scripts, openNetwork(project, connections))
}
