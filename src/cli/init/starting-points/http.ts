import { connect } from 'node:net'
import type { ServiceConfig } from '../../../project/config-schema.ts'
import { isHttpUrl } from '../../../project/http-agent-schema.ts'
import type { HttpFormatName } from '../../../project/http-formats.ts'
import { introducesItself, remembers, survivesOddInput } from '../first-cases.ts'
import type { Folder } from '../folder.ts'
import { guessMapping, type HttpGuess } from '../http-fields.ts'
import { detectFramework, type Framework, listRoutes, readHandler } from '../http-routes.ts'
import { guessCommand, guessPort, guessReadyPath, planService } from '../service-command.ts'
import type { AgentCandidate, AgentSetup, StartingPoint } from '../starting-point.ts'

const agentPath =
  /chat|ask|message|agent|assistant|invoke|query|complet|respond|talk|conversation|bot|answer/i

/** A service in Python or JavaScript, whose source has a route for messages. */
export const httpServices: StartingPoint = {
  look: (folder) =>
    folder.files.flatMap((file) => {
      const text = folder.read(file)
      const framework = detectFramework(file, text)
      return framework === undefined ? [] : lookInto(file, text, framework, folder)
    }),
}

function lookInto(file: string, text: string, framework: Framework, folder: Folder): AgentCandidate[] {
  const routes = listRoutes(file, text, framework)
  const port = guessPort(text, framework, folder)
  const origin = `http://127.0.0.1:${port}`
  const command = guessCommand(file, text, framework, port, folder)
  const service = planService(command, guessReadyPath(routes, framework, folder), origin)
  const candidates = routes
    .filter(({ method, path }) => method === 'POST' && !/[{<:*]/.test(path))
    .map(({ path, handler }) => ({ path, guess: guessRoute(path, handler, text, framework) }))
    .filter(({ path, guess }) => agentPath.test(path) || guess.isCertain)
  const named = candidates.filter(({ path }) => agentPath.test(path))
  return (named.length > 0 ? named : candidates)
    .filter(({ path }) => !named.some((other) => path.startsWith(`${other.path.replace(/\/$/, '')}/`)))
    .map(({ path, guess }) =>
      createHttpCandidate({
        url: `${origin}${path}`,
        found: `an HTTP service in ${file}, POST ${path}`,
        guess,
        service,
        command,
        variables: readSecretNames(text),
      }),
    )
}

/** Some routes speak a protocol that many servers share. */
function guessRoute(path: string, handler: string, text: string, framework: Framework): HttpGuess {
  const format = guessFormat(path, text)
  if (format === undefined) return guessMapping(readHandler(handler, text, framework))
  return { mapping: { format }, remembers: true, isCertain: true }
}

function guessFormat(path: string, text: string): HttpFormatName | undefined {
  if (/\/chat\/completions\/?$/.test(path)) return 'openai-chat'
  if (/\/v1\/responses\/?$/.test(path)) return 'openai-responses'
  // The chat route of the AI SDK, in whatever framework.
  return /UIMessageStream(?:ToResponse|Response)\b/.test(text) ? 'ai-sdk-ui' : undefined
}

interface HttpFinding {
  url: string
  found: string
  guess: HttpGuess
  service?: ServiceConfig | undefined
  /** How it is started, where viva cannot start it. */
  command?: string | undefined
  variables: string[]
}

export function createHttpCandidate(finding: HttpFinding): AgentCandidate {
  const { url, found } = finding
  return {
    reference: url,
    found,
    question: () => ({
      text: 'URL of the agent?',
      standard: url,
      hint: 'name it: viva init -n http://host:port/path',
      problem: urlProblem,
    }),
    setUp: (answer) => setUpHttp(answer, finding),
  }
}

/** Nothing that is written may hold a password. */
export function urlProblem(text: string): string | undefined {
  if (!isHttpUrl(text)) return 'write http://host:port/path'
  const unfilled = /(?<!\{)\{[^{}]*\}(?!\})/.exec(text)?.[0]
  if (unfilled !== undefined) return `write a value in place of ${unfilled}`
  const { username, password } = new URL(text)
  if (username === '' && password === '') return undefined
  return 'credentials would be written into the config: use `headers` there, with {{env.NAME}}'
}

async function setUpHttp(url: string, finding: HttpFinding): Promise<AgentSetup> {
  const { guess, command, variables } = finding
  const service = startsAt(finding.service, new URL(url)) ? finding.service : undefined
  const isPublic = isPublicHost(new URL(url).hostname)
  // Nobody has agreed yet to connect to a host of others.
  const isRunning = isPublic || (await answers(new URL(url)))
  const services = service === undefined || isRunning ? {} : { services: [service] }
  const start = command === undefined ? 'Start it' : `Start it (${command})`
  const notes = [
    ...(guess.isCertain ? [] : ['What it is sent is a guess: see `agents` in the config.']),
    ...(guess.remembers ? [] : ['It gets each message alone, so no case checks what it remembers.']),
  ]
  if (isRunning && service !== undefined)
    notes.push(
      `It runs already, and is tested as it is. For CI, add services: [{ command: '${command}', url: '${service.url}' }].`,
    )
  else if (!isRunning && service === undefined)
    notes.push(`Nothing answers at ${new URL(url).origin}. ${start} before viva test.`)
  return {
    config: { agent: 'service', agents: { service: { url, ...guess.mapping } }, ...services },
    target: service !== undefined && !isRunning ? `${url} (started by: ${service.command})` : url,
    cases: [introducesItself(), ...(guess.remembers ? [remembers()] : []), survivesOddInput()],
    notes,
    variables,
    ...(isPublic ? { publicHost: new URL(url).host } : {}),
  }
}

function startsAt(service: ServiceConfig | undefined, { origin }: URL): boolean {
  return service !== undefined && new URL(service.url).origin === origin
}

/** Whether a host is neither this machine nor one of its network. */
function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (host.includes(':')) return !/^(?:::1?$|f[cd]|fe[89ab])/.test(host)
  const isPrivate = /^(?:127|10|0|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\./.test(host)
  if (/^[\d.]+$/.test(host)) return !isPrivate
  return host.includes('.') && !/\.(?:localhost|local|internal|lan|home\.arpa)$/.test(host)
}

const soonMs = 500

/** Whether something listens there. Nothing is sent. */
function answers({ hostname, port, protocol }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const number = Number(port || (protocol === 'https:' ? 443 : 80))
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: number, timeout: soonMs })
    const end = (found: boolean) => {
      socket.destroy()
      resolve(found)
    }
    socket.once('connect', () => end(true))
    socket.once('timeout', () => end(false))
    socket.once('error', () => end(false))
  })
}

/** The keys that a source reads from its environment. */
function readSecretNames(text: string): string[] {
  const read = text.matchAll(/(?:environ(?:\.get\(|\[)|getenv\(|process\.env[.[])\s*["']?([A-Z][A-Z0-9_]*)/g)
  return [...new Set([...read].map(([, name = '']) => name))].filter((name) =>
    /KEY|TOKEN|SECRET|PASSWORD/.test(name),
  )
}
