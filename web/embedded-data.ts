import { type BlockKind, endMark } from '../src/reporters/page-data.ts'
import { countedRows } from './counted-rows.ts'
import { inflateBlock } from './inflate-block.ts'
import type { PageResult, PageRow, PageRun, ReportData } from './report-data.ts'
import { searchBlocks } from './search-blocks.ts'

interface Block {
  /** The index of its first result. */
  first: number
  count: number
  text: () => Promise<string>
}

/** How many opened blocks are kept: going from case to case needs the same few. */
const blocksKept = 8

/** Reads the data in the file of the page, see `src/reporters/html-report.ts`. */
export async function embeddedData(page: Document): Promise<ReportData> {
  checkComplete(page)
  const [[[run] = []], rowBlocks] = await Promise.all([
    Promise.all(listBlocks(page, 'run').map(openBlock<PageRun>)),
    Promise.all(listBlocks(page, 'rows').map(openBlock<PageRow>)),
  ])
  if (run === undefined) throw new Error('the file has no run in it')
  const blocks = listBlocks(page, 'results')
  const opened = new Map<Block, Promise<PageResult[]>>()

  async function load(index: number): Promise<PageResult> {
    const block = blocks.find(({ first, count }) => index >= first && index < first + count)
    if (block === undefined) throw new Error(`there is no result ${index} in this file`)
    const results = opened.get(block) ?? openBlock<PageResult>(block)
    opened.delete(block)
    opened.set(block, results)
    const [oldest] = opened.keys()
    if (opened.size > blocksKept && oldest) opened.delete(oldest)
    const result = (await results)[index - block.first]
    if (result === undefined) throw new Error(`there is no result ${index} in this file`)
    return result
  }

  return {
    run,
    rows: countedRows(rowBlocks.flat()),
    load,
    search: (words, listener, signal) => searchBlocks(blocks, words, listener, signal),
  }
}

const anyBlock = 'script[type="application/x-viva"]'

/** A download may be incomplete: part of a run must not look like the whole. */
function checkComplete(page: Document): void {
  const end = page.getElementById(endMark)
  if (end === null) throw new Error('the file is incomplete')
  if (page.querySelectorAll(anyBlock).length !== Number(end.dataset.blocks))
    throw new Error('part of its data is missing')
}

function listBlocks(page: Document, kind: BlockKind): Block[] {
  let first = 0
  return [...page.querySelectorAll(`${anyBlock}[data-kind="${kind}"]`)].map((element) => {
    const count = Number(element.getAttribute('data-count'))
    const block = { first, count, text: () => inflateBlock(element.textContent ?? '') }
    first += count
    return block
  })
}

async function openBlock<Item>({ text }: Block): Promise<Item[]> {
  return JSON.parse(await text()) as Item[]
}
