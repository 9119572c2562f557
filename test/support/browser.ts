import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, describe } from 'vitest'
import { findChromium, launchChromium, listenForNoise } from './chromium.ts'

/** Tests in a real browser. Without one they are skipped with a warning, or fail with VIVA_REQUIRE_ALL=1. */
export function describeInBrowser(title: string, tests: () => void) {
  const isMissing = findChromium() === undefined
  if (isMissing && process.env.VIVA_REQUIRE_ALL !== '1') {
    console.warn(`SKIPPED: "${title}": no Chromium is installed (set CHROMIUM to its path)`)
    describe.skip(title, tests)
  } else describe(title, tests)
}

let started: Promise<Browser> | undefined

function browser(): Promise<Browser> {
  started ??= launchChromium()
  return started
}

/** Call once in a test file that opens pages. */
export function closeBrowserAfterAll() {
  afterAll(async () => {
    await (await started)?.close()
    started = undefined
    pages.clear()
  })
}

export interface WatchedPage {
  page: Page
  /** Dialogs, navigations, requests, console messages and errors, which a correct page does not have. */
  noise: string[]
}

/** The pages that are open, by their options. A new one costs the browser more time than most tests need. */
const pages = new Map<string, Page>()

/** An empty page with these options. */
async function emptyPage(options: BrowserContextOptions): Promise<Page> {
  const key = JSON.stringify(options)
  const used = pages.get(key)
  if (used !== undefined) {
    used.removeAllListeners()
    await used.emulateMedia({ media: null })
    await used.goto('about:blank')
    return used
  }
  const context = await (await browser()).newContext({ acceptDownloads: true, locale: 'en-US', ...options })
  const page = await context.newPage()
  pages.set(key, page)
  return page
}

/** Loads the file, with its noise recorded. A page that was opened before with the same options is replaced. */
export async function openFile(
  path: string,
  hash = '',
  options: BrowserContextOptions = {},
  sign = '.shown-count',
): Promise<WatchedPage> {
  const page = await emptyPage(options)
  const address = `file://${path}`
  const noise = listenForNoise(page, address)
  await page.goto(`${address}${hash}`)
  await page.waitForSelector(sign)
  return { page, noise }
}

/** The accessibility problems that axe finds on the page. */
export async function violations(page: Page): Promise<string[]> {
  const { default: axe } = await import('axe-core')
  await page.evaluate(axe.source)
  return await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') }
    // Only the details of what it finds wrong: those of the rest take most of the time.
    const found = await axe.run({ resultTypes: ['violations'] })
    return found.violations.map(
      ({ id, help, nodes }) => `${id}: ${help} (${nodes.map(({ target }) => String(target)).slice(0, 5)})`,
    )
  })
}

/** Presses keys so quickly that the page is rendered but not painted in between. */
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
