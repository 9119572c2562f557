import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { ConfigError, errorMessage } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { fillText } from '../../json/template.ts'
import { requirePackage } from '../../require-package.ts'
import type { Message } from '../../results/transcript/message.ts'
import type { Environment } from '../../system/environment.ts'

const promptsSchema = z.array(
  z.object({
    role: z.enum(['system', 'user', 'assistant']),
    content: z.string(),
    name: z.string().optional(),
  }),
)

export type Prompts = z.infer<typeof promptsSchema>

/** Loads prompts without replacing their variables. A missing file means no prompts. */
export function loadPrompts(path: string, assetsFolder: string): Prompts {
  if (!existsSync(path)) return []
  // Loaded lazily: only package agents need it.
  const { parse } = requirePackage('yaml') as typeof import('yaml')
  try {
    return promptsSchema.parse(parse(readFileSync(path, 'utf8')) ?? []).map((prompt) => ({
      ...prompt,
      content: insertAssets(prompt.content, assetsFolder),
    }))
  } catch (error) {
    if (error instanceof ConfigError) throw error
    const message =
      error instanceof z.ZodError ? 'prompts must be a list of {role, content}' : errorMessage(error)
    throw new ConfigError({ code: 'bad_prompts', message, file: path })
  }
}

/** `prompts/review/strict.yml` is the preset `review.strict`. */
export function loadPresets(folder: string, assetsFolder: string): Map<string, Prompts> {
  const presets = new Map<string, Prompts>()
  if (!existsSync(folder)) return presets
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.ya?ml$/.test(name)) continue
    presets.set(
      name
        .replace(/\.ya?ml$/, '')
        .split(sep)
        .join('.'),
      loadPrompts(join(folder, name), assetsFolder),
    )
  }
  return presets
}

const padTwo = (value: number) => String(value).padStart(2, '0')
const formatDate = (now: Date) =>
  `${now.getFullYear()}-${padTwo(now.getMonth() + 1)}-${padTwo(now.getDate())}`
const formatTime = (now: Date) =>
  `${padTwo(now.getHours())}:${padTwo(now.getMinutes())}:${padTwo(now.getSeconds())}`

/** Evaluated on demand: the first use of `Intl` is slow. */
const systemVariables: Record<string, (now: Date) => string> = {
  DATE: formatDate,
  TIME: formatTime,
  DATETIME: (now) => `${formatDate(now)} ${formatTime(now)}`,
  TIMEZONE: () => Intl.DateTimeFormat().resolvedOptions().timeZone,
  WEEKDAY: (now) => now.toLocaleDateString('en-US', { weekday: 'long' }),
  YEAR: (now) => String(now.getFullYear()),
  MONTH: (now) => padTwo(now.getMonth() + 1),
  DAY: (now) => padTwo(now.getDate()),
  HOUR: (now) => padTwo(now.getHours()),
  MINUTE: (now) => padTwo(now.getMinutes()),
  SECOND: (now) => padTwo(now.getSeconds()),
  UNIX: (now) => String(Math.floor(now.getTime() / 1000)),
}

/** `$SYS.X`, `$ENV.X`, `$CTX.X`, in braces or not, and `{{x}}`. */
const variablePattern = /(?:\{\{\s*)?(\$(?:SYS|ENV|CTX)\.[A-Za-z_]\w*)(?:\s*\}\})?|\{\{\s*(\w+)\s*\}\}/g

export interface PromptValues {
  /** `$CTX.X` */
  variables: Record<string, unknown>
  env: Environment
  /** The time that `$SYS.X` shows; asked for once, and only where it is shown. */
  now(): Date
  /** `{{x}}`: of agents that work for the test. */
  placeholders?: Readonly<Record<string, string>> | undefined
}

/** Puts in what is known only when a conversation is held. */
export function renderPrompts(
  prompts: Prompts,
  { variables, env, now, placeholders = {} }: PromptValues,
): Message[] {
  let time: Date | undefined
  const systemValue = (key: string) => systemVariable(key, () => (time ??= now()))
  const lookUp = (name: string, written: string): unknown => {
    const [kind, key = ''] = name.split('.')
    if (kind === '$SYS') return systemValue(key) ?? written
    if (kind === '$ENV') return env[key]
    if (kind === '$CTX') return variables[key] ?? variables[key.toUpperCase()] ?? systemValue(key)
    return Object.hasOwn(placeholders, name) ? placeholders[name] : written
  }
  return prompts.map(({ role, content, name }) => ({
    role,
    content: fillText(content, lookUp, { pattern: variablePattern }),
    ...defined({ name }),
  }))
}

function systemVariable(key: string, now: () => Date): string | undefined {
  const name = key.toUpperCase()
  return Object.hasOwn(systemVariables, name) ? systemVariables[name]?.(now()) : undefined
}

/** `@assets/policy.md` becomes the file's text; it must be inside the folder. */
function insertAssets(content: string, folder: string): string {
  return content.replace(/@assets\/(\S+\.(?:md|yml|yaml|json|txt))/g, (reference, name: string) => {
    const path = join(folder, name)
    const missing = () =>
      new ConfigError({ code: 'missing_asset', message: `${reference}: no such file`, file: path })
    if (!existsSync(path)) throw missing()
    if (relative(realpathSync(folder), realpathSync(path)).startsWith('..')) throw missing()
    return readFileSync(path, 'utf8').trimEnd()
  })
}
