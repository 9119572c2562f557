import { createPauses } from './pauses.ts'
import type { PageResult, SearchListener } from './report-data.ts'
import { hasWords, searchedTexts } from './searched-texts.ts'

/** Results one after the other, a line each, as `src/reporters/html-report.ts` writes them. */
export interface SearchedBlock {
  first: number
  text: () => Promise<string>
}

/** Whoever reads sees that it goes on; more often would only draw the table again and again. */
const tellEveryMs = 1000

export async function searchBlocks(
  blocks: readonly SearchedBlock[],
  words: readonly string[],
  listener: SearchListener,
  signal: AbortSignal,
): Promise<void> {
  const pause = createPauses()
  let told = performance.now()
  let found: number[] = []
  for (const [index, block] of blocks.entries()) {
    const lines = linesOf(await block.text())
    for (const [offset, line] of lines.entries()) {
      if (signal.aborted) return
      if (lineHas(line, words)) found.push(block.first + offset)
      await pause()
    }
    if (performance.now() - told > tellEveryMs && !signal.aborted) {
      listener(found, (index + 1) / blocks.length)
      found = []
      told = performance.now()
    }
  }
  if (!signal.aborted) listener(found, 1)
}

/** In JSON a line break is always written as an escape. */
function linesOf(text: string): string[] {
  return text.slice(1, -1).split(',\n')
}

/** A result is read only when what is looked for can be in it. */
function lineHas(line: string, words: readonly string[]): boolean {
  return (
    hasWords([line], words.map(asInJson)) && hasWords(searchedTexts(JSON.parse(line) as PageResult), words)
  )
}

function asInJson(word: string): string {
  return JSON.stringify(word).slice(1, -1)
}
