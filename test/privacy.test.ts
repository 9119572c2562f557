import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readReportData } from './support/html-report.ts'
import { jsonl, project, readJsonl, viva } from './support/viva.ts'

const mail = 'ada@example.com'
const card = '4111111111111111'
const word = 'rumpelstiltskin'

/** A project with private text in inputs, replies, tool calls, logs, checks and errors. */
function app(config: object = {}): string {
  return project({
    'viva.config.json': JSON.stringify(config),
    'agent.mjs': `export default (input) => {
      console.log('asked for ${word}')
      if (input.includes('break')) throw new Error('${word} broke it')
      return {
        content: 'The ${word} of ${mail} is ' + input,
        output: { customer: { email: '${mail}', pin: '12' }, raw: '{"pin":"12","note":"${word}"}', word: '${word}' },
        tool_calls: [{ id: '1', name: 'find', arguments: { email: '${mail}', card: ${card} }, result: 'mail ${mail}, ${word}' }],
      }
    }\n`,
    'cases.jsonl': jsonl(
      { id: 'quoted', input: `where is ${word}?`, assert: { type: 'equals', value: 'x' } },
      { id: 'broken', input: `break ${word}` },
      {
        id: 'long',
        turns: [{ input: `a ${word}` }, { input: word, assert: { type: 'tool_called', name: 'lose' } }],
      },
    ),
  })
}

const formats = ['json', 'md', 'xml', 'txt', 'html']

async function collectCaseOutput(cwd: string, ...flags: string[]) {
  return collectOutput(['-i', 'cases.jsonl', '-n', './agent.mjs', '-v'], cwd, ...flags)
}

/** Returns all that a run writes and prints. */
async function collectOutput(run: readonly string[], cwd: string, ...flags: string[]) {
  const outputs = ['jsonl', ...formats].flatMap((format) => ['-o', `out.${format}`])
  const ended = await viva(['test', ...run, ...outputs, ...flags], { cwd })
  const files = readdirSync(cwd).filter((name) => name.startsWith('out.'))
  expect(files).toHaveLength(6)
  const written = files.map((name) => readContent(join(cwd, name)))
  return { ...ended, all: [...written, ended.stdout, ended.stderr].join('\n') }
}

/** Returns the text of a file, including the packed data of an HTML report. */
function readContent(path: string): string {
  const text = readFileSync(path, 'utf8')
  if (!path.endsWith('.html')) return text
  const packed = (['run', 'rows', 'results'] as const).flatMap((kind) => readReportData(path, kind))
  const page = text.replace(/<(style|script)>.*?<\/\1>/gs, '')
  return `${page}\n${JSON.stringify(packed)}`
}

/** Returns all reports that are made of saved results. */
async function collectReports(cwd: string, file: string, ...flags: string[]): Promise<string> {
  const outputs = formats.flatMap((format) => ['-o', `report.${format}`])
  const reported = await viva(['report', file, ...outputs, ...flags], { cwd })
  const extracted = await viva(['extract', file, '-o', 'cases', ...flags], { cwd })
  expect([reported.exitCode, extracted.exitCode]).toEqual([0, 0])
  const files = [
    ...formats.map((format) => join(cwd, `report.${format}`)),
    ...readdirSync(join(cwd, 'cases')).map((name) => join(cwd, 'cases', name)),
  ]
  return files.map(readContent).join('\n')
}

describe('--no-transcripts', () => {
  it('--no-transcripts records and reports the verdicts, and nothing that was said or quotes it', async () => {
    const cwd = app()
    expect((await collectCaseOutput(cwd)).all).toContain(word)
    const { all, exitCode } = await collectCaseOutput(app(), '--no-transcripts')
    expect(all).not.toContain(word)
    expect(all).not.toContain(mail)
    expect(all).toContain('failed checks: equals')
    expect(all).toContain('failed checks: tool_called in turn 2')
    expect(all).toContain('"error_kind":"agent_error"')
    expect(exitCode).toBe(1)
  })

  it('transcripts: false in the config does the same, also for --json', async () => {
    const cwd = app({ transcripts: false })
    expect((await collectCaseOutput(cwd)).all).not.toContain(word)
    const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--json'], { cwd })
    expect(stdout).toContain('"type":"turn"')
    expect(stdout).not.toContain(word)
  })

  it('viva report --no-transcripts hides what full results contain', async () => {
    const cwd = app()
    await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'full.jsonl'], { cwd })
    const all = await collectReports(cwd, 'full.jsonl', '--no-transcripts')
    expect(all).not.toContain(word)
    expect(all).toContain('failed checks: equals')
  })

  it.each([
    ['two words', `my card is ${card}`],
    ['one word', card],
    ['with quotes', `it's '${card}'`],
  ])('--no-transcripts hides a message given with -i, %s', async (_, message) => {
    const run = ['-i', message, '-n', './agent.mjs']
    const cwd = app()
    await viva(['test', ...run, '-o', 'full.jsonl'], { cwd })
    expect(readJsonl(join(cwd, 'full.jsonl'))[0]?.command).toContain(card)
    expect(await collectReports(cwd, 'full.jsonl', '--no-transcripts')).not.toContain(card)
    const { stdout } = await collectOutput(run, cwd, '--no-transcripts')
    const written = readdirSync(cwd).filter((name) => name.startsWith('out.'))
    for (const name of written) expect(readContent(join(cwd, name))).not.toContain(card)
    expect(stdout).not.toContain(card)
  })

  it('--no-transcripts hides what script tests say: reasons of skips, messages and errors', async () => {
    const cwd = project({
      'private_test.ts': `export function TestSkips(t) { t.skip('${word} has no account') }
        export function TestAsserts(t) { t.assert.Equal(1, 2, '${word} is wrong') }
        export function TestThrows() { throw new Error('${word}') }\n`,
    })
    const run = ['-i', 'private_test.ts', '-v']
    expect((await collectOutput(run, cwd)).all).toContain(`${word} has no account`)
    const { all } = await collectOutput(run, cwd, '--no-transcripts')
    expect(all).not.toContain(word)
    expect(all).toContain('private_test.ts:2')
  })

  it('--no-transcripts keeps the reason of a skip that is in the case file', async () => {
    const cwd = app()
    const file = jsonl({ id: 'later', input: 'x', skip: 'not before May' }, { id: 'now', input: 'x' })
    writeFileSync(join(cwd, 'cases.jsonl'), file)
    expect((await collectCaseOutput(cwd, '--no-transcripts')).all).toContain('not before May')
  })

  it('--no-transcripts and --mask are in the command that runs again what failed', async () => {
    const { stdout, all } = await collectCaseOutput(app(), '--no-transcripts', '--mask', 'email')
    expect(stdout).toMatch(/viva test .*--no-transcripts --mask email .*--run/)
    expect((await collectCaseOutput(app())).all).not.toContain('--no-transcripts')
    expect(all).toContain(
      '"command":"viva test -i cases.jsonl -n ./agent.mjs -v --no-transcripts --mask email"',
    )
  })
})

describe('--mask', () => {
  it('--mask hides fields by name, and their values wherever they occur', async () => {
    const { all } = await collectCaseOutput(
      app(),
      '--mask',
      'customer.email',
      '--mask',
      'pin',
      '--mask',
      'CARD',
    )
    expect(all).not.toContain(mail)
    expect(all).not.toContain(card)
    expect(all).toContain(word)
    expect(all).toContain('"pin":"[masked]"')
    expect(all).toContain('{\\"pin\\":\\"[masked]\\"')
    expect(all).toContain(`The ${word} of [masked] is`)
  })

  it('--mask hides data, not fields of viva that have the same name', async () => {
    const { all } = await collectCaseOutput(app(), '--mask', 'name', '--mask', 'content', '--mask', 'word')
    expect(all).toContain('"name":"find"')
    expect(all).toContain('"id":"quoted"')
    expect(all).toContain('"word":"[masked]"')
    expect(all).toContain('"input":"where is [masked]?"')
  })

  it('masks may be patterns, which do not apply to the ids of cases', async () => {
    const cwd = app({ masks: ['/[a-z]+@[a-z.]+/', '/quoted|\\d{16}/'] })
    const { all } = await collectCaseOutput(cwd)
    expect(all).not.toContain(mail)
    expect(all).not.toContain(card)
    expect(all).toContain('"id":"quoted"')
    expect(all).toContain('mail [masked]')
  })

  it('a masked value is hidden in later cases of the run, and everywhere in a report of saved results', async () => {
    const cwd = project({
      'agent.mjs': `export default (input) =>
        input === 'who' ? { content: 'She', output: { email: '${mail}' } } : 'It is ${mail}, I think'\n`,
      'cases.jsonl': jsonl(
        { id: 'before', input: 'first' },
        { id: 'field', input: 'who' },
        { id: 'after', input: 'then', assert: { type: 'equals', value: mail } },
      ),
    })
    await collectCaseOutput(cwd, '--mask', 'email')
    const [, before, field, after] = readJsonl(join(cwd, 'out.jsonl')).map((line) => JSON.stringify(line))
    expect(before).toContain(mail)
    expect(field).not.toContain(mail)
    expect(after).not.toContain(mail)
    await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'full.jsonl'], { cwd })
    expect(await collectReports(cwd, 'full.jsonl', '--mask', 'email')).not.toContain(mail)
  })

  it('--mask applies to the recorded command and the user', async () => {
    const cwd = app()
    const run = ['-i', 'cases.jsonl', '-n', './agent.mjs', '-u', mail]
    await viva(['test', ...run, '-o', 'full.jsonl'], { cwd })
    const pattern = '/[a-z]+@[a-z.]+/'
    expect(await collectReports(cwd, 'full.jsonl', '--mask', pattern)).not.toContain(mail)
    await collectOutput(run, cwd, '--mask', pattern)
    for (const format of ['jsonl', ...formats])
      expect(readContent(join(cwd, `out.${format}`))).not.toContain(mail)
  })

  it('--mask applies to a message given with -i', async () => {
    const run = ['-i', `my card is ${card}`, '-n', './agent.mjs']
    const { all } = await collectOutput(run, app(), '--mask', '/[0-9]{16}/')
    expect(all).not.toContain(card)
    expect(all).toContain('my card is [masked]')
  })

  it('--mask applies to JSON within a text and to the names of fields', async () => {
    const cwd = app()
    const agent = `export default () => ({ content: 'Here:\\n\`\`\`json\\n{"email": "${mail}"}\\n\`\`\`', output: { '${card}': 1 } })\n`
    writeFileSync(join(cwd, 'agent.mjs'), agent)
    const { all } = await collectCaseOutput(cwd, '--mask', 'email', '--mask', '/[0-9]{16}/')
    expect(all).not.toContain(mail)
    expect(all).not.toContain(card)
    expect(all).toContain('"[masked]":1')
  })

  it.each([
    [
      'a b',
      'mask a b: must be a field like email or customer.email (letters, digits, _ and -, separated by dots',
    ],
    ['$.email', 'mask $.email: must be a field like email or customer.email'],
    ['/(/', 'mask /(/: the pattern must be in RE2 syntax'],
    ['/x*/', 'mask /x*/: the pattern matches an empty text'],
  ])('an invalid mask is refused: %s', async (written, message) => {
    const cwd = app()
    for (const args of [
      ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--mask', written],
      ['report', 'out.jsonl', '--mask', written],
    ]) {
      if (args[0] === 'report')
        await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'out.jsonl'], { cwd })
      const { stderr, exitCode } = await viva(args, { cwd })
      expect(stderr).toContain(message)
      expect(exitCode).toBe(2)
    }
  })
})

describe('private text on the terminal', () => {
  it('a private message is not printed with --no-transcripts', async () => {
    const cwd = project({
      'agent.mjs': 'export default (input) => `${input}!`\n',
    })
    const said = await viva(
      ['test', '-i', card, '-n', './agent.mjs', '--no-transcripts', '-r', 'report.summary'],
      { cwd },
    )
    expect(said.stdout + said.stderr).not.toContain(card)
    expect(said.exitCode).toBe(0)
  })

  it('a mask that finds nothing causes a warning', async () => {
    const { stderr } = await collectCaseOutput(app(), '--mask', 'emial', '--mask', 'email')
    expect(stderr).toContain('⚠ --mask emial found nothing')
    expect(stderr).not.toContain('--mask email found nothing')
  })
})
