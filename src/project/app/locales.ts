import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isRecord } from '../../json/json.ts'
import { fillText } from '../../json/template.ts'
import type { Data } from '../../results/transcript/message.ts'
import { readYaml } from './read-yaml.ts'

/** Replaces `{{ name }}` by its translation. Names without a translation stay unchanged. */
export type Translate = (text: string | undefined, locale: string) => string | undefined

/** Loads the `locales/` of an agent. */
export function loadLocales(folder: string, cwd: string): Translate {
  const path = join(folder, 'locales')
  const locales = new Map<string, Data>()
  for (const name of existsSync(path) ? readdirSync(path) : []) {
    const locale = /^(.+)\.ya?ml$/.exec(name)?.[1]
    if (locale !== undefined) locales.set(locale.toLowerCase(), readLocale(join(path, name), cwd))
  }
  return (text, locale) =>
    text === undefined
      ? undefined
      : fillText(text, (key, written) => {
          const words = fallbackLocales(locale).map((each) => findTranslation(locales.get(each), key))
          return words.find((each) => each !== undefined) ?? written
        })
}

function readLocale(path: string, cwd: string): Data {
  const words = readYaml(path, relative(cwd, path), 'bad_locale')
  return isRecord(words) ? words : {}
}

/** `zh-cn`, then `zh`, then English. */
function fallbackLocales(locale: string): string[] {
  const whole = locale.toLowerCase()
  return [whole, whole.split('-')[0] ?? whole, 'en-us', 'en']
}

/** A key such as `chat.title` may be written flat or nested. */
function findTranslation(words: unknown, key: string): string | undefined {
  const flat = isRecord(words) ? words[key] : undefined
  const found =
    flat ??
    key
      .split('.')
      .reduce<unknown>(
        (value, part) => (isRecord(value) || Array.isArray(value) ? (value as Data)[part] : undefined),
        words,
      )
  return typeof found === 'string' ? found : undefined
}
