import type { Environment } from '../../system/environment.ts'
import { requiredNode, version } from '../../version.ts'
import { type DoctorFinding, findingsOf } from './finding.ts'

const { ok, error } = findingsOf('Environment')

/** What viva runs in: its version, that of Node, and whether this is CI. */
export function environmentFindings(env: Environment, running = process.versions.node): DoctorFinding[] {
  return [nodeFinding(running), ok(`viva ${version}`), ...(env.CI ? [ok('CI: no live progress')] : [])]
}

function nodeFinding(running: string): DoctorFinding {
  const least = requiredNode.replace(/^>=/, '')
  return isAtLeast(running, least)
    ? ok(`Node ${running} (${requiredNode} is needed)`)
    : error(`Node ${running} is too old: viva needs ${requiredNode}`, 'install a newer version of Node')
}

function isAtLeast(running: string, least: string): boolean {
  const [have, want] = [running, least].map((text) => text.split('.').map(Number))
  for (const [index, number] of (want ?? []).entries()) {
    const other = have?.[index] ?? 0
    if (other !== number) return other > number
  }
  return true
}
