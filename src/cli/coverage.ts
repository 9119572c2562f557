import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorMessage, OutputError } from '../errors.ts'
import type { Project } from '../project/project.ts'
import { mergeCoverage } from '../scripts/protocol/merge-coverage.ts'
import { formatLcov } from '../scripts/runner/coverage/lcov.ts'
import { coverageRows } from '../scripts/runner/coverage/text.ts'
import type { TestHost } from '../scripts/runner/test-host.ts'
import { shownPath } from '../setup/outputs/targets.ts'
import { makeFolder } from '../system/make-folder.ts'
import type { OpenTerminal } from './terminal.ts'

/** `--coverage`: a table for people, and a file for tools. */
export function reportCoverage(
  hosts: readonly TestHost[],
  project: Project,
  { print, pen }: OpenTerminal,
): void {
  const coverage = mergeCoverage(hosts.flatMap((host) => host.coverage))
  const rows = coverageRows(coverage, project.root)
  const width = Math.max(4, ...rows.map(({ file }) => file.length))
  print(
    pen.bold(
      `  ${'File'.padEnd(width)}  ${'Lines'.padStart(7)}  ${'Functions'.padStart(9)}  Uncovered lines`,
    ),
  )
  for (const { file, lines, functions, uncovered } of rows)
    print(pen.line`  ${file.padEnd(width)}  ${lines.padStart(7)}  ${functions.padStart(9)}  ${uncovered}`)
  const path = join(project.cwd, 'coverage', 'lcov.info')
  try {
    makeFolder(join(project.cwd, 'coverage'))
    writeFileSync(path, formatLcov(coverage, project.root))
  } catch (error) {
    throw new OutputError(`${path} cannot be written: ${errorMessage(error)}`)
  }
  print(pen.dim(`  Coverage: ${shownPath(project, path)}`))
}
