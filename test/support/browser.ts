import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, describe, onTestFinished } from 'vitest'
import { findChromium, launchChromium, listenForNoise } from './chromium.ts'

/** Tests in a real browser. Without one they are left out, loudly; with VIVA_REQUIRE_ALL=1 they fail. */
export function describeInBrowser(title: string, tests: () => void) {
  const isMissing = findChromium() === undefined
  if (isMissing && process.env.VIVA_REQUIRE_ALL !== '1') {
    console.warn(`LEFT OUT: "${title}": no Chromium is installed (set CHROMIUM to the path of one)`)
    describe.skip(title, tests)
  } else describe(title, tests)
}

let started: Promise<Browser> | undefined

function browser(): Promise<Browser> {
  started ??= launchChromium()
  return started
}

/** To be called once in a file of tests that open pages. */
export function closeBrowserAfterAll() {
  afterAll(async () => {
    await (await started)?.close()
    started = undefined
  })
}

export interface WatchedPage {
  page: Page
  /** Dialogs, navigations, requests, messages of the console, errors: what a quiet page has none of. */
  noise: string[]
}

/** A page of its own for each test, watched. */
export async function openFile(
  path: string,
  hash = '',
  options: BrowserContextOptions = {},
  sign = '.shown-count',
): Promise<WatchedPage> {
  const context = await (await browser()).newContext({ acceptDownloads: true, locale: 'en-US', ...options })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const address = `file://${path}`
  const noise = listenForNoise(page, address)
  await page.goto(`${address}${hash}`)
  await page.waitForSelector(sign)
  return { page, noise }
}

/** What axe finds wrong with the page as it stands. */
export async function violations(page: Page): Promise<string[]> {
  const { default: axe } = await import('axe-core')
  await page.evaluate(axe.source)
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    const found = await axe.run()
    return found.violations.map(
      ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => String(target)).slice(0, 5)})`,
    )
  })
}

/** Keys so close to each other that the page is drawn in between, but not painted; then it is. */
export async function pressWithoutPaint(page: Page, keys: string[]) {
  await page.evaluate(`(async () => {
    for (const key of ${JSON.stringify(keys)}) {
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      for (let drawn = 0; drawn < 3; drawn += 1) await undefined
    }
    for (let frames = 0; frames < 3; frames += 1)
      await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))
  })()`)
}
