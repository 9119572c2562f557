import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPage } from './support/pages.ts'
import { installViva, project, repository } from './support/viva.ts'

/**
 * The examples that other tools publish, as the pages about them have them. They run in docs.test.ts; here their types are
 * looked at. `lines` is what the published example has, without blank lines and comments.
 */
const examples = [
  {
    page: 'scenario',
    of: "Scenario's echo agent",
    files: ['echo.test.ts'],
    lines: 26,
    refused: [
      ["input: 'Hello world!'", 'input: 7'],
      ['expectedOutput:', 'expectedOuput:'],
    ],
  },
  {
    page: 'scenario',
    of: "Scenario's weather agent",
    files: ['weather.test.ts'],
    lines: 81,
    refused: [
      ["type: 'tool_called'", "type: 'tool_caled'"],
      ['stubs: { getCurrentWeather: { error:', 'stubs: { getCurrentWeather: { eror:'],
      ["name: 'getCurrentWeather'", "nmae: 'getCurrentWeather'"],
    ],
  },
  {
    page: 'scenario',
    of: "Scenario's recipe agent",
    files: ['recipe.suite.ts', 'cook.ts'],
    lines: 50,
    refused: [
      ["lastOutput = ''", 'lastOuput = 1'],
      ['terminateWhen:', 'terminatesWhen:'],
      ['criteria })', 'criterions: criteria })'],
    ],
  },
  {
    page: 'vitest-evals',
    of: "vitest-evals' agent of the AI SDK",
    files: ['capitals.test.ts'],
    lines: 41,
    refused: [
      ["input: 'What is the capital of France?'", 'input: 7'],
      ['criteria: [', 'criteria: [7, '],
    ],
  },
  {
    page: 'vitest-evals',
    of: "vitest-evals' refund agent",
    files: ['refund.test.ts'],
    lines: 38,
    refused: [
      ['result.output?.status', 'result.output?.state'],
      ["toCallTool('createRefund'", "toCallTols('createRefund'"],
      ['({ name }) => name', '({ nmae }) => nmae'],
    ],
  },
  {
    page: 'agtlantis',
    of: "the booking agent of @agtlantis/eval's guide",
    files: ['booking.suite.ts'],
    // Without the types of inputs and outputs, which are those of the agent.
    lines: 120 - 15,
    refused: [
      ["fieldEquals('booking.status'", "fieldEquals('booking.staus'"],
      ["'booking.status', 'confirmed'", "'booking.status', 'done'"],
      ["input: { message: 'Hi", "input: { mesage: 'Hi"],
      ['output.reply', 'output.replies'],
    ],
  },
] as const

/** The blocks of a page that are files, by their names. */
function readFiles(page: string): Record<string, string> {
  const blocks = readPage(`docs/from/${page}.md`).matchAll(/^```\w+\n\/\/ file: (\S+)\n(.*?)^```$/gms)
  return Object.fromEntries([...blocks].map(([, name = '', text = '']) => [name, text]))
}

function countLines(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '' && !/^\s*\/[/*]/.test(line)).length
}

const compiler = join(repository, 'node_modules/typescript/bin/tsc')

/** What the compiler says of each of these folders, in one run. */
function compile(cwd: string): string[] {
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', '.'], { cwd, encoding: 'utf8' })
  return stdout.split('\n').filter((line) => line.includes('error TS'))
}

const compilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  module: 'nodenext',
  target: 'es2022',
  lib: ['es2023', 'dom', 'esnext.disposable'],
  types: ['node'],
  allowImportingTsExtensions: true,
}

describe.each(examples)('$of', ({ page, files, lines, refused }) => {
  const all = readFiles(page)
  const own = files.map((name) => all[name] ?? '')

  it('takes no more lines than there, and no types that could be inferred', () => {
    const text = own.join('\n')
    expect(countLines(text)).toBeGreaterThan(4)
    expect(countLines(text)).toBeLessThanOrEqual(lines)
    expect(text).not.toMatch(/\bany\b| as (?!const)|TestCase</)
  })

  it('compiles, and does not with a mistake in it', () => {
    const cwd = project({
      'package.json': '{"type": "module"}',
      'tsconfig.json': JSON.stringify({ compilerOptions }),
    })
    installViva(cwd, 'ai', 'zod', 'vitest')
    mkdirSync(join(cwd, 'node_modules/@types'))
    symlinkSync(join(repository, 'node_modules/@types/node'), join(cwd, 'node_modules/@types/node'))
    const write = (folder: string, changed: Record<string, string>) => {
      mkdirSync(join(cwd, folder))
      for (const [name, text] of Object.entries({ ...all, ...changed }))
        writeFileSync(join(cwd, folder, name), text)
    }
    write('right', {})
    for (const [place, [right, wrong]] of refused.entries()) {
      const name = files.find((each) => all[each]?.includes(right)) ?? ''
      expect(name, `${right} is in the example`).not.toBe('')
      write(`wrong-${place}`, { [name]: all[name]?.replace(right, wrong) ?? '' })
    }
    const errors = compile(cwd)
    expect(
      errors.filter((line) => line.includes('error TS1')),
      'mistakes in the form',
    ).toEqual([])
    const folders = new Set(errors.map((line) => line.split('/')[0]))
    expect([...folders].toSorted(), errors.join('\n')).toEqual(refused.map((_, place) => `wrong-${place}`))
  }, 60_000)
})
