import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome']

/** The path of Chromium; undefined when there is none. */
export function findChromium(): string | undefined {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)]
  const candidates = [
    ...(process.env.CHROMIUM ? [process.env.CHROMIUM] : []),
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
  ]
  return candidates.find((path) => existsSync(path))
}

export function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('no Chromium is installed (set CHROMIUM to its path)')
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

/** Records dialogs, navigations, requests, console messages and errors, which a correct page does not have. */
export function listenForNoise(page: Page, address: string): string[] {
  const noise: string[] = []
  page.on('dialog', (dialog) => {
    noise.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('console', (message) => noise.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => noise.push(`error: ${error.message}`))
  page.on('popup', () => noise.push('popup'))
  page.on('request', (request) => {
    const url = request.url()
    if (url.split('#')[0] !== address && !url.startsWith('blob:')) noise.push(`request: ${url.slice(0, 200)}`)
  })
  return noise
}
