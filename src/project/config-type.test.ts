import { expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import type { configSchema } from './config-schema.ts'
import type { ConfigInput } from './config-type.ts'

it('the type of a config with doc comments is what its schema accepts', () => {
  expectTypeOf<ConfigInput>().toEqualTypeOf<z.input<typeof configSchema>>()
})
