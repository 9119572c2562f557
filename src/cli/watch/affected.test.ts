import { describe, expect, it } from 'vitest'
import { affectedPart, type InputFile, type RunFiles } from './affected.ts'
import { describePart, everything, mergeParts } from './part.ts'

const cases = (path: string, ...uses: string[]): InputFile => ({
  path,
  isClosed: false,
  uses: new Set([path, ...uses]),
})
const tests = (path: string, ...uses: string[]): InputFile => ({ ...cases(path, ...uses), isClosed: true })
const nothing: RunFiles = {
  inputs: [],
  folders: [],
  hasGenerators: false,
  shared: new Set(),
  packages: [],
}
const affected = (run: Partial<RunFiles>, changed: string[], gone: string[] = []) =>
  affectedPart(changed, { ...nothing, ...run }, (path) => !gone.includes(path))
const files = (...paths: string[]) => ({ files: new Set(paths) })

describe('what a change affects', () => {
  const run = {
    inputs: [cases('/app/tests/a.jsonl'), cases('/app/tests/b.cases.ts', '/app/tests/b-data.ts')],
    folders: ['/app/tests'],
    shared: new Set(['/app/viva.config.ts', '/app/agent.ts', '/app/lib.ts']),
  }

  it('a case file affects its own cases', () => {
    expect(affected(run, ['/app/tests/a.jsonl'])).toEqual(files('/app/tests/a.jsonl'))
    expect(affected(run, ['/app/tests/b.cases.ts'])).toEqual(files('/app/tests/b.cases.ts'))
  })

  it('two case files affect the cases of both', () => {
    const both = ['/app/tests/a.jsonl', '/app/tests/b.cases.ts']
    expect(affected(run, both)).toEqual(files(...both))
  })

  it.each([
    ['the config', '/app/viva.config.ts'],
    ['the agent', '/app/agent.ts'],
    ['what the agent imports', '/app/lib.ts'],
    ['a file that nothing is known of', '/app/data/menu.json'],
    ['what a case file imports, which hooks may use too', '/app/tests/b-data.ts'],
  ])('%s affects everything', (_, path) => expect(affected(run, [path])).toEqual(everything))

  it('a case file and something else affect everything', () => {
    expect(affected(run, ['/app/tests/a.jsonl', '/app/agent.ts'])).toEqual(everything)
  })

  it('a case file of a folder that is gone affects nothing, whatever else is changed', () => {
    expect(affected(run, ['/app/tests/a.jsonl'], ['/app/tests/a.jsonl'])).toBeUndefined()
    const both = ['/app/tests/a.jsonl', '/app/tests/b.cases.ts']
    expect(affected(run, both, ['/app/tests/a.jsonl'])).toEqual(files('/app/tests/b.cases.ts'))
  })

  it('a case file that the command names, and that is gone, is run for the error', () => {
    const named = { ...run, folders: [] }
    const path = '/app/tests/a.jsonl'
    expect(affected(named, [path], [path])).toEqual(files(path))
  })

  it('a case file that the agent imports affects everything', () => {
    const imported = { ...run, shared: new Set(['/app/tests/b.cases.ts']) }
    expect(affected(imported, ['/app/tests/b.cases.ts'])).toEqual(everything)
  })
})

describe('what a change affects in runs of script tests and suites', () => {
  const inputs = [
    tests('/app/setup_test.ts', '/app/setup.ts', '/app/shared.ts'),
    tests('/app/other_test.ts', '/app/other.ts', '/app/shared.ts'),
  ]

  it('a test file and the file that it tests affect its tests', () => {
    expect(affected({ inputs }, ['/app/setup_test.ts'])).toEqual(files('/app/setup_test.ts'))
    expect(affected({ inputs }, ['/app/setup.ts'])).toEqual(files('/app/setup_test.ts'))
  })

  it('a file that both import affects both', () => {
    expect(affected({ inputs }, ['/app/shared.ts'])).toEqual(
      files('/app/setup_test.ts', '/app/other_test.ts'),
    )
  })

  it('a file that none imports affects everything', () => {
    expect(affected({ inputs }, ['/app/data.json'])).toEqual(everything)
  })

  it('with cases or generators beside them, a tested file affects everything', () => {
    const mixed = [...inputs, cases('/app/a.jsonl')]
    expect(affected({ inputs: mixed }, ['/app/setup.ts'])).toEqual(everything)
    expect(affected({ inputs, hasGenerators: true }, ['/app/setup.ts'])).toEqual(everything)
    expect(affected({ inputs: mixed }, ['/app/setup_test.ts'])).toEqual(files('/app/setup_test.ts'))
  })
})

describe('what a change affects when several agents are tested', () => {
  const packages = (isMentioned = false) => [
    { name: 'expense', folder: '/app/assistants/expense', isMentioned: () => isMentioned },
    { name: 'travel', folder: '/app/assistants/travel', isMentioned: () => false },
  ]

  it('a file of one package affects the cases with that agent', () => {
    const part = affected({ packages: packages() }, ['/app/assistants/expense/prompts.yml'])
    expect(part).toEqual({ agents: new Set(['expense']) })
  })

  it('a file of a package that others mention affects everything', () => {
    expect(affected({ packages: packages(true) }, ['/app/assistants/expense/prompts.yml'])).toEqual(
      everything,
    )
  })

  it('a file of a package that is not tested affects everything', () => {
    expect(affected({ packages: packages() }, ['/app/assistants/judge/prompts.yml'])).toEqual(everything)
  })

  it('a case file in a package affects its cases with all agents', () => {
    const path = '/app/assistants/expense/tests/a.jsonl'
    expect(affected({ packages: packages(), inputs: [cases(path)] }, [path])).toEqual(files(path))
  })
})

describe('parts of a run', () => {
  it('together leave nothing out of either', () => {
    expect(mergeParts(undefined, files('/a'))).toEqual(files('/a'))
    expect(mergeParts(files('/a'), files('/b'))).toEqual(files('/a', '/b'))
    expect(mergeParts(files('/a'), everything)).toEqual(everything)
    expect(mergeParts(files('/a'), { failed: true })).toEqual(everything)
    expect(mergeParts({ failed: true }, { failed: true })).toEqual({ failed: true })
  })

  it('are described with the number of their cases', () => {
    const show = (path: string) => path.slice(1)
    expect(describePart(files('/a.jsonl'), 2, show)).toBe('2 cases of a.jsonl, changed')
    expect(describePart(files('/a', '/b', '/c', '/d', '/e'), 1, show)).toBe(
      '1 case of a, b, c and 2 more, changed',
    )
    expect(describePart({ agents: new Set(['expense']) }, 3, show)).toBe('3 cases with expense, changed')
    expect(describePart({ failed: true }, 3, show)).toBe('3 cases that did not pass')
    expect(describePart(everything, 3, show)).toBeUndefined()
  })
})
