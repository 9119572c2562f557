import { isRecord } from '../../json/json.ts'

/** A value with `{{column}}` in its texts, filled from a row. A text that is only one placeholder keeps the type. */
export function fillTemplate(
  template: unknown,
  row: Record<string, unknown>,
  missing: (name: string) => void,
): unknown {
  if (typeof template === 'string') return fillText(template, row, missing)
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, row, missing))
  if (!isRecord(template)) return template
  return Object.fromEntries(
    Object.entries(template).map(([key, item]) => [key, fillTemplate(item, row, missing)]),
  )
}

function fillText(text: string, row: Record<string, unknown>, missing: (name: string) => void): unknown {
  const value = (name: string) => {
    if (!Object.hasOwn(row, name)) missing(name)
    return row[name]
  }
  const only = /^\{\{\s*([\w.-]+)\s*\}\}$/.exec(text)
  if (only?.[1] !== undefined) return value(only[1])
  return text.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => {
    const filled = value(name)
    return typeof filled === 'string' ? filled : (JSON.stringify(filled) ?? '')
  })
}
