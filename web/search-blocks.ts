import { createPauses } from './pauses.ts'
import type { PageResult, SearchListener } from './report-data.ts'
import { hasWords, searchedTexts } from './searched-texts.ts'

/** Results, one per line, as `src/reporters/html-report.ts` writes them. */
export interface SearchedBlock {
  first: number
  text: () => Promise<string>
}

/** Often enough to show progress; more often would only render the table again. */
const reportEveryMs = 1000

export async function searchBlocks(
  blocks: readonly SearchedBlock[],
  words: readonly string[],
  listener: SearchListener,
  signal: AbortSignal,
): Promise<void> {
  const pause = createPauses()
  let reportedAt = performance.now()
  let found: number[] = []
  for (const [index, block] of blocks.entries()) {
    const lines = splitLines(await block.text())
    for (const [offset, line] of lines.entries()) {
      if (signal.aborted) return
      if (lineHas(line, words)) found.push(block.first + offset)
      await pause()
    }
    if (performance.now() - reportedAt > reportEveryMs && !signal.aborted) {
      listener(found, (index + 1) / blocks.length)
      found = []
      reportedAt = performance.now()
    }
  }
  if (!signal.aborted) listener(found, 1)
}

/** Line breaks in JSON strings are always escaped, so every line is one result. */
function splitLines(text: string): string[] {
  return text.slice(1, -1).split(',\n')
}

/** A result is parsed only if its text may contain the words. */
function lineHas(line: string, words: readonly string[]): boolean {
  return (
    hasWords([line], words.map(escapeForJson)) &&
    hasWords(searchedTexts(JSON.parse(line) as PageResult), words)
  )
}

function escapeForJson(word: string): string {
  return JSON.stringify(word).slice(1, -1)
}
