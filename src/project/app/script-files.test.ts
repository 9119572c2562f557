import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeProjects, writeProject } from '../../../test/fixtures/scripts/project.ts'
import { agentOfScript, createAppScripts, findScript, findTestFile, scriptProblem } from './script-files.ts'

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

/** As the command looks: scripts of the app, then of the agent. */
function found(reference: string) {
  const script = findScript(reference, [at('app/scripts'), at('app/assistants/expense/src')])
  return script === undefined ? undefined : [script.file.slice(at('app/').length), script.function]
}

describe('a reference to a script', () => {
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
  ])('names a file and perhaps a function: %s', (reference, file, name) => {
    expect(found(reference)).toEqual([file, name])
  })

  it('means the longest beginning that is a file', () => {
    expect(found('scripts.tests.Check')).toEqual(['scripts/tests/Check.ts', undefined])
  })

  it('is looked for in the folders in their order, all of it in one before the next', () => {
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

  it('finds TypeScript before JavaScript, and no data', () => {
    expect(found('plain')).toEqual(['scripts/plain.ts', undefined])
    expect(found('data')).toBeUndefined()
  })

  it('finds hooks in a test file, after the file itself', () => {
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
  ])('that names nothing in the folders finds nothing: %j', (reference) => {
    expect(found(reference)).toBeUndefined()
  })

  it('with an absolute path does not leave the folders', () => {
    for (const file of ['outside', 'app/beside', 'outside_test']) {
      expect(found(at(file))).toBeUndefined()
      expect(found(`scripts:${at(file)}.Check`)).toBeUndefined()
      expect(found(`scripts:${at(`${file}.ts`)}`)).toBeUndefined()
    }
  })

  it('that finds nothing is told with where was looked', () => {
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

  it('belongs to the app or to an agent', () => {
    expect(file('scripts.tests.Validate')).toEqual(['scripts/tests.ts', 'Validate'])
    expect(file('agents.expense.own.Create')).toEqual(['assistants/expense/src/own.ts', 'Create'])
    expect(file('agents.expense.scripts.Create')).toEqual(['assistants/expense/src/scripts.ts', 'Create'])
    expect(file('agents.expense.own')).toEqual(['assistants/expense/src/own.ts', undefined])
  })

  it('belongs to the agent with the longest id', () => {
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
  ])('is not %j', (name) => {
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

  it('has names to guess from, without tests and data', () => {
    const names = app().processNames()
    expect(names).toEqual(
      expect.arrayContaining(['scripts.tests', 'scripts.tests.deep', 'scripts.validate-expense']),
    )
    expect(names.join()).not.toMatch(/_test|data/)
  })

  it('has none where the app has no scripts', () => {
    const root = at('package')
    expect(
      createAppScripts({ root, cwd: root, config: {}, env: {}, envFile: {}, appRoot: root }).processNames(),
    ).toEqual([])
  })
})

describe('the test file of an id', () => {
  const find = (id: string, packageFolder?: string) =>
    findTestFile(id, { appRoot: at('app'), cwd: at('.'), ...(packageFolder && { packageFolder }) })

  it.each([
    ['scripts.expense.setup', 'app/assistants/expense/src/setup_test.ts'],
    ['expense.setup', 'app/assistants/expense/src/setup_test.ts'],
    ['scripts.expense.deep.er', 'app/assistants/expense/src/deep/er_test.mjs'],
    ['scripts.tools.expense.setup', 'app/assistants/tools/expense/src/setup_test.ts'],
  ])('is below the agent: %s', (id, file) => {
    expect(find(id).file).toBe(at(file))
  })

  it('is in the package where there is no agent in the id', () => {
    expect(find('scripts.loose', at('package')).file).toBe(at('package/src/loose_test.ts'))
    expect(find('scripts.loose').file).toBeUndefined()
  })

  it('is below the working folder where there is no app', () => {
    const { file } = findTestFile('scripts.package.loose', { cwd: at('.') })
    expect(file).toBe(at('package/src/loose_test.ts'))
  })

  it.each(['scripts.expense.nowhere', 'scripts.expense', 'scripts.', '', '..', 'scripts.../outside'])(
    'is not there for %j, and it is said where it was looked for',
    (id) => {
      const { file, tried } = find(id)
      expect(file).toBeUndefined()
      for (const path of tried) expect(path.startsWith(at('.')), path).toBe(true)
    },
  )

  it('is told with all places that it could have', () => {
    expect(find('scripts.a.b.c').tried.slice(0, 2)).toEqual([
      at('app/assistants/a/b/src/c_test.ts'),
      at('app/assistants/a/src/b/c_test.ts'),
    ])
  })
})

describe('the agent of a test file', () => {
  it.each([
    ['app/assistants/expense/src/setup_test.ts', 'scripts.expense.setup', 'expense'],
    ['app/assistants/expense/src/deep/er_test.mjs', 'scripts.expense.deep.er', 'expense'],
    ['app/assistants/tools/expense/src/setup_test.ts', 'scripts.tools.expense.setup', 'tools.expense'],
  ])('is the folder that its src is in: %s', (file, id, agent) => {
    expect(agentOfScript(at(file), { appRoot: at('app') })).toBe(agent)
    expect(findTestFile(id, { appRoot: at('app'), cwd: at('app') }).file).toBe(at(file))
  })

  it.each([
    'app/scripts/only_test.ts',
    'app/assistants/src/x_test.ts',
    'outside_test.ts',
    'app/src/x_test.ts',
  ])('is none for a test of no agent: %s', (file) => {
    expect(agentOfScript(at(file), { appRoot: at('app') })).toBeUndefined()
    expect(agentOfScript(at(file), {})).toBeUndefined()
  })
})
