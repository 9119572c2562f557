/** How soon the page of an HTML report shows its rows in Chromium, compared with an empty page. */
import { existsSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import { vivaCommand } from '../contenders.mjs'
import { measureProcess } from '../measure.mjs'
import { measureInTurn } from '../rounds.mjs'
import { columnOf, count } from '../table.mjs'
import { makeResults } from './reports.mjs'

export const columns = [
  ['page', ({ name }) => name],
  ['MB', ({ pageMb }) => pageMb.toFixed(1)],
  ['shows its rows after, s', columnOf.seconds[1]],
]

export async function measure({ size, rounds, folder }) {
  const executablePath = findChromium()
  if (executablePath === undefined)
    return [{ name: 'the page', leftOut: 'Chromium is not installed on this machine' }]
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const contenders = [opening(browser, 'an empty page', await writeEmptyPage(folder))]
    for (const results of [size(10_000, 500), size(100_000, 1000)]) {
      const path = join(folder, `${results}.html`)
      await measureProcess([...vivaCommand, 'report', makeResults(results, folder), '-o', path])
      contenders.push(opening(browser, `${count(results)} results`, path))
    }
    return await measureInTurn(contenders, rounds)
  } finally {
    await browser.close()
  }
}

async function writeEmptyPage(folder) {
  const path = join(folder, 'empty.html')
  await writeFile(path, '<!doctype html><title>x</title><p class="open-case">x</p>')
  return path
}

function opening(browser, name, path) {
  return {
    name,
    run: async () => {
      const tab = await browser.newPage()
      const started = performance.now()
      await tab.goto(`file://${path}`)
      await tab.waitForSelector('.open-case')
      const seconds = (performance.now() - started) / 1000
      await tab.close()
      return { seconds, pageMb: statSync(path).size / 1e6 }
    },
  }
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
