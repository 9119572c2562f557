import { expect, it } from 'vitest'
import { holm } from './holm.ts'

it('makes p worth less the more there were, by Holm’s steps', () => {
  // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
  expect(holm([0.01, 0.04, 0.03, 0.005])).toEqual([0.03, 0.06, 0.06, 0.02])
  expect(holm([0.5, 0.6])).toEqual([1, 1])
  expect(holm([])).toEqual([])
})
