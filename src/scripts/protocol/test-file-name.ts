import { existsSync } from 'node:fs'

const testFile = /_test(\.[cm]?[jt]sx?)$/

export const scriptExtensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs']

export function isTestFile(file: string): boolean {
  return testFile.test(file)
}

/** Finds the file that a test file tests: `setup.ts` for `setup_test.ts`. */
export function testedFile(file: string): string | undefined {
  const [ending, own = ''] = testFile.exec(file) ?? []
  if (ending === undefined) return undefined
  const base = file.slice(0, -ending.length)
  return [own, ...scriptExtensions].map((extension) => base + extension).find((path) => existsSync(path))
}

export function isTestName(name: string): boolean {
  return name.startsWith('Test') && name !== 'TestMain'
}
