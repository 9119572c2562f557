import type { Difference, Mismatch, PathPart } from '../../../json/equal/difference.ts'
import { stringify, symbolText } from '../../../json/equal/untouched.ts'
import { showBoth, showValue } from './show-value.ts'

/** `items[2].total: expected 5, got 6` */
export function describeDifference(difference: Difference, root = ''): string {
  const { path, label } = difference
  const place = pathText(label === undefined ? path : [...path, label], root)
  return place === '' ? words(difference) : `${place}: ${words(difference)}`
}

function words({ about, expected, actual }: Mismatch): string {
  if (about === 'missing') return `expected ${showValue(expected)}, got nothing`
  if (about === 'extra') return `expected nothing, got ${showValue(actual)}`
  if (about === 'size') return `expected ${items(expected)}, got ${actual}`
  if (about === 'member') return `expected ${showValue(expected)} in it, got none like that`
  const [wanted, got] = showBoth(expected, actual)
  return `expected ${wanted}, got ${got}${wanted === got ? ' (they only look alike)' : ''}`
}

function items(total: unknown): string {
  return total === 1 ? '1 item' : `${total} items`
}

const longestPath = 12

/** `items[2].total`; of a very long path the end, which says more than the start. */
function pathText(labels: readonly PathPart[], root: string): string {
  const shown = labels.slice(-longestPath).map(labelText).join('')
  if (labels.length > longestPath) return `…${shown}`
  return root === '' ? shown.replace(/^\./, '') : `${root}${shown}`
}

function labelText(label: PathPart): string {
  if (typeof label === 'number') return `[${label}]`
  if (typeof label === 'symbol') return `[${symbolText(label)}]`
  if (typeof label === 'object') return 'call' in label ? `.${label.call}()` : `.get(${showValue(label.get)})`
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(label) ? `.${label}` : `[${stringify(label)}]`
}
