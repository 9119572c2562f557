import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { viva } from '../support/command.ts'
import { type BadCase, corpus } from './bad-cases-corpus.ts'
import { inParallel, type Part, type PartRun } from './part.ts'
import { createRandom } from './random.ts'
import { withFolder } from './workspace.ts'

const agent = { 'agent.mjs': 'export default (input) => input\n' }

export const badCases: Part = {
  about: `${corpus.length} bad case files, each on its own; the short form uses some of them`,
  counts: { files: { short: 6, long: corpus.length } },
  async run(run) {
    const random = createRandom(run.seed)
    const drawn = corpus.map((bad) => ({ bad, order: random() })).sort((a, b) => a.order - b.order)
    let done = 0
    await inParallel(drawn.slice(0, run.count('files')), 2, async ({ bad }) => {
      await checkAlone(run, bad)
      done += 1
      run.progress(`${done} files`)
    })
    await checkTogether(run)
  },
}

async function checkAlone({ card }: PartRun, bad: BadCase): Promise<void> {
  await withFolder(agent, async (cwd) => {
    place(join(cwd, bad.file), bad)
    const input = bad.file.includes('/') ? dirname(bad.file) : bad.file
    const { exitCode, stdout, stderr } = await viva(['test', '-i', input, '-n', './agent.mjs'], { cwd })
    const where = `${cwd}: viva test -i ${input} -n ./agent.mjs: exit code ${exitCode}\n${(stdout + stderr).slice(0, 1500)}`
    const isSaid = matches(stderr, bad.says)
    const isShort = stderr.length < 4000 && !/^\s+at .*:\d+:\d+\)?$/m.test(stderr)
    return [
      card.check('a bad case file exits with 2', exitCode === 2, where),
      card.check('the message says what is wrong and where', isSaid, `${where}\nexpected ${bad.says}`),
      card.check('the message is short and has no stack', isShort, where),
    ].every(Boolean)
  })
}

/** All files in one command: each mistake must be reported beside the others. */
async function checkTogether({ card }: PartRun): Promise<void> {
  const written = corpus.filter(({ content }) => typeof content !== 'function')
  await withFolder(agent, async (cwd) => {
    const paths = written.map(({ file }, index) => `${index}/${file}`)
    for (const [index, bad] of written.entries()) place(join(cwd, paths[index] ?? ''), bad)
    const known = paths.filter((path) => !path.endsWith('.toml'))
    const inputs = known.flatMap((path) => ['-i', path])
    const { exitCode, stderr } = await viva(['test', ...inputs, '-n', './agent.mjs'], { cwd })
    card.check('a bad case file exits with 2', exitCode === 2, `${cwd}: all in one: exit code ${exitCode}`)
    // A file without cases is not a mistake beside files that have some.
    const named = written.filter(({ file, says }) => says !== 'no cases in' && !file.endsWith('.toml'))
    const missing = named.filter((bad) => {
      const path = `${written.indexOf(bad)}/${bad.file}`
      return !stderr.split('\n').some((line) => line.includes(path) && matches(line, bad.says))
    })
    const said = `${cwd}: not named beside others: ${missing.map((bad) => `${written.indexOf(bad)}/${bad.file}`)}\n${stderr.slice(0, 1500)}`
    return card.check('all mistakes are reported at once', missing.length === 0, said)
  })
}

function place(path: string, { content }: BadCase): void {
  mkdirSync(dirname(path), { recursive: true })
  if (typeof content === 'function') content(path)
  else writeFileSync(path, content)
}

function matches(text: string, says: string | RegExp): boolean {
  return typeof says === 'string' ? text.includes(says) : says.test(text)
}
