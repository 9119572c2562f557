import { countedRows } from './counted-rows.ts'
import { inflateBlock } from './inflate-block.ts'
import type { PageResult, PageRow, PageRun, ReportData, SearchListener } from './report-data.ts'
import { hasWords, searchedTexts } from './searched-texts.ts'

interface Block {
  element: Element
  /** Which result is its first. */
  first: number
  count: number
}

/** Opened blocks that are kept: whoever goes from case to case stays in the same few. */
const blocksKept = 8

/** The data in the file the page stands in, see `src/reporters/html-report.ts`. */
export async function embeddedData(page: Document): Promise<ReportData> {
  const [runs, ...rowBlocks] = await Promise.all([
    ...blocksOf(page, 'run').map(open<PageRun>),
    ...blocksOf(page, 'rows').map(open<PageRow>),
  ])
  const run = (runs as PageRun[] | undefined)?.[0]
  if (run === undefined) throw new Error('there is no run in this file')
  const blocks = blocksOf(page, 'results')
  const opened = new Map<Block, Promise<PageResult[]>>()

  async function load(index: number): Promise<PageResult> {
    const block = blocks.find(({ first, count }) => index >= first && index < first + count)
    if (block === undefined) throw new Error(`there is no result ${index} in this file`)
    const results = opened.get(block) ?? open<PageResult>(block)
    opened.delete(block)
    opened.set(block, results)
    const [oldest] = opened.keys()
    if (opened.size > blocksKept && oldest) opened.delete(oldest)
    const result = (await results)[index - block.first]
    if (result === undefined) throw new Error(`there is no result ${index} in this file`)
    return result
  }

  async function search(words: readonly string[], listener: SearchListener, signal: AbortSignal) {
    let told = performance.now()
    let found: number[] = []
    for (const [position, block] of blocks.entries()) {
      const text = await inflateBlock(block.element.textContent ?? '')
      if (signal.aborted) return
      // A block is parsed only when what is looked for can be in it.
      if (hasWords([text], words.map(asInJson))) found.push(...matches(text, block.first, words))
      if (performance.now() - told > 150) {
        listener(found, (position + 1) / blocks.length)
        found = []
        told = performance.now()
      }
      await turnOfThePage()
      if (signal.aborted) return
    }
    listener(found, 1)
  }

  return { run, rows: countedRows((rowBlocks as PageRow[][]).flat()), load, search }
}

function blocksOf(page: Document, kind: string): Block[] {
  let first = 0
  return [...page.querySelectorAll(`script[type="application/x-viva"][data-kind="${kind}"]`)].map(
    (element) => {
      const block = { element, first, count: Number(element.getAttribute('data-count')) }
      first += block.count
      return block
    },
  )
}

async function open<Item>({ element }: Block): Promise<Item[]> {
  return JSON.parse(await inflateBlock(element.textContent ?? '')) as Item[]
}

function matches(text: string, first: number, words: readonly string[]): number[] {
  return (JSON.parse(text) as PageResult[]).flatMap((result, offset) =>
    hasWords(searchedTexts(result), words) ? [first + offset] : [],
  )
}

function asInJson(word: string): string {
  return JSON.stringify(word).slice(1, -1)
}

/** Lets the page answer to whoever clicks or types, before the work goes on. */
function turnOfThePage(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve))
}
