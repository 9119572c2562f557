import type { ServiceConfig } from '../../project/config-schema.ts'
import { shellQuote } from '../../text/shell-quote.ts'
import type { Folder } from './folder.ts'
import type { Framework, Route } from './http-routes.ts'

const standardPorts: Record<Framework, number> = {
  fastapi: 8000,
  flask: 5000,
  'http.server': 8000,
  node: 3000,
  next: 3000,
}

const portPatterns = [
  /HTTPServer\(\s*\(\s*["'][^"']*["']\s*,\s*(\d{2,5})/,
  /\blisten\(\s*(\d{2,5})/,
  /\bPORT["'\]]*\s*(?:,|\|\||\?\?|or)\s*["']?(\d{2,5})/,
  /\bport\s*[=:]\s*(\d{2,5})/i,
]

/** The port that the source names, else the usual one. */
export function guessPort(text: string, framework: Framework, { env, manifest }: Folder): number {
  const isPort = (port: string | undefined) => /^\d{2,5}$/.test(port ?? '') && Number(port) <= 65_535
  if (/\bPORT\b/.test(text) && isPort(env.PORT)) return Number(env.PORT)
  const script = Object.values(manifest?.scripts ?? {}).join('\n')
  const named = portPatterns.map((pattern) => pattern.exec(text)?.[1]).find(isPort)
  const scripted = /--port[= ](\d{2,5})/.exec(script)?.[1]
  return Number(named ?? (isPort(scripted) ? scripted : standardPorts[framework]))
}

/** How to start the service, without a shell. Undefined where the files do not say. */
export function guessCommand(
  file: string,
  text: string,
  framework: Framework,
  port: number,
  folder: Folder,
): string | undefined {
  const { has, manifest } = folder
  if (framework === 'node' || framework === 'next') {
    const script = ['start', 'dev'].find((name) => manifest?.scripts[name] !== undefined)
    // `next start` needs a build, `next dev` does not.
    if (framework === 'next') return manifest?.scripts.dev === undefined ? undefined : 'npm run dev'
    if (script !== undefined) return script === 'start' ? 'npm start' : 'npm run dev'
    return /\.[cm]?js$/.test(file) && /\b(?:listen|serve)\(/.test(text)
      ? `node ${shellQuote(file)}`
      : undefined
  }
  const python = ['.venv/bin/python', 'venv/bin/python'].find((path) => has(path))
  const interpreter = python === undefined ? 'python3' : `./${python}`
  if (framework === 'http.server' || /__name__\s*==\s*["']__main__["']/.test(text))
    return `${interpreter} ${shellQuote(file)}`
  const module = file.replace(/\.py$/, '').replaceAll('/', '.')
  const app = /^(\w+)\s*=\s*(?:FastAPI|Flask)\(/m.exec(text)?.[1]
  if (app === undefined) return undefined
  return framework === 'fastapi'
    ? `${interpreter} -m uvicorn ${module}:${app} --port ${port}`
    : `${interpreter} -m flask --app ${module}:${app} run --port ${port}`
}

/** The path of a GET that succeeds when the service is ready. */
export function guessReadyPath(
  routes: readonly Route[],
  framework: Framework,
  { files }: Folder,
): string | undefined {
  const paths = routes
    .filter(({ method, path }) => method === 'GET' && !/[{<:*]/.test(path))
    .map(({ path }) => path)
  const found =
    paths.find((path) => /health|ready|ping|status|live/i.test(path)) ?? paths.find((path) => path === '/')
  if (found !== undefined) return found
  if (framework === 'fastapi') return '/openapi.json'
  if (framework === 'next' && files.some((name) => /^(?:src\/)?app\/page\.[jt]sx?$/.test(name))) return '/'
  return undefined
}

/** A service for the config, if it is clear how to start it and how to know that it runs. */
export function planService(
  command: string | undefined,
  readyPath: string | undefined,
  origin: string,
): ServiceConfig | undefined {
  return command === undefined || readyPath === undefined
    ? undefined
    : { command, url: `${origin}${readyPath}` }
}
