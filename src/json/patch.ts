import { isRecord } from './json.ts'

/** Copies of copies grow without bounds: this many characters of JSON are enough. */
const maxCopied = 10_000_000

/** Applies the operations of a JSON Patch (RFC 6902) to a copy. An operation that does not fit is left out. */
export function applyPatch(value: unknown, operations: readonly unknown[]): unknown {
  let patched = structuredClone(value)
  let copied = 0
  for (const operation of operations) {
    if (!isRecord(operation)) continue
    const { op, path, from } = operation
    if (op === 'test') continue
    const source = typeof from === 'string' ? readPointer(patched, splitPointer(from)) : operation.value
    const text = JSON.stringify(source)
    copied += text?.length ?? 0
    if (copied > maxCopied) break
    const moved: unknown = text === undefined ? undefined : JSON.parse(text)
    if (op === 'move') patched = write(patched, splitPointer(from), undefined, 'remove')
    const action = op === 'replace' || op === 'remove' ? op : 'add'
    patched = write(patched, splitPointer(path), moved, action)
  }
  return patched
}

function splitPointer(pointer: unknown): string[] {
  const [, ...steps] = String(pointer).split('/')
  return steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function readPointer(value: unknown, steps: readonly string[]): unknown {
  let found = value
  for (const step of steps) {
    if (Array.isArray(found)) found = found[Number(step)]
    else found = isRecord(found) && Object.hasOwn(found, step) ? found[step] : undefined
  }
  return found
}

function write(
  target: unknown,
  [step, ...rest]: string[],
  value: unknown,
  action: 'add' | 'replace' | 'remove',
): unknown {
  if (step === undefined) return action === 'remove' ? undefined : value
  if (Array.isArray(target)) return writeItem(target, step, rest, value, action)
  if (!isRecord(target) || step === '__proto__') return target
  if (rest.length > 0) target[step] = write(target[step], rest, value, action)
  else if (action === 'remove') delete target[step]
  else target[step] = value
  return target
}

function writeItem(
  list: unknown[],
  step: string,
  rest: string[],
  value: unknown,
  action: 'add' | 'replace' | 'remove',
): unknown[] {
  const index = step === '-' ? list.length : Number(step)
  if (!Number.isInteger(index) || index < 0 || index > list.length) return list
  if (rest.length > 0) list[index] = write(list[index], rest, value, action)
  else if (action === 'replace') list[index] = value
  else list.splice(index, action === 'remove' ? 1 : 0, ...(action === 'remove' ? [] : [value]))
  return list
}
