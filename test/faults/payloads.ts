import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Ended, viva } from '../support/command.ts'
import { readAllReportData } from '../support/html-report.ts'
import { jsonl } from '../support/lines.ts'
import {
  htmlProblems,
  jsonLinesProblems,
  jsonProblems,
  markdownProblems,
  terminalProblems,
  xmlProblems,
} from './artefact-rules.ts'
import { faultText } from './fault.ts'
import { type Payload, payloads } from './hostile.ts'
import { lookAtPage, parseXml, withBrowser } from './page.ts'
import type { Part, PartRun } from './part.ts'
import { withFolder } from './workspace.ts'

const reports = ['r.jsonl', 'r.json', 'r.xml', 'r.md', 'r.txt', 'r.html']

export const payloadsPart: Part = {
  about: `${payloads.length} hostile texts in every field and every report; the pages are opened in a browser`,
  counts: { pages: { short: 4, long: 500 } },
  async run(run) {
    run.progress('a module agent')
    await withFolder(moduleProject(), (cwd) => playAndLook(run, cwd, './agent.mjs', 'files'))
    run.progress('a model')
    await withFolder(modelProject(), (cwd) =>
      playAndLook(run, cwd, `openai:${run.server.url}#m`, 'cases.jsonl'),
    )
  },
}

/** Every field of an author, an agent or a judge has a hostile text in it. */
function moduleProject(): Record<string, string> {
  const files = payloads.map(({ name, text }) => [`files/${fileName({ name, text })}.jsonl`, casesWith(text)])
  return {
    ...Object.fromEntries(files),
    'agent.mjs': `export default (input) => {
      console.log(input)
      if (input.startsWith('throw ')) throw new Error(input)
      return { content: input, output: { [input]: input }, tool_calls: [{ name: input, arguments: { [input]: input }, result: input }] }
    }\n`,
    'judge.mjs': `export default ({ messages }) => {
      const { the_reply_to_judge: reason } = JSON.parse(messages[1].content.split('\\n').find((line) => line.includes('the_reply_to_judge')))
      return { reply: { reason, verdict: 'fail', score: 0 } }
    }\n`,
    'viva.config.json': JSON.stringify({
      connectors: { judge: { type: 'scripted', options: { module: 'judge.mjs' } } },
      helpers: { connector: 'judge' },
    }),
  }
}

function casesWith(text: string): string {
  const common = { name: text, tags: [text] }
  return jsonl(
    { id: text, input: text, ...common, assert: { type: 'equals', value: `${text}!`, message: text } },
    {
      id: `tool ${text}`,
      input: text,
      ...common,
      assert: { type: 'tool_called', name: `${text}!`, arguments: { [text]: text } },
    },
    { id: `throw ${text}`, input: `throw ${text}`, ...common },
    { id: `judge ${text}`, input: text, ...common, assert: { type: 'judge', criteria: text } },
    { id: `skip ${text}`, input: text, ...common, skip: text },
  )
}

/** Makes a valid file name. */
function fileName({ text }: Payload): string {
  return text.replace(/[/\u0000\ud800-\udfff]/g, '-').slice(0, 60)
}

/** Hostile texts of a provider: in its answer, as a tool call, and as an error. */
function modelProject(): Record<string, string> {
  const cases = payloads.flatMap(({ name, text }) => {
    // Invalid text cannot be sent.
    const written = Buffer.from(text).toString()
    return [{ say: written }, { tool: written }, { status: 400, error: written }].map((fault) => ({
      id: `${Object.keys(fault)[0]} ${name}`,
      input: faultText(fault),
      assert: { type: 'equals', value: 'nothing' },
    }))
  })
  return { 'cases.jsonl': jsonl(...cases) }
}

async function playAndLook(run: PartRun, cwd: string, agent: string, input: string): Promise<boolean> {
  const summary = join(cwd, 'summary.md')
  const args = [
    'test',
    '-i',
    input,
    '-n',
    agent,
    '--parallel',
    '4',
    ...reports.flatMap((name) => ['-o', name]),
  ]
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, FORCE_COLOR: '1' }
  const told = await viva([...args, '-v'], { cwd, env })
  const listed = await viva(['test', '-i', input, '-n', agent, '--list'], { cwd, env })
  const events = await viva(['test', '-i', input, '-n', agent, '-o', 'e.jsonl', '--json'], { cwd })
  const compared = run.long
    ? await viva(['compare', 'r.jsonl', 'e.jsonl', '-o', 'c.html', '-o', 'c.md'], { cwd, env })
    : undefined
  const history = run.long ? await viva(['history'], { cwd, env }) : undefined
  const looks = new Look(run, cwd)
  for (const [name, ended] of Object.entries({ told, listed, compared, history })) looks.terminal(name, ended)
  looks.artefact('the events', events.stdout, jsonLinesProblems)
  looks.file('r.jsonl', jsonLinesProblems, true)
  looks.file('r.json', jsonProblems, true)
  looks.file('r.xml', xmlProblems, true)
  looks.file('r.txt', terminalProblems)
  for (const name of ['r.md', 'c.md', 'summary.md']) looks.file(name, markdownProblems)
  looks.file('r.html', htmlProblems)
  looks.contains('r.html', readAllReportData(join(cwd, 'r.html')))
  const pages = ['r.html', 'c.html'].map((name) => join(cwd, name)).filter((path) => existsSync(path))
  await withBrowser(async (browser) => {
    looks.problems('r.xml in a browser', await parseXml(browser, readFileSync(join(cwd, 'r.xml'), 'utf8')))
    for (const page of pages) looks.problems(page, await lookAtPage(browser, page, run.count('pages')))
  })
  return looks.isClean
}

class Look {
  isClean = true

  constructor(
    readonly run: PartRun,
    readonly cwd: string,
  ) {}

  terminal(name: string, ended: Ended | undefined): void {
    if (ended === undefined) return
    for (const stream of ['stdout', 'stderr'] as const) {
      writeFileSync(join(this.cwd, `${name}.${stream}`), ended[stream])
      this.artefact(`${name}.${stream}`, ended[stream], terminalProblems)
    }
    const isBug = /This is a bug in viva/.test(ended.stderr)
    this.problems(`${name}.stderr`, isBug ? [ended.stderr] : [])
  }

  file(name: string, rule: (text: string) => string[], mustHaveAll = false): void {
    const path = join(this.cwd, name)
    if (!existsSync(path)) return
    const text = readFileSync(path, 'utf8')
    this.artefact(name, text, rule)
    if (mustHaveAll) this.contains(name, text)
  }

  artefact(name: string, text: string, rule: (text: string) => string[]): void {
    this.problems(name, rule(text))
  }

  /** A payload that is not in a report tests nothing. */
  contains(name: string, text: string): void {
    const missing = payloads.filter((payload) => !text.includes(`mark-${payload.name}`))
    this.#check(
      'every payload is in every report',
      missing.length === 0,
      name,
      missing.map((payload) => payload.name),
    )
  }

  problems(name: string, problems: readonly string[]): void {
    this.#check('no payload has an effect in any report', problems.length === 0, name, problems)
  }

  #check(promise: string, kept: boolean, name: string, problems: readonly string[]): void {
    const isKept = this.run.card.check(
      promise,
      kept,
      `${join(this.cwd, name)}: ${problems.slice(0, 5).join('\n')}`,
    )
    this.isClean &&= isKept
  }
}
