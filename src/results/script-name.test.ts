import { describe, expect, it } from 'vitest'
import { scriptName } from './script-name.ts'

describe('scriptName', () => {
  it.each([
    ['assistants/expense/src/setup_test.ts', 'scripts.expense.setup', 'expense/src/setup_test.ts'],
    ['app/assistants/expense/src/setup_test.mjs', 'scripts.expense.setup', 'expense/src/setup_test.mjs'],
    ['assistants/tools/expense/src/a_test.ts', 'scripts.tools.expense.a', 'tools/expense/src/a_test.ts'],
    ['assistants/expense/src/deep/er_test.ts', 'scripts.expense.deep.er', 'expense/src/deep/er_test.ts'],
    ['assistants/a/src/src/b_test.ts', 'scripts.a.src.b', 'a/src/src/b_test.ts'],
    ['my-assistants/assistants/a/src/b_test.ts', 'scripts.a.b', 'a/src/b_test.ts'],
    ['assistants/a/src/x_test_test.ts', 'scripts.a.x_test', 'a/src/x_test_test.ts'],
  ])('has the agent in it: %s', (file, id, path) => {
    expect(scriptName(file)).toEqual({ id, path })
  })

  it.each([
    'tests/own_test.ts',
    'own_test.ts',
    'assistants/src/own_test.ts',
    'assistants/own_test.ts',
    'my-assistants/a/src/b_test.ts',
    'assistants/a/src/b.ts',
    '../elsewhere/own_test.ts',
    '',
  ])('is the path of a file that belongs to no agent: %j', (file) => {
    expect(scriptName(file)).toEqual({ id: file, path: file })
  })
})
