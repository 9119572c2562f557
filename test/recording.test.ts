import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { echoAgent, jsonl, project, viva } from './support/viva.ts'

const says = (id: string) => ({
  id,
  input: `${id} says \u001b[31mred`,
  assert: { type: 'contains', value: id },
})
const test = ['test', '-n', './agent.mjs', '-o', 'x.jsonl']

/** A project with a recording of the cases `alpha` and `beta`. */
async function recorded(): Promise<string> {
  const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(says('alpha'), says('beta')) })
  const { exitCode, stderr } = await viva([...test, '-i', 'cases.jsonl', '--record', 'a.rec'], { cwd })
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  return cwd
}

const lines = (cwd: string) => readFileSync(join(cwd, 'a.rec'), 'utf8').trimEnd().split('\n')
const write = (cwd: string, all: readonly string[]) =>
  writeFileSync(join(cwd, 'a.rec'), all.map((line) => `${line}\n`).join(''))

/** A line with another text in it, and with the sum of what it is now. */
function reseal(line: string, from: string, to: string): string {
  const json = line.replace(/,"sum":"\w+"\}$/, '').replace(from, to)
  return `${json},"sum":"${createHash('sha256').update(json).digest('hex').slice(0, 16)}"}`
}

describe('viva recording list', () => {
  it('each recorded case has one line, with its calls and its size', async () => {
    const cwd = await recorded()
    const { exitCode, stdout } = await viva(['recording', 'list', 'a.rec'], { cwd })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/2 cases, 2 plays, 2 calls \(2 agent\)/)
    expect(stdout).toMatch(/^ {2}cases\.jsonl:alpha {2}agent\.mjs, 1 run, 1 call \(1 agent\), \d+ B, \d{4}-/m)
    const { stdout: json } = await viva(['recording', 'list', 'a.rec', '--json'], { cwd })
    expect(JSON.parse(json)).toMatchObject({
      file: 'a.rec',
      totals: { cases: 2, plays: 2, calls: { agent: 2 } },
      cases: [{ id: 'alpha', runs: 1, attempts: 1, calls: { agent: 1 } }, { id: 'beta' }],
      is_torn: false,
    })
  })

  it('a last line that is incomplete is reported and left out', async () => {
    const cwd = await recorded()
    appendFileSync(join(cwd, 'a.rec'), '{"type":"play","fi')
    const { exitCode, stdout, stderr } = await viva(['recording', 'list', 'a.rec'], { cwd })
    expect(exitCode).toBe(0)
    expect(stdout).toContain('2 cases')
    expect(stderr).toContain('a.rec: the last line is incomplete and is left out')
  })
})

describe('viva recording show', () => {
  it('the calls of a case are shown in order, escaped', async () => {
    const cwd = await recorded()
    const { exitCode, stdout } = await viva(['recording', 'show', 'a.rec', 'alpha'], { cwd })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^cases\.jsonl:alpha {2}agent\.mjs, run 1, attempt 1/)
    expect(stdout).toMatch(/^ {2}1\. agent /m)
    expect(stdout).toMatch(/^ {4}answered {2}.*you said: alpha says/m)
    expect(stdout).not.toContain('\u001b')
    const { stdout: whole } = await viva(['recording', 'show', 'a.rec', 'cases.jsonl:alpha', '-v'], { cwd })
    expect(whole.split('\n').length).toBeGreaterThan(stdout.split('\n').length)
    const { stdout: json } = await viva(['recording', 'show', 'a.rec', 'alpha', '--json'], { cwd })
    expect(JSON.parse(json)).toMatchObject({ plays: [{ id: 'alpha', calls: [{ layer: 'agent' }] }] })
  })

  it('an unknown case is refused with the nearest one', async () => {
    const cwd = await recorded()
    const { exitCode, stderr } = await viva(['recording', 'show', 'a.rec', 'alhpa'], { cwd })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('no case "alhpa" in a.rec (did you mean alpha?)')
  })

  it('an id that two files have is refused with both names', async () => {
    const cwd = await recorded()
    const [head = '', alpha = ''] = lines(cwd)
    write(cwd, [head, alpha, reseal(alpha, '"cases.jsonl"', '"more.jsonl"')])
    const { exitCode, stderr } = await viva(['recording', 'show', 'a.rec', 'alpha'], { cwd })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('cases.jsonl:alpha, more.jsonl:alpha')
  })
})

describe('viva recording prune', () => {
  it('plays of cases that are not in the inputs are removed, and the file keeps its mode', async () => {
    const cwd = await recorded()
    writeFileSync(join(cwd, 'cases.jsonl'), jsonl(says('beta')))
    const before = readFileSync(join(cwd, 'a.rec'), 'utf8')
    const prune = ['recording', 'prune', 'a.rec', '-i', 'cases.jsonl']
    const dry = await viva([...prune, '--dry-run'], { cwd })
    expect(dry.stdout).toMatch(/a\.rec: would be removed \(.*→.*\)\n.*1 play of 1 case.*cases\.jsonl:alpha/)
    expect(readFileSync(join(cwd, 'a.rec'), 'utf8')).toBe(before)
    const { exitCode, stdout } = await viva(prune, { cwd })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/a\.rec: removed/)
    expect(lines(cwd)).toHaveLength(2)
    expect(statSync(join(cwd, 'a.rec')).mode & 0o777).toBe(0o600)
    expect(readdirSync(cwd).filter((name) => name.startsWith('a.rec'))).toEqual(['a.rec'])
    const replay = await viva([...test, '-i', 'cases.jsonl', '--replay', 'a.rec'], { cwd })
    expect(replay).toMatchObject({ exitCode: 0 })
  })

  it('a play that a later run has recorded again is removed', async () => {
    const cwd = await recorded()
    const [head = '', alpha = '', beta = ''] = lines(cwd)
    write(cwd, [head, alpha, beta, head, alpha])
    const { stdout } = await viva(['recording', 'prune', 'a.rec'], { cwd })
    expect(stdout).toContain('1 play that a later run has recorded again')
    expect(lines(cwd)).toEqual([head, beta, head, alpha])
    const again = await viva(['recording', 'prune', 'a.rec'], { cwd })
    expect(again.stdout).toContain('a.rec: nothing to remove')
  })

  it('damaged and incomplete lines are named and removed; the other commands refuse them', async () => {
    const cwd = await recorded()
    const [head = '', alpha = '', beta = ''] = lines(cwd)
    write(cwd, [head, alpha.replace('you said', 'you SAID'), beta])
    appendFileSync(join(cwd, 'a.rec'), '{"type":"play"')
    for (const command of ['list', 'show']) {
      const { exitCode, stderr } = await viva(['recording', command, 'a.rec'], { cwd })
      expect(exitCode).toBe(2)
      expect(stderr).toContain('a.rec:2 is damaged, or was changed by hand')
    }
    const { exitCode, stdout } = await viva(['recording', 'prune', 'a.rec'], { cwd })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/line 2: damaged, or changed by hand\n.*line 4: incomplete/)
    expect(lines(cwd)).toEqual([head, beta])
  })

  it('a damaged header does not add the plays of its run to those of an earlier one', async () => {
    const cwd = await recorded()
    const [head = '', alpha = ''] = lines(cwd)
    write(cwd, [head, alpha, head.replace('0', '7'), alpha])
    await viva(['recording', 'prune', 'a.rec'], { cwd })
    const { stdout } = await viva(['recording', 'show', 'a.rec', 'alpha', '--json'], { cwd })
    expect(JSON.parse(stdout)).toMatchObject({ plays: [{ calls: [{ layer: 'agent' }] }] })
    expect(JSON.parse(stdout).plays[0].calls).toHaveLength(1)
  })

  it('cases of which nothing was recorded are refused: nothing would be left', async () => {
    const cwd = await recorded()
    const before = readFileSync(join(cwd, 'a.rec'), 'utf8')
    writeFileSync(join(cwd, 'other.jsonl'), jsonl(says('gamma')))
    const { exitCode, stderr } = await viva(['recording', 'prune', 'a.rec', '-i', 'other.jsonl'], { cwd })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('a.rec has no play of any of these cases')
    expect(readFileSync(join(cwd, 'a.rec'), 'utf8')).toBe(before)
  })

  it('a recording that another run is writing is refused', async () => {
    const cwd = await recorded()
    const { pid, ...owner } = { pid: process.pid, host: 'elsewhere', since: new Date().toISOString() }
    writeFileSync(join(cwd, 'a.rec.lock'), `${JSON.stringify({ id: 'x', pid, ...owner })}\n`)
    const { exitCode, stderr } = await viva(['recording', 'prune', 'a.rec'], { cwd })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('lock')
  })
})

describe.each(['list', 'show', 'prune'])('viva recording %s', (command) => {
  it('a file that is missing, no recording, or of a newer version is refused', async () => {
    const cwd = await recorded()
    const [head = ''] = lines(cwd)
    writeFileSync(join(cwd, 'text'), 'no recording\n')
    writeFileSync(join(cwd, 'newer'), `${reseal(head, '"schema_version":1', '"schema_version":99')}\n`)
    for (const [file, message] of [
      ['missing', 'missing: no such file'],
      ['text', 'text is not a recording of viva'],
      ['.', '. is not a recording of viva'],
      ['newer', 'which is newer than this one'],
    ] as const) {
      const { exitCode, stderr } = await viva(['recording', command, file], { cwd })
      expect({ file, exitCode }).toEqual({ file, exitCode: 2 })
      expect(stderr).toContain(message)
    }
  })
})
