import type { HandlerFields } from './http-fields.ts'

/** A route of a service, found in its source. */
export interface Route {
  method: 'GET' | 'POST'
  path: string
  /** The source of its handler, roughly: up to the next route. */
  handler: string
}

export type Framework = 'fastapi' | 'flask' | 'http.server' | 'node' | 'next'

const pythonRoute =
  /^[ \t]*@(\w+)\.(post|put|get|route)\(\s*(?:path\s*=\s*|rule\s*=\s*)?["']([^"']*)["']([^\n]*)/gm
const nodeRoute = /\b(\w+)\.(post|get)\(\s*['"`]([^'"`]*)['"`]()/g
const nextFile = /^(?:src\/)?app\/(api\/.+)\/route\.[jt]s$/

export function detectFramework(file: string, text: string): Framework | undefined {
  if (file.endsWith('.py')) {
    if (/^\s*(?:from|import)\s+fastapi\b/m.test(text)) return 'fastapi'
    if (/^\s*(?:from|import)\s+flask\b/m.test(text)) return 'flask'
    if (/\bBaseHTTPRequestHandler\b/.test(text) && /\bdef do_POST\b/.test(text)) return 'http.server'
    return undefined
  }
  if (nextFile.test(file) && /export\s+(?:async\s+function|const)\s+POST\b/.test(text)) return 'next'
  if (!/\.[cm]?[jt]s$/.test(file) || /\.(?:test|spec|d)\.[cm]?[jt]s$/.test(file)) return undefined
  return /['"](?:express|hono|fastify|koa|@hono\/[\w-]+)['"]/.test(text) ? 'node' : undefined
}

export function listRoutes(file: string, text: string, framework: Framework): Route[] {
  if (framework === 'http.server') return listServerRoutes(text)
  if (framework === 'next') return [{ method: 'POST', path: `/${nextFile.exec(file)?.[1]}`, handler: text }]
  const prefixes = routerPrefixes(text)
  const matches = [...text.matchAll(framework === 'node' ? nodeRoute : pythonRoute)]
  return matches.map((match, index) => {
    const [, router = '', verb = '', path = '', rest = ''] = match
    const isPost = verb === 'route' ? /["']POST["']/.test(rest) : verb !== 'get'
    return {
      method: isPost ? 'POST' : 'GET',
      path: `${prefixes.get(router) ?? ''}${path}`,
      handler: text.slice(match.index, matches[index + 1]?.index ?? text.length),
    }
  })
}

/** `router = APIRouter(prefix="/api")` */
function routerPrefixes(text: string): Map<string, string> {
  const found = text.matchAll(
    /^(\w+)\s*=\s*(?:APIRouter|Blueprint)\([^)]*?(?:url_)?prefix\s*=\s*["']([^"']+)["']/gm,
  )
  return new Map([...found].map(([, name = '', prefix = '']) => [name, prefix]))
}

/** The standard library has no routes: a handler looks at the path itself. */
function listServerRoutes(text: string): Route[] {
  return (['POST', 'GET'] as const).flatMap((method) => {
    const start = text.search(new RegExp(`def do_${method}\\b`))
    if (start === -1) return []
    const rest = text.slice(start + 1)
    const end = rest.search(/\n[ \t]*def do_[A-Z]+\b|\n\S/)
    const handler = end === -1 ? rest : rest.slice(0, end)
    const paths = [...handler.matchAll(/self\.path\s*(?:==|!=|\.startswith\()\s*["']([^"']+)["']/g)]
    // Helpers of the same class read the body and write the answer.
    const own = method === 'POST' ? text : handler
    return paths.length === 0
      ? [{ method, path: '/', handler: own }]
      : paths.map(([, path = '/']) => ({ method, path, handler: own }))
  })
}

/** The names of fields that a handler uses. `text` is its whole file, where its types are. */
export function readHandler(handler: string, text: string, framework: Framework): HandlerFields {
  const all = (source: string, ...patterns: RegExp[]) =>
    patterns.flatMap((pattern) => [...source.matchAll(pattern)].map((match) => match[1] ?? ''))
  if (framework === 'node' || framework === 'next') {
    const bodies = all(
      handler,
      /\{([^{}]*)\}(?:\s*:[^=]*)?\s*=\s*(?:\w+\.body\b|await\s+[\w.]+\.json\(|\(?await\s+[\w.]+\.json\(|JSON\.parse\()/g,
    )
    const answers = all(handler, /\.json\(\s*\{([^{}]*)/g, /JSON\.stringify\(\s*\{([^{}]*)/g)
    return {
      read: [...all(handler, /\bbody\.(\w+)/g), ...bodies.flatMap(listKeys)],
      answered: answers.flatMap(listKeys),
    }
  }
  const signature = /def \w+\(([^)]*)\)(?:\s*->\s*(\w+))?/.exec(handler)
  const types = all(signature?.[1] ?? '', /:\s*(\w+)/g)
  const answerTypes = [signature?.[2] ?? '', ...all(handler, /response_model\s*=\s*(\w+)/g)]
  return {
    read: [
      ...types.flatMap((name) => classFields(name, text)),
      ...all(handler, /\[["'](\w+)["']\]/g, /\.get\(\s*["'](\w+)["']/g),
    ],
    answered: [
      ...answerTypes.flatMap((name) => classFields(name, text)),
      ...all(handler, /["'](\w+)["']\s*:/g),
      ...all(handler, /jsonify\(([^)]*)/g, /return \w+\(([^)]*)/g).flatMap((text) => all(text, /(\w+)\s*=/g)),
    ],
  }
}

/** `message, sessionId: id, history = []` */
function listKeys(text: string): string[] {
  return text.split(',').flatMap((part) => /^\s*['"]?(\w+)['"]?\s*(?:[:=]|$)/.exec(part)?.[1] ?? [])
}

/** The fields of a Pydantic model or a dataclass. */
function classFields(name: string, text: string): string[] {
  if (name === '') return []
  const start = text.search(new RegExp(`^class ${name}\\b`, 'm'))
  if (start === -1) return []
  const [, ...lines] = text.slice(start).split('\n')
  const end = lines.findIndex((line) => /^\S/.test(line))
  return lines.slice(0, end === -1 ? undefined : end).flatMap((line) => /^\s+(\w+)\s*:/.exec(line)?.[1] ?? [])
}
