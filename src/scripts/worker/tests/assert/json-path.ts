import { findDifference } from '../../../../json/equal/find-difference.ts'
import { extractOrRepairJson } from '../../../../json/extract-json.ts'
import { compilePath } from '../../../../json/path.ts'
import { repairNote } from '../../../../json/repair-json.ts'
import { describeDifference } from '../describe-difference.ts'
import { showValue, showWithKind } from '../show-value.ts'
import { failVerdict, held, type TestAssertion } from './definition.ts'

/** A dotted path or a JSONPath, in data or in text that contains JSON, or almost JSON. What it finds must be equal. */
export const jsonPath: TestAssertion = {
  takes: ['the value', 'the path', 'the expected value'],
  judge(value, source, expected, bridge) {
    if (typeof source !== 'string' || source === '') {
      return failVerdict(`JSONPath needs a path that is a string, got ${showWithKind(source)}`)
    }
    const path = compilePath(source)
    const data = typeof value === 'string' ? extractOrRepairJson(value) : { value, repairs: [] }
    if (data === undefined) return failVerdict(`the text holds no JSON: ${showValue(value)}`, expected, value)
    const note = repairNote(data.repairs)
    const found = path.find(data.value)
    if (found === undefined) {
      return failVerdict(`${source} is missing, expected ${showValue(expected)}${note}`, expected, data.value)
    }
    const difference = findDifference(found.value, expected)
    if (difference !== undefined)
      return failVerdict(`${describeDifference(difference, source)}${note}`, expected, found.value)
    // A passed assertion has no reason that could mention it.
    if (note !== '') bridge.print(`t.assert.JSONPath ${source}${note}`)
    return held
  },
}
