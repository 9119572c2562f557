import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { echoAgent, ended, jsonl, project, results, startViva, viva } from './support/viva.ts'

const ids = ['first', 'second', 'third']
const cases = ids.map((id) => ({ id, input: id, assert: { type: 'contains', value: id } }))

/** An agent that answers at once, except that it answers `second` only when the file `go` exists. */
const waitingAgent = `import { existsSync } from 'node:fs'
export default async function (input) {
  while (input === 'second' && !existsSync('go')) await new Promise((done) => setTimeout(done, 20))
  return input
}
`
const command = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'x.jsonl', '--json']

/** Starts a run, disturbs it while it waits after its first result, and returns how it ends. */
async function disturbed(disturb: (cwd: string) => void, files: Record<string, string> = {}) {
  const cwd = project({ 'agent.mjs': waitingAgent, 'cases.jsonl': jsonl(...cases), ...files })
  const end = viva(command, { cwd })
  await untilWritten(join(cwd, 'x.jsonl'))
  disturb(cwd)
  writeFileSync(join(cwd, 'go'), '')
  return { cwd, ...(await end) }
}

/** Waits for the first result. The run cannot go on before it has the second. */
async function untilWritten(path: string): Promise<void> {
  while (!existsSync(path) || !readableIds(path).includes('first')) await wait(10)
  // It is reported a moment after it is written.
  await wait(50)
}

async function untilOutput(child: ReturnType<typeof startViva>, text: string): Promise<void> {
  let output = ''
  while (!output.includes(text)) {
    const [chunk] = await once(child.stdout as NodeJS.ReadableStream, 'data')
    output += String(chunk)
  }
}

/** Returns the ids of the results; lines that are not JSON are passed over. */
function readableIds(path: string): unknown[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((line) => {
    try {
      const { type, id } = JSON.parse(line)
      return type === 'result' ? [id] : []
    } catch {
      return []
    }
  })
}

async function resume(cwd: string) {
  // These are the flags of the command that the run prints to finish it.
  const { exitCode, stderr } = await viva([...command.slice(0, 7), '--resume', 'x.jsonl'], { cwd })
  return { exitCode, stderr, ids: readableIds(join(cwd, 'x.jsonl')) }
}

describe('a journal that something else changes during the run', () => {
  it.each([
    ['emptied', 0, 0],
    ['cut in the middle of a line', 40, 40],
  ])('a journal that is %s ends the run with 3, and can be resumed', async (_, length, left) => {
    const { cwd, exitCode, stderr } = await disturbed((folder) =>
      truncateSync(join(folder, 'x.jsonl'), length),
    )
    expect(stderr).toContain('x.jsonl was changed by something else during the run')
    expect(stderr).toContain('--resume')
    expect(exitCode).toBe(3)
    expect(statSync(join(cwd, 'x.jsonl')).size).toBe(left)
    expect(await resume(cwd)).toMatchObject({ exitCode: 0, ids })
  })

  it('a journal whose lines were edited ends the run with 3', async () => {
    const { exitCode, stderr } = await disturbed((folder) => {
      const path = join(folder, 'x.jsonl')
      const text = readFileSync(path, 'utf8')
      writeFileSync(path, text.replace('"status":"passed"', '"status":"failed"'), { flag: 'r+' })
    })
    expect(stderr).toContain('its content is not what viva has written')
    expect(exitCode).toBe(3)
  })

  it('a journal that is replaced by another file ends the run with 3, and the results are kept beside it', async () => {
    const { cwd, exitCode, stderr } = await disturbed((folder) => {
      writeFileSync(join(folder, 'other'), 'mine')
      renameSync(join(folder, 'other'), join(folder, 'x.jsonl'))
    })
    expect(exitCode).toBe(3)
    expect(stderr).toContain('x.jsonl was replaced by another file during the run')
    expect(readFileSync(join(cwd, 'x.jsonl'), 'utf8')).toBe('mine')
    const kept = readdirSync(cwd).find((name) => /^x\.jsonl\.\d+\.jsonl$/.test(name)) ?? ''
    expect(stderr).toContain(kept)
    // The batch in which the replacement is noticed is kept too: it may hold more than one result.
    const keptIds = results(join(cwd, kept)).map(({ id }) => id)
    expect(keptIds.length).toBeGreaterThanOrEqual(2)
    expect(keptIds).toEqual(ids.slice(0, keptIds.length))
  })

  it('a journal that is moved away is written again in its place', async () => {
    const { cwd, exitCode } = await disturbed((folder) =>
      renameSync(join(folder, 'x.jsonl'), join(folder, 'moved.jsonl')),
    )
    expect(exitCode).toBe(0)
    expect(results(join(cwd, 'x.jsonl')).map(({ id }) => id)).toEqual(ids)
  })

  it('a journal that is removed with its folder is restored', async () => {
    const cwd = project({ 'agent.mjs': waitingAgent, 'cases.jsonl': jsonl(...cases) })
    const end = viva([...command.slice(0, 5), '-o', 'out/x.jsonl', '--json'], { cwd })
    await untilWritten(join(cwd, 'out/x.jsonl'))
    rmSync(join(cwd, 'out'), { recursive: true })
    writeFileSync(join(cwd, 'go'), '')
    expect(await end).toMatchObject({ exitCode: 0 })
    expect(results(join(cwd, 'out/x.jsonl')).map(({ id }) => id)).toEqual(ids)
  })

  it('a run whose lock was taken over by another run ends with 3 and writes nothing more', async () => {
    const other = { id: 'o', pid: 12, host: 'build-7', boot: '', start: '1', since: '2026-01-02T03:04:05Z' }
    const { cwd, exitCode, stderr } = await disturbed((folder) => {
      writeFileSync(join(folder, 'theirs'), JSON.stringify(other))
      renameSync(join(folder, 'theirs'), join(folder, 'x.jsonl.lock'))
    })
    expect(stderr).toContain('x.jsonl was taken over by another run (process 12 on build-7')
    expect(exitCode).toBe(3)
    expect(results(join(cwd, 'x.jsonl'))).toHaveLength(1)
    expect(existsSync(join(cwd, 'x.jsonl.lock'))).toBe(true)
  })
})

describe('locked outputs', () => {
  it('an output that another run writes is refused with 2 before anything runs', async () => {
    const other = { id: 'o', pid: 12, host: 'build-7', boot: '', start: '1', since: '2026-01-02T03:04:05Z' }
    const cwd = project({
      'agent.mjs': waitingAgent,
      'cases.jsonl': jsonl(...cases),
      'x.jsonl': '{"type":"start"}\n',
      'x.jsonl.lock': JSON.stringify(other),
      'viva.config.json': JSON.stringify({
        services: [{ command: 'touch started', url: 'http://127.0.0.1:9' }],
      }),
    })
    const { exitCode, stderr } = await viva(command, { cwd })
    expect(stderr).toContain('x.jsonl is being written by another run (process 12 on build-7')
    expect(exitCode).toBe(2)
    expect(existsSync(join(cwd, 'started'))).toBe(false)
    expect(readFileSync(join(cwd, 'x.jsonl'), 'utf8')).toBe('{"type":"start"}\n')
  })

  it('a locked output is refused by any name of the file, before cases are generated', async () => {
    const cwd = project({ 'agent.mjs': waitingAgent, 'cases.jsonl': jsonl(...cases) })
    const first = startViva(command, { cwd })
    const end = ended(first)
    await untilOutput(first, '"type":"case_finished"')
    symlinkSync('x.jsonl', join(cwd, 'link.jsonl'))
    mkdirSync(join(cwd, 'scripts'))
    writeFileSync(
      join(cwd, 'scripts/cases.ts'),
      `import { writeFileSync } from 'node:fs'
export function Generate() { writeFileSync('generated', ''); return [{ id: 'a', input: 'hi' }] }
`,
    )
    const args = ['test', '-i', 'scripts:cases.Generate', '-n', './agent.mjs', '-o', 'link.jsonl']
    const second = await viva(args, { cwd })
    expect(second.stderr).toContain('link.jsonl is being written by another run')
    expect(second.exitCode).toBe(2)
    expect(existsSync(join(cwd, 'generated'))).toBe(false)
    writeFileSync(join(cwd, 'go'), '')
    expect((await end).exitCode).toBe(0)
    expect(results(join(cwd, 'x.jsonl')).map(({ id }) => id)).toEqual(ids)
  })

  it('of several runs that want the lock of a killed run, exactly one gets it', async () => {
    const cwd = project({ 'agent.mjs': waitingAgent, 'cases.jsonl': jsonl(...cases) })
    const killed = startViva(command, { cwd })
    await untilOutput(killed, '"type":"case_finished"')
    killed.kill('SIGKILL')
    await once(killed, 'close')
    expect(existsSync(join(cwd, 'x.jsonl.lock'))).toBe(true)
    const rivals = Array.from({ length: 4 }, () => startViva(command, { cwd }))
    const ends = rivals.map(ended)
    const firstRefusals = await Promise.race([
      Promise.all(ends.slice(0, 3)),
      Promise.all(ends.slice(1)),
      Promise.all([ends[0], ends[2], ends[3]]),
      Promise.all([ends[0], ends[1], ends[3]]),
    ])
    expect(firstRefusals.map((end) => end?.exitCode)).toEqual([2, 2, 2])
    writeFileSync(join(cwd, 'go'), '')
    const codes = (await Promise.all(ends)).map(({ exitCode }) => exitCode)
    expect(codes.sort()).toEqual([0, 2, 2, 2])
    expect(results(join(cwd, 'x.jsonl')).map(({ id }) => id)).toEqual(ids)
  })
})

describe('--resume from a damaged file', () => {
  async function played() {
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(...cases) })
    await viva(command, { cwd })
    const path = join(cwd, 'x.jsonl')
    return { cwd, path, lines: readFileSync(path, 'utf8').trim().split('\n') }
  }

  it.each([0, 1, 14, 15, 60])(
    '--resume from a file of %i bytes that a killed run left starts from the beginning',
    async (length) => {
      const { cwd, path } = await played()
      truncateSync(path, length)
      const resumed = await resume(cwd)
      expect(resumed.stderr).toContain('x.jsonl holds no results: the run starts from the beginning')
      expect(resumed).toMatchObject({ exitCode: 0, ids })
      expect(readFileSync(path, 'utf8')).toMatch(/^\{"type":"start",/)
    },
  )

  it('--resume plays again what unreadable lines contained, and names the lines', async () => {
    const { cwd, path, lines } = await played()
    const broken = [lines[0], lines[1]?.slice(0, -9), '\0'.repeat(50), lines[3], 'not json']
    writeFileSync(path, `${broken.join('\n')}\n`)
    const resumed = await resume(cwd)
    expect(resumed.stderr).toContain('x.jsonl: cannot read line 2 (first), line 3, line 5;')
    expect(resumed.exitCode).toBe(0)
    expect(resumed.ids).toEqual(['third', 'first', 'second'])
  })

  it('--resume works though the first line cannot be read', async () => {
    const { cwd, path, lines } = await played()
    writeFileSync(path, `${[lines[0]?.slice(0, -20), lines[1], lines[2]].join('\n')}\n`)
    const resumed = await resume(cwd)
    expect(resumed.stderr).toContain('x.jsonl: cannot read line 1;')
    expect(resumed).toMatchObject({ exitCode: 0, ids })
    expect((await viva(['report', 'x.jsonl'], { cwd })).exitCode).toBe(0)
  })

  it('--resume keeps a last result that only lacks its line end', async () => {
    const { cwd, path, lines } = await played()
    writeFileSync(path, lines.slice(0, 3).join('\n'))
    const resumed = await resume(cwd)
    expect(resumed).toMatchObject({ exitCode: 0, ids })
  })

  it('--resume refuses a file that viva did not write, and leaves it unchanged', async () => {
    const { cwd, path } = await played()
    writeFileSync(path, '{"id": 1}')
    const resumed = await viva([...command.slice(0, 5), '--resume', 'x.jsonl'], { cwd })
    expect(resumed.stderr).toContain('x.jsonl: not a results file of viva')
    expect(resumed.exitCode).toBe(2)
    expect(readFileSync(path, 'utf8')).toBe('{"id": 1}')
  })
})

describe('permissions of files with transcripts', () => {
  it('new files are readable by their owner only, and existing ones keep their mode', async () => {
    const cwd = project({ 'agent.mjs': echoAgent, 'cases.jsonl': jsonl(...cases) })
    const files = ['x.jsonl', 'x.html', 'x.md', 'x.xml', 'x.json', 'copy.jsonl']
    const args = [...command.slice(0, 5), ...files.flatMap((file) => ['-o', file])]
    const modes = () => files.map((file) => (statSync(join(cwd, file)).mode & 0o777).toString(8))
    await viva(args, { cwd })
    expect(modes()).toEqual(files.map(() => '600'))
    for (const file of files) chmodSync(join(cwd, file), 0o640)
    await viva(args, { cwd })
    expect(modes()).toEqual(files.map(() => '640'))
    await viva(['extract', 'x.jsonl', '-o', 'all'], { cwd })
    const extracted = readdirSync(join(cwd, 'all')).map(
      (file) => statSync(join(cwd, 'all', file)).mode & 0o777,
    )
    expect(extracted).toEqual([0o600, 0o600, 0o600])
  })
})
