import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeProjects, writeProject } from '../../../test/fixtures/scripts/project.ts'
import { createAppScripts, findScript, findScriptAgent, findTestFile, scriptProblem } from './script-files.ts'

let at: (file: string) => string

beforeAll(async () => {
  at = await writeProject({
    'outside.ts': '',
    'outside_test.ts': '',
    'app/app.yao': '{}',
    'app/beside.ts': '',
    'app/scripts.ts': '',
    'app/scripts/tests.ts': '',
    'app/scripts/tests/Check.ts': '',
    'app/scripts/tests/deep.ts': '',
    'app/scripts/validate-expense.ts': '',
    'app/scripts/both.ts': '',
    'app/scripts/both_test.ts': '',
    'app/scripts/only_test.ts': '',
    'app/scripts/plain.js': '',
    'app/scripts/plain.ts': '',
    'app/scripts/data.json': '{}',
    'app/scripts/folder.d/x.ts': '',
    'app/assistants/expense/src/tests.ts': '',
    'app/assistants/expense/src/own.ts': '',
    'app/assistants/expense/src/scripts.ts': '',
    'app/assistants/expense/src/setup_test.ts': '',
    'app/assistants/expense/src/deep/er_test.mjs': '',
    'app/assistants/tools/expense/src/tools.ts': '',
    'app/assistants/tools/expense/src/setup_test.ts': '',
    'app/assistants/tools/src/expense.ts': '',
    'app/assistants/src/Stream.ts': '',
    'package/src/loose_test.ts': '',
  })
})

afterAll(removeProjects)

/** Searches as the command does: scripts of the app, then of the agent. */
function found(reference: string) {
  const script = findScript(reference, [at('app/scripts'), at('app/assistants/expense/src')])
  return script === undefined ? undefined : [script.file.slice(at('app/').length), script.function]
}

describe('findScript', () => {
  it.each<[string, string, string | undefined]>([
    ['scripts.tests.Validate', 'scripts/tests.ts', 'Validate'],
    ['scripts:tests.Validate', 'scripts/tests.ts', 'Validate'],
    ['tests.Validate', 'scripts/tests.ts', 'Validate'],
    ['scripts.tests', 'scripts/tests.ts', undefined],
    ['scripts.tests.deep.Check', 'scripts/tests/deep.ts', 'Check'],
    ['scripts:validate-expense', 'scripts/validate-expense.ts', undefined],
    ['scripts:validate-expense.Check', 'scripts/validate-expense.ts', 'Check'],
    ['own.Before', 'assistants/expense/src/own.ts', 'Before'],
    ['scripts.scripts.Check', 'assistants/expense/src/scripts.ts', 'Check'],
  ])('finds a file and an optional function: %s', (reference, file, name) => {
    expect(found(reference)).toEqual([file, name])
  })

  it('prefers the longest prefix that is a file', () => {
    expect(found('scripts.tests.Check')).toEqual(['scripts/tests/Check.ts', undefined])
  })

  it('searches each folder completely before the next', () => {
    const tests = (...folders: string[]) => findScript('tests.Any', folders.map(at))
    expect(tests('app/scripts', 'app/assistants/expense/src')).toMatchObject({
      file: at('app/scripts/tests.ts'),
    })
    expect(tests('app/assistants/expense/src', 'app/scripts')).toMatchObject({
      file: at('app/assistants/expense/src/tests.ts'),
    })
    expect(tests('nowhere', 'app/scripts')).toMatchObject({ file: at('app/scripts/tests.ts') })
    expect(tests()).toBeUndefined()
  })

  it('prefers TypeScript to JavaScript and ignores data files', () => {
    expect(found('plain')).toEqual(['scripts/plain.ts', undefined])
    expect(found('data')).toBeUndefined()
  })

  it('finds hooks in a test file if there is no file without _test', () => {
    expect(found('only.Before')).toEqual(['scripts/only_test.ts', 'Before'])
    expect(found('only_test.Before')).toEqual(['scripts/only_test.ts', 'Before'])
    expect(found('both.Before')).toEqual(['scripts/both.ts', 'Before'])
    expect(found('both_test.Before')).toEqual(['scripts/both_test.ts', 'Before'])
  })

  it.each([
    'scripts.nowhere.Check',
    'scripts.tests.nowhere.Check',
    'scripts:../beside',
    'scripts:../../outside',
    'scripts.../../outside.Check',
    'scripts:..',
    'scripts:.',
    'scripts.',
    'scripts:',
    'scripts..Check',
    '.Check',
    '.',
    '',
    'scripts.tests..Validate',
    'scripts.tests.',
    'scripts:..\\..\\outside',
    'tests\0.Check',
    'x'.repeat(5000),
  ])('finds nothing for a reference outside of the folders: %j', (reference) => {
    expect(found(reference)).toBeUndefined()
  })

  it('does not leave the folders with an absolute path', () => {
    for (const file of ['outside', 'app/beside', 'outside_test']) {
      expect(found(at(file))).toBeUndefined()
      expect(found(`scripts:${at(file)}.Check`)).toBeUndefined()
      expect(found(`scripts:${at(`${file}.ts`)}`)).toBeUndefined()
    }
  })

  it('reports where it looked when nothing is found', () => {
    const folders = [at('app/scripts'), at('app')]
    expect(scriptProblem('scripts.tsets.Check', folders, at('app'))).toBe(
      'no script "scripts.tsets.Check": there is neither tsets/Check.ts nor a function of tsets.ts in scripts, .',
    )
    expect(scriptProblem('tsets', folders, at('app'))).toBe(
      'no script "tsets": there is no tsets.ts in scripts, .',
    )
  })
})

describe('a process that is a script', () => {
  const app = () =>
    createAppScripts({
      root: at('app'),
      cwd: at('app'),
      config: {},
      env: {},
      envFile: {},
      appRoot: at('app'),
    })
  const file = (name: string) => {
    const script = app().ofProcess(name)
    return script && [script.file.slice(at('app/').length), script.function]
  }

  it('finds scripts of the app and of its agents', () => {
    expect(file('scripts.tests.Validate')).toEqual(['scripts/tests.ts', 'Validate'])
    expect(file('agents.expense.own.Create')).toEqual(['assistants/expense/src/own.ts', 'Create'])
    expect(file('agents.expense.scripts.Create')).toEqual(['assistants/expense/src/scripts.ts', 'Create'])
    expect(file('agents.expense.own')).toEqual(['assistants/expense/src/own.ts', undefined])
  })

  it('prefers the agent with the longest id', () => {
    expect(file('agents.tools.expense.tools.Create')).toEqual([
      'assistants/tools/expense/src/tools.ts',
      'Create',
    ])
    expect(file('agents.tools.expense.Create')).toEqual(['assistants/tools/src/expense.ts', 'Create'])
  })

  it.each([
    'tests.Validate',
    'scripts',
    'scripts.',
    'scripts:tests.Validate',
    'agents.nobody.own.Create',
    'agents.expense.nowhere.Create',
    'agents.expense',
    'agents..Stream',
    'agents.',
    'agents.expense..own.Create',
    'agents.expense.own.',
    'models.user.Find',
    '__proto__',
    '',
  ])('finds no script for %j', (name) => {
    expect(app().ofProcess(name)).toBeUndefined()
  })

  it('is there only in an app', () => {
    const { ofProcess, processNames } = createAppScripts({
      root: at('app'),
      cwd: at('app'),
      config: {},
      env: {},
      envFile: {},
    })
    expect(ofProcess('scripts.tests.Validate')).toBeUndefined()
    expect(ofProcess('agents.expense.own.Create')).toBeUndefined()
    expect(processNames()).toEqual([])
  })

  it('lists process names without tests and data files', () => {
    const names = app().processNames()
    expect(names).toEqual(
      expect.arrayContaining(['scripts.tests', 'scripts.tests.deep', 'scripts.validate-expense']),
    )
    expect(names.join()).not.toMatch(/_test|data/)
  })

  it('lists no names for an app without scripts', () => {
    const root = at('package')
    expect(
      createAppScripts({ root, cwd: root, config: {}, env: {}, envFile: {}, appRoot: root }).processNames(),
    ).toEqual([])
  })
})

describe('findTestFile', () => {
  const find = (id: string, packageFolder?: string) =>
    findTestFile(id, { appRoot: at('app'), cwd: at('.'), ...(packageFolder && { packageFolder }) })

  it.each([
    ['scripts.expense.setup', 'app/assistants/expense/src/setup_test.ts'],
    ['expense.setup', 'app/assistants/expense/src/setup_test.ts'],
    ['scripts.expense.deep.er', 'app/assistants/expense/src/deep/er_test.mjs'],
    ['scripts.tools.expense.setup', 'app/assistants/tools/expense/src/setup_test.ts'],
  ])('finds the test file below the agent: %s', (id, file) => {
    expect(find(id).file).toBe(at(file))
  })

  it('looks in the package when the id has no agent', () => {
    expect(find('scripts.loose', at('package')).file).toBe(at('package/src/loose_test.ts'))
    expect(find('scripts.loose').file).toBeUndefined()
  })

  it('looks below the working folder when there is no app', () => {
    const { file } = findTestFile('scripts.package.loose', { cwd: at('.') })
    expect(file).toBe(at('package/src/loose_test.ts'))
  })

  it.each(['scripts.expense.nowhere', 'scripts.expense', 'scripts.', '', '..', 'scripts.../outside'])(
    'finds nothing for %j and reports where it looked',
    (id) => {
      const { file, tried } = find(id)
      expect(file).toBeUndefined()
      for (const path of tried) expect(path.startsWith(at('.')), path).toBe(true)
    },
  )

  it('reports all possible places', () => {
    expect(find('scripts.a.b.c').tried.slice(0, 2)).toEqual([
      at('app/assistants/a/b/src/c_test.ts'),
      at('app/assistants/a/src/b/c_test.ts'),
    ])
  })
})

describe('agentOfScript', () => {
  it.each([
    ['app/assistants/expense/src/setup_test.ts', 'scripts.expense.setup', 'expense'],
    ['app/assistants/expense/src/deep/er_test.mjs', 'scripts.expense.deep.er', 'expense'],
    ['app/assistants/tools/expense/src/setup_test.ts', 'scripts.tools.expense.setup', 'tools.expense'],
  ])('returns the folder that contains src: %s', (file, id, agent) => {
    expect(findScriptAgent(at(file), { appRoot: at('app') })).toBe(agent)
    expect(findTestFile(id, { appRoot: at('app'), cwd: at('app') }).file).toBe(at(file))
  })

  it.each([
    'app/scripts/only_test.ts',
    'app/assistants/src/x_test.ts',
    'outside_test.ts',
    'app/src/x_test.ts',
  ])('returns undefined for a file outside of an agent: %s', (file) => {
    expect(findScriptAgent(at(file), { appRoot: at('app') })).toBeUndefined()
    expect(findScriptAgent(at(file), {})).toBeUndefined()
  })
})
