import { expect, it } from 'vitest'
import { createMissing } from './missing.ts'

it.each(Object.entries(createMissing()))('%s says that it is not there, called or made', (name, missing) => {
  const message = `${name} is a service of the Yao engine, which viva does not have. Put that work into a process`
  expect(() => missing()).toThrow(message)
  expect(() => Reflect.construct(missing, ['default'])).toThrow(message)
})
