import type { Redactor } from '../../privacy/redact.ts'
import { secretValues } from '../../privacy/secret-variables.ts'
import { createRedactor } from '../../privacy/secrets.ts'
import { type Location, locateProject } from '../../project/project.ts'
import { createPen, type Inked, wantsColour } from '../../reporters/pen.ts'
import { oneLine } from '../../reporters/printable.ts'
import { projectAppSetup, projectSetup } from '../../setup/phase-lists.ts'
import { relativePath } from '../../system/relative-path.ts'
import type { Shell } from '../../system/shell.ts'
import { pluralize } from '../../text/counted.ts'
import { agentFindings, reportPackages } from '../doctor/agents.ts'
import { caseFindings } from '../doctor/cases.ts'
import { environmentFindings } from '../doctor/environment.ts'
import { type DoctorFinding, describeErrors, findingsOf, sections } from '../doctor/finding.ts'
import { modelFindings } from '../doctor/models.ts'
import { locationFindings } from '../doctor/project.ts'
import { toolFindings } from '../doctor/tools.ts'
import { printWarning } from '../print-error.ts'
import { readRequest } from '../request.ts'
import { untilInterrupted } from '../signals.ts'

export interface DoctorFlags {
  online?: boolean
  start?: boolean
  json?: boolean
}

const { ok, error } = findingsOf('Project')

/** `viva doctor`: what works here and what does not, with what to do about it. */
export function doctorCommand(given: DoctorFlags, shell: Shell): Promise<number> {
  return untilInterrupted(shell, async (signal) => {
    const { findings, redact } = await examine(given, shell, signal)
    signal.throwIfAborted()
    const problems = findings.filter(({ status }) => status === 'error').length
    if (given.json)
      shell.stdout.write(`${JSON.stringify(redact({ ok: problems === 0, findings }), null, 2)}\n`)
    else print(findings, redact, shell)
    return problems === 0 ? 0 : 2
  })
}

interface Examined {
  findings: DoctorFinding[]
  /** Takes out all secrets that have become known. */
  redact: Redactor
}

async function examine(given: DoctorFlags, shell: Shell, signal: AbortSignal): Promise<Examined> {
  const { cwd, env } = shell
  const findings = environmentFindings(env)
  let redact = createRedactor(secretValues(env))
  let location: Location
  try {
    location = locateProject(cwd, cwd, env)
  } catch (problem) {
    findings.push(...describeErrors(problem).map((text) => error(text)))
    return { findings, redact }
  }
  redact = createRedactor(secretValues(location.env))
  findings.push(...locationFindings(location))
  const warn = (text: string) => printWarning(shell, text)
  const start = { signal, shell, warn }
  const app = { ...start, settings: { parallel: 1 }, named: [], inputs: [], variants: new Map() }
  try {
    await projectSetup.use(app, async (project) => {
      if (location.configFile) findings.push(ok(`config: ${relativePath(cwd, location.configFile)}`))
      await projectAppSetup.use(project, async (opened) => {
        const reports = reportPackages(opened)
        findings.push(...(await agentFindings(opened, reports)))
        findings.push(...(await modelFindings(opened, reports, given.online === true)))
        findings.push(...(await toolFindings(opened, given.start === true)))
        redact = opened.secrets.redact()
      })
    })
  } catch (problem) {
    signal.throwIfAborted()
    const hint = 'agents, models, tools and cases were not checked'
    findings.push(...describeErrors(problem).map((text) => error(text, hint)))
    return { findings, redact }
  }
  const front = { open: () => Promise.reject(new Error('doctor opens no terminal')) as never }
  findings.push(...(await caseFindings({ ...start, front, request: readRequest({}, cwd) })))
  return { findings, redact }
}

function print(findings: readonly DoctorFinding[], redact: Redactor, { stdout, env }: Shell): void {
  const pen = createPen(wantsColour(stdout, env))
  const line = (inked: Inked) => stdout.write(`${inked.text}\n`)
  const marks = { ok: pen.green('✓'), warning: pen.yellow('!'), error: pen.red('✗') }
  for (const section of sections) {
    const found = findings.filter((finding) => finding.section === section)
    if (found.length > 0) line(pen.bold(section))
    for (const { status, text, hint } of found) {
      line(pen.line`  ${marks[status]} ${oneLine(redact(text))}`)
      if (hint !== undefined) line(pen.dim(`    ${hint}`))
    }
  }
  const count = (status: DoctorFinding['status']) =>
    findings.filter((finding) => finding.status === status).length
  const [errors, warnings] = [count('error'), count('warning')]
  const parts = [
    ...(errors > 0 ? [pluralize(errors, 'problem')] : ['no problems']),
    ...(warnings > 0 ? [pluralize(warnings, 'warning')] : []),
  ]
  line(pen.line`\n${errors > 0 ? marks.error : marks.ok} ${parts.join(', ')}`)
}
