import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { jsonl, project, viva } from './support/viva.ts'

const mail = 'ada@example.com'
const card = '4111111111111111'
const word = 'rumpelstiltskin'

/** All that can be private: what is asked, said, given to tools, logged, quoted by checks and thrown. */
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

async function everything(cwd: string, ...flags: string[]) {
  const outputs = ['out.jsonl', 'out.json', 'out.md', 'out.xml', 'out.txt'].flatMap((name) => ['-o', name])
  const ended = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-v', ...outputs, ...flags], {
    cwd,
  })
  const files = readdirSync(cwd).filter((name) => name.startsWith('out.'))
  expect(files).toHaveLength(5)
  const written = files.map((name) => readFileSync(join(cwd, name), 'utf8'))
  return { ...ended, all: [...written, ended.stdout, ended.stderr].join('\n') }
}

describe('--no-transcripts', () => {
  it('records and reports nothing that was said, nor what quotes it, and the verdicts all the same', async () => {
    const cwd = app()
    expect((await everything(cwd)).all).toContain(word)
    const { all, exitCode } = await everything(app(), '--no-transcripts')
    expect(all).not.toContain(word)
    expect(all).not.toContain(mail)
    expect(all).toContain('did not hold: equals')
    expect(all).toContain('did not hold: tool_called in turn 2')
    expect(all).toContain('"error_kind":"agent_error"')
    expect(exitCode).toBe(1)
  })

  it('can stand in the config, and holds for --json too', async () => {
    const cwd = app({ transcripts: false })
    expect((await everything(cwd)).all).not.toContain(word)
    const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--json'], { cwd })
    expect(stdout).toContain('"type":"turn"')
    expect(stdout).not.toContain(word)
  })

  it('makes reports that can be given away, of results that have it all', async () => {
    const cwd = app()
    await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'full.jsonl'], { cwd })
    for (const name of ['json', 'md', 'xml', 'txt'])
      await viva(['report', 'full.jsonl', '--no-transcripts', '-o', `out.${name}`], { cwd })
    await viva(['extract', 'full.jsonl', '--no-transcripts', '-o', 'cases'], { cwd })
    const files = ['json', 'md', 'xml', 'txt'].map((name) => join(cwd, `out.${name}`))
    files.push(...readdirSync(join(cwd, 'cases')).map((name) => join(cwd, 'cases', name)))
    expect(files).toHaveLength(7)
    for (const file of files) expect(readFileSync(file, 'utf8')).not.toContain(word)
  })

  it('stays in the command that runs again what failed', async () => {
    const { stdout, all } = await everything(app(), '--no-transcripts', '--mask', 'email')
    expect(stdout).toMatch(/viva test .*--no-transcripts --mask email .*--run/)
    expect((await everything(app())).all).not.toContain('--no-transcripts')
    expect(all).toContain(
      '"command":"viva test -i cases.jsonl -n ./agent.mjs --no-transcripts --mask email -v"',
    )
  })
})

describe('--mask', () => {
  it('hides fields of that name, and their values wherever they stand', async () => {
    const { all } = await everything(app(), '--mask', 'customer.email', '--mask', 'pin', '--mask', 'CARD')
    expect(all).not.toContain(mail)
    expect(all).not.toContain(card)
    expect(all).toContain(word)
    expect(all).toContain('"pin":"[masked]"')
    expect(all).toContain('{\\"pin\\":\\"[masked]\\"')
    expect(all).toContain(`The ${word} of [masked] is`)
  })

  it('hides data, not what viva itself calls so', async () => {
    const { all } = await everything(app(), '--mask', 'name', '--mask', 'content', '--mask', 'word')
    expect(all).toContain('"name":"find"')
    expect(all).toContain('"id":"quoted"')
    expect(all).toContain('"word":"[masked]"')
    expect(all).toContain('"input":"where is [masked]?"')
  })

  it('hides what patterns find, but not in the ids of cases', async () => {
    const cwd = app({ masks: ['/[a-z]+@[a-z.]+/', '/quoted|\\d{16}/'] })
    const { all } = await everything(cwd)
    expect(all).not.toContain(mail)
    expect(all).not.toContain(card)
    expect(all).toContain('"id":"quoted"')
    expect(all).toContain('mail [masked]')
  })

  it.each([
    ['a b', 'mask a b: must be a field like email or customer.email, or a pattern like /[0-9]{16}/'],
    ['/(/', 'mask /(/: the pattern must be in RE2 syntax'],
    ['/x*/', 'mask /x*/: the pattern finds something in an empty text'],
  ])('is refused where it is none: %s', async (written, message) => {
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
