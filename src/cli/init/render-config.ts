import type { Config } from '../../project/config-schema.ts'

const widest = 100

/** The text of a `viva.config.ts`. Without the package in reach, it has no import that could not be found. */
export function renderConfig(config: Config, found: string, isInstalled: boolean): string {
  const data = renderValue(config, 0)
  // The name of a file may contain a line break, which would end the comment.
  const about = `// viva init found ${found.replace(/[\r\n\u2028\u2029]+/g, ' ')}.`
  if (isInstalled)
    return `import { defineConfig } from 'vivavoce'\n\n${about}\nexport default defineConfig(${data})\n`
  const install =
    "// After `npm install --save-dev vivavoce`, defineConfig({ … }) from 'vivavoce' gives these keys their types."
  return `${about}\n${install}\nexport default ${data}\n`
}

/** Data as JavaScript: on one line where it fits. */
function renderValue(value: unknown, depth: number): string {
  if (typeof value !== 'object' || value === null) return renderPlain(value)
  const isList = Array.isArray(value)
  const items = isList
    ? value.map((item) => renderValue(item, depth + 1))
    : Object.entries(value).map(([key, item]) => `${renderKey(key)}: ${renderValue(item, depth + 1)}`)
  const [open, close, space] = isList ? ['[', ']', ''] : ['{', '}', ' ']
  if (items.length === 0) return open + close
  const line = `${open}${space}${items.join(', ')}${space}${close}`
  // The config itself has a line for each key.
  if (depth > 0 && line.length + depth * 2 <= widest && !line.includes('\n')) return line
  const indent = '  '.repeat(depth)
  return `${open}\n${items.map((item) => `${indent}  ${item},\n`).join('')}${indent}${close}`
}

function renderPlain(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${escaped.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`
}

function renderKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : renderPlain(key)
}
