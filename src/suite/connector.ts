import type { Model } from '../models/model.ts'
import { openProject } from './project.ts'

/** By folder. What was opened for one ends with this process. */
const projects = new Map<string, ReturnType<typeof openProject>>()

/**
 * Returns the model of a connector, with its limits and prices. The connector is defined in the `viva.config` or the app
 * of the working folder. To use more of a project than its connectors, use `openProject`.
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
  const opened = projects.get(cwd) ?? openProject()
  projects.set(cwd, opened)
  // What was wrong with it may be mended by the next time.
  opened.catch(() => projects.delete(cwd))
  return (await opened).provider(id)
}
