import { afterAll, describe, expect, it } from 'vitest'
import { removeProjects, writeProject } from '../../../test/fixtures/scripts/project.ts'
import { isTestFile, scriptExtensions, testedFile } from './test-file-name.ts'

afterAll(removeProjects)

describe('a test file', () => {
  it.each(scriptExtensions)('may have the extension %s', (extension) => {
    expect(isTestFile(`/app/src/setup_test${extension}`)).toBe(true)
  })

  it.each([
    'setup.ts',
    'setup_test.json',
    'setup_test.ts.bak',
    'setup_test.d.ts',
    'setup_tests.ts',
    'setup.test.ts',
    'setup_TEST.ts',
    'setup_test/index.ts',
    '_test',
    '',
  ])('is not %s', (file) => {
    expect(isTestFile(file)).toBe(false)
  })
})

describe('the tested file', () => {
  it('has the same extension, or else any', async () => {
    const at = await writeProject({
      'a.ts': '',
      'a.js': '',
      'b.mjs': '',
      'c.json': '',
      'd_test.ts': '',
      'folder/e.ts': '',
    })
    expect(testedFile(at('a_test.ts'))).toBe(at('a.ts'))
    expect(testedFile(at('a_test.js'))).toBe(at('a.js'))
    expect(testedFile(at('a_test.tsx'))).toBe(at('a.ts'))
    expect(testedFile(at('b_test.ts'))).toBe(at('b.mjs'))
    expect(testedFile(at('c_test.ts'))).toBeUndefined()
    expect(testedFile(at('d_test_test.ts'))).toBe(at('d_test.ts'))
    expect(testedFile(at('folder_test.ts'))).toBeUndefined()
    expect(testedFile(at('_test.ts'))).toBeUndefined()
    expect(testedFile(at('a.ts'))).toBeUndefined()
  })
})
