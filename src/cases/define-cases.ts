import type { CaseInput } from './case-type.ts'

/**
 * Gives the cases of a module their types, so that the editor completes and checks their fields, and shows what each
 * field is for.
 *
 * @example
 * import assert from 'node:assert/strict'
 * import { defineCases } from 'vivavoce'
 *
 * // In a tests/greeting.cases.ts: export default defineCases([ … ])
 * const cases = defineCases([
 *   { id: 'greeting', input: 'Hello', assert: { type: 'icontains', value: 'help' } },
 *   { id: 'order', turns: [{ input: 'A coffee, please' }], final_assertions: [{ type: 'tool_called', name: 'order' }] },
 * ])
 * assert.deepEqual(
 *   cases.map(({ id }) => id),
 *   ['greeting', 'order'],
 * )
 */
export function defineCases(cases: CaseInput[]): CaseInput[] {
  return cases
}
