import { isPlain } from './brand.ts'
import {
  apply,
  includes,
  plainPrototype,
  plainToString,
  propertyOf,
  prototypeOf,
  readSource,
} from './untouched.ts'

interface Shown {
  call: 'toJSON' | 'toString'
  value: unknown
}

/**
 * What an object without properties of its own shows of itself, as a URL does. Throws where it must keep data in
 * private fields that nobody can compare: two of them would look equal whatever is in them. `always`: also where it may
 * have none, since compilers turn private fields into other code.
 */
export function hiddenState(value: object, always: boolean): Shown | undefined {
  const { toJSON, toString: asText } = value as { toJSON?: unknown; toString?: unknown }
  if (typeof toJSON === 'function') return { call: 'toJSON', value: apply(toJSON, value, ['']) }
  if (typeof asText === 'function' && asText !== plainToString) {
    return { call: 'toString', value: apply(asText, value, []) }
  }
  const keeper = makerWithSecrets(value, always)
  if (keeper === undefined) return undefined
  throw new TypeError(`${keeper} keeps its data to itself: compare what its methods give`)
}

/** The name of the class, it or one it extends, whose source has private names or is not JavaScript. */
function makerWithSecrets(value: object, always: boolean): string | undefined {
  if (isPlain(value)) return undefined
  for (
    let prototype: object | null = prototypeOf(value);
    prototype !== null && prototype !== plainPrototype;
    prototype = prototypeOf(prototype)
  ) {
    const maker: unknown = propertyOf(prototype, 'constructor')?.value
    if (typeof maker !== 'function') continue
    const source = readSource(maker)
    if (always || includes(source, '#') || includes(source, '[native code]')) return String(maker.name)
  }
  return undefined
}
