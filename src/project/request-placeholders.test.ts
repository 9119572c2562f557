import { expect, it } from 'vitest'
import { templateProblem } from './request-placeholders.ts'

it('the first placeholder of a request that is not known is a problem', () => {
  expect(templateProblem({ a: '{{metadata.x}} {{options}} {{env.KEY}}' })).toBeUndefined()
  expect(templateProblem({ a: '{{imput}}' })).toBe('unknown placeholder {{imput}}: did you mean {{input}}?')
  expect(templateProblem('{{env}}')).toBe('unknown placeholder {{env}}')
  expect(templateProblem('{{}}')).toContain('unknown placeholder')
})
