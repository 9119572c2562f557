import { isPlain } from '../brand.ts'
import {
  apply,
  includes,
  plainPrototype,
  plainToString,
  propertyOf,
  prototypeOf,
  sourceOf,
} from '../untouched.ts'

interface Shown {
  call: 'toJSON' | 'toString'
  value: unknown
}

/**
 * Reads what an object without own properties shows of itself, as a URL does. Throws when it must have data in private
 * fields that cannot be compared: two such objects would look equal whatever they contain.
 */
export function hiddenState(value: object): Shown | undefined {
  const { toJSON, toString: asText } = value as { toJSON?: unknown; toString?: unknown }
  if (typeof toJSON === 'function') return { call: 'toJSON', value: apply(toJSON, value, ['']) }
  if (typeof asText === 'function' && asText !== plainToString) {
    return { call: 'toString', value: apply(asText, value, []) }
  }
  const keeper = makerWithSecrets(value)
  if (keeper === undefined) return undefined
  throw new TypeError(`${keeper} keeps its data to itself: compare what its methods give`)
}

/** The name of the first class in its chain whose source has private names or is not JavaScript. */
function makerWithSecrets(value: object): string | undefined {
  if (isPlain(value)) return undefined
  for (
    let prototype: object | null = prototypeOf(value);
    prototype !== null && prototype !== plainPrototype;
    prototype = prototypeOf(prototype)
  ) {
    const maker: unknown = propertyOf(prototype, 'constructor')?.value
    if (typeof maker !== 'function') continue
    const source = sourceOf(maker)
    if (includes(source, '#') || includes(source, '[native code]')) return String(maker.name)
  }
  return undefined
}
