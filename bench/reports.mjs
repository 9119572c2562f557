/**
 * The cost of a report of saved results: time compared with just reading the file, memory, and how soon its page opens
 * compared with an empty page.
 *
 *   node bench/reports.mjs [--results 10000] [--rounds 3]
 */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { alternate, printTable, repository, timeProcess } from './measure.mjs'

const { values } = parseArgs({
  options: { results: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '3' } },
})
const folder = await mkdtemp(join(tmpdir(), 'viva-reports-'))
const input = join(folder, 'results.jsonl')
const memory = join(folder, 'memory')

// Written by the process itself when it ends: its peak memory in kilobytes.
const tellMemory = `data:text/javascript,import{writeFileSync}from'node:fs';process.on('exit',()=>writeFileSync(${JSON.stringify(memory)},String(process.resourceUsage().maxRSS)))`

/** Only reads the file line by line. */
const floor = `
  const { createReadStream } = require('node:fs')
  const lines = require('node:readline').createInterface({ input: createReadStream(process.argv[1]) })
  lines.on('line', (line) => JSON.parse(line))`

try {
  const make = join(repository, 'bench/make-results.mjs')
  execFileSync(process.execPath, [make, values.results, input, '--runs', '5', '--variants', '2'])
  const peaks = new Map()
  const contender = (name, parameters) => ({
    name,
    run: async () => {
      const seconds = await timeProcess([process.execPath, '--import', tellMemory, ...parameters])
      peaks.set(name, Math.max(peaks.get(name) ?? 0, Number(await readFile(memory, 'utf8'))))
      return seconds
    },
  })
  const report = (extension) =>
    contender(`viva report -o x.${extension}`, [
      join(repository, 'bin/viva.js'),
      'report',
      input,
      '-o',
      join(folder, `x.${extension}`),
    ])
  const contenders = [
    contender('bare JSON.parse of each line', ['-e', floor, input]),
    ...['html', 'md', 'xml', 'json', 'txt'].map(report),
  ]
  console.log(
    `${values.results} results (${megabytes(statSync(input).size)} MB), ${values.rounds} rounds, Node ${process.version}`,
  )
  printTable(await alternate(contenders, Number(values.rounds)))
  for (const [name, peak] of peaks) console.log(`${name}: ${megabytes(peak * 1024)} MB at most`)
  const page = join(folder, 'x.html')
  console.log(`x.html: ${megabytes(statSync(page).size)} MB`)
  await printOpening(page)
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** The time from opening the address to rows in the table. */
async function printOpening(page) {
  const executablePath = findChromium()
  if (executablePath === undefined)
    return console.log('no Chromium: the time to open the page was not measured')
  const empty = join(folder, 'empty.html')
  await writeFile(empty, '<!doctype html><title>x</title><p class="open-case">x</p>')
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const opening = (name, path) => ({
    name,
    run: async () => {
      const tab = await browser.newPage()
      const started = performance.now()
      await tab.goto(`file://${path}`)
      await tab.waitForSelector('.open-case')
      const seconds = (performance.now() - started) / 1000
      await tab.close()
      return seconds
    },
  })
  printTable(
    await alternate([opening('an empty page', empty), opening('the report', page)], Number(values.rounds)),
  )
  await browser.close()
}

/** Finds Chromium like `test/support/browser.ts`. */
function findChromium() {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  const names = ['chromium', 'chromium-browser', 'google-chrome']
  const candidates = [
    ...(process.env.CHROMIUM ? [process.env.CHROMIUM] : []),
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
  ]
  return candidates.find((path) => existsSync(path))
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)
}
