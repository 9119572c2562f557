import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { ConfigError, errorMessage } from '../../errors.ts'
import { defined } from '../../json/defined.ts'
import { fillText } from '../../json/template.ts'
import { requirePackage } from '../../require-package.ts'
import type { Message } from '../../results/transcript/message.ts'
import type { Environment } from '../../system/environment.ts'
import { shownDate, type ZonedTime, zoneName } from '../../text/zoned-time.ts'

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
const formatDate = (now: ZonedTime) => shownDate(now).toISOString().slice(0, 10)
const formatTime = (now: ZonedTime) => shownDate(now).toISOString().slice(11, 19)

/** Evaluated on demand: the first use of `Intl` is slow. */
const systemVariables: Record<string, (now: ZonedTime) => string> = {
  DATE: formatDate,
  TIME: formatTime,
  DATETIME: (now) => `${formatDate(now)} ${formatTime(now)}`,
  TIMEZONE: zoneName,
  WEEKDAY: (now) => shownDate(now).toLocaleDateString('en-US', { weekday: 'long', timeZone: 'UTC' }),
  YEAR: (now) => String(shownDate(now).getUTCFullYear()),
  MONTH: (now) => padTwo(shownDate(now).getUTCMonth() + 1),
  DAY: (now) => padTwo(shownDate(now).getUTCDate()),
  HOUR: (now) => padTwo(shownDate(now).getUTCHours()),
  MINUTE: (now) => padTwo(shownDate(now).getUTCMinutes()),
  SECOND: (now) => padTwo(shownDate(now).getUTCSeconds()),
  UNIX: (now) => String(Math.floor(now.instant.getTime() / 1000)),
}

/** `$SYS.X`, `$ENV.X`, `$CTX.X`, in braces or not, and `{{x}}`. */
const variablePattern = /(?:\{\{\s*)?(\$(?:SYS|ENV|CTX)\.[A-Za-z_]\w*)(?:\s*\}\})?|\{\{\s*(\w+)\s*\}\}/g

export interface PromptValues {
  /** `$CTX.X` */
  variables: Record<string, unknown>
  env: Environment
  /** The time that `$SYS.X` shows; asked for once, and only where it is shown. */
  now(): ZonedTime
  /** `{{x}}`: of agents that work for the test. */
  placeholders?: Readonly<Record<string, string>> | undefined
}

/** Puts in what is known only when a conversation is held. */
export function renderPrompts(
  prompts: Prompts,
  { variables, env, now, placeholders = {} }: PromptValues,
): Message[] {
  let time: ZonedTime | undefined
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

function systemVariable(key: string, now: () => ZonedTime): string | undefined {
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
