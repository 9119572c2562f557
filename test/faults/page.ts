import type { Browser, Page } from 'playwright-core'
import { findChromium, launchChromium, listenForNoise } from '../support/chromium.ts'

/** Without a browser this is skipped with a message, or fails if nothing may be skipped. */
export async function withBrowser(work: (browser: Browser) => Promise<void>): Promise<void> {
  if (findChromium() === undefined && process.env.VIVA_REQUIRE_ALL !== '1') {
    console.log('SKIPPED: pages in a browser: no Chromium is installed (set CHROMIUM to its path)')
    return
  }
  const browser = await launchChromium()
  try {
    await work(browser)
  } finally {
    await browser.close()
  }
}

/** The error of an XML parser, if any. */
export async function parseXml(browser: Browser, xml: string): Promise<string[]> {
  const page = await browser.newPage()
  const error = await page.evaluate((text) => {
    const { DOMParser: Parser } = globalThis as unknown as { DOMParser: new () => XmlParser }
    return new Parser().parseFromString(text, 'text/xml').querySelector('parsererror')?.textContent ?? ''
  }, xml)
  await page.close()
  return error === '' ? [] : [error]
}

interface XmlParser {
  parseFromString(text: string, type: string): { querySelector(name: string): { textContent: string } | null }
}

/** Opens the page and its first cases with everything unfolded; returns the problems. */
export async function lookAtPage(browser: Browser, path: string, most: number): Promise<string[]> {
  const context = await browser.newContext()
  const page = await context.newPage()
  const address = `file://${path}`
  const noise = listenForNoise(page, address)
  await page.goto(address)
  // The page of a run, or of a comparison.
  await page.waitForSelector('table[aria-rowcount], main .verdict')
  const strange = [...(await strangeIn(page))]
  const count = Math.min(most, (await rowCount(page)) - 1)
  for (let number = 1; number <= count; number += 1) {
    await page.keyboard.press('j')
    await page.locator('aside.case-panel').getByText(`${number} of `).first().waitFor()
    await openAllFolds(page)
    strange.push(...(await strangeIn(page)))
  }
  await context.close()
  return [...noise, ...new Set(strange)]
}

async function rowCount(page: Page): Promise<number> {
  const table = page.locator('table[aria-rowcount]')
  return (await table.count()) === 0 ? 0 : Number(await table.getAttribute('aria-rowcount'))
}

async function strangeIn(page: Page): Promise<string[]> {
  const elements = await page
    .locator(':is(#page, main) :is(script, img, a, iframe, object, embed, link, style)')
    .count()
  const text = (await page.title()) + (await page.locator('body').innerText())
  const isControlled = /[\u0000-\u0008\u000b-\u001f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/.test(text)
  return [
    ...(elements > 0 ? [`${elements} elements that are not viva's`] : []),
    ...(isControlled ? ['a control character on the page'] : []),
  ]
}

/** The content of a fold is rendered when it is opened, and may have folds in it. */
async function openAllFolds(page: Page): Promise<void> {
  const closed = page.locator('aside.case-panel details:not([open])')
  while ((await closed.count()) > 0) {
    await closed.evaluateAll((folds) => {
      for (const fold of folds) fold.setAttribute('open', '')
    })
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20)))')
  }
}
