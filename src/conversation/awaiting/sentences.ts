/** A sentence of a reply and its place: in running text, in a list, or as a title. */
export interface Sentence {
  text: string
  place: 'text' | 'item' | 'title'
}

/** Only the end of a reply is read: agents ask near the end, and a long reply must not take longer. */
const tailLength = 4000

/** The sentences near the end of a Markdown reply, without code, tables and quotations, which are not the agent's words. */
export function lastSentences(reply: string): Sentence[] {
  const sentences: Sentence[] = []
  for (const line of tailLines(reply)) {
    const { place, rest } = classifyLine(line)
    for (const text of splitSentences(removeMarkup(rest))) sentences.push({ text, place })
  }
  return sentences
}

function tailLines(reply: string): string[] {
  const spoken = removeCode(reply.split('\n'))
  let left = tailLength
  let first = spoken.length
  while (first > 0 && left > 0) {
    first -= 1
    left -= (spoken[first]?.length ?? 0) + 1
  }
  return spoken.slice(first).map((line) => line.slice(-tailLength).trim())
}

const fence = /^[ \t>]{0,12}(`{3,99}|~{3,99})(?!.{0,99}`)/

/** A fence is closed by a fence of the same kind that is at least as long and alone on its line. */
function removeCode(lines: string[]): string[] {
  let open: string | undefined
  return lines.filter((line) => {
    const mark = fence.exec(line)?.[1]
    if (open === undefined) {
      open = mark
      return mark === undefined
    }
    if (mark?.startsWith(open) && line.trimEnd().endsWith(mark)) open = undefined
    return false
  })
}

const ruler = /^[-=*_ ]{3,}$/
const marker = /^(?:[-*+•–]|\(?[0-9]{1,3}[.)]|\(?[a-z][.)])\s+(?:\[[ x]\]\s+)?/i
const title = /^#{1,6}\s/
const boldLine = /^\*\*[^*]+\*\*:?$/

function classifyLine(line: string): { place: Sentence['place']; rest: string } {
  if (line.startsWith('|') || line.startsWith('>') || ruler.test(line)) return { place: 'text', rest: '' }
  if (title.test(line)) return { place: 'title', rest: line.replace(title, '') }
  if (marker.test(line)) return { place: 'item', rest: line.replace(marker, '') }
  return { place: boldLine.test(line) ? 'title' : 'text', rest: line }
}

/** Nothing else in a line can be markup. */
const markup = /[[<*~\t\u{a0}-\u{10ffff}]| {2}/u

function removeMarkup(line: string): string {
  if (!markup.test(line)) return line.trim()
  return line
    .replace(/!?\[([^\][]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, '')
    .replace(
      /\*+|~~|\p{Extended_Pictographic}|\p{Regional_Indicator}|[\u{1f3fb}-\u{1f3ff}]|\u{fe0f}|\u{200d}/gu,
      '',
    )
    .replace(/[ \t\u{a0}]+/gu, ' ')
    .trim()
}

/** Inline code is skipped. A mark ends a sentence before a space; East Asian marks end one anywhere. */
const sentenceEnd = /`[^`]*`|[。！？｡]+[”’」』）)"']*|[.!?…؟;։।]+["'”’»)\]]*(?=\s|$)/gu

const abbreviations = new Set('e.g i.e vs mr mrs ms dr prof nr approx dept z.b bzw sr sra p.ex'.split(' '))

function splitSentences(line: string): string[] {
  const sentences: string[] = []
  const add = (sentence: string) => {
    if (/[\p{L}\p{N}?？؟]/u.test(sentence)) sentences.push(sentence.trim())
  }
  let start = 0
  for (const { 0: mark, index } of line.matchAll(sentenceEnd)) {
    const end = index + mark.length
    if (mark.startsWith('`') || !endsSentence(line.slice(start, index), mark, line.slice(end, end + 2)))
      continue
    add(line.slice(start, end))
    start = end
  }
  if (start < line.length) add(line.slice(start))
  return sentences
}

function endsSentence(before: string, mark: string, after: string): boolean {
  // In Greek this is the question mark; in other languages it is a semicolon.
  if (mark.startsWith(';')) return isGreek(before)
  const goesOn = /^\s?\p{Ll}/u.test(after)
  if (goesOn && /^[.…]|["'”’»)\]]$/u.test(mark)) return false
  if (mark !== '.') return true
  const word = before.slice(-12).split(/[\s(]/).at(-1) ?? ''
  return !abbreviations.has(word.toLowerCase()) && !/^\p{Lu}$/u.test(word)
}

export function isGreek(text: string): boolean {
  return /\p{Script=Greek}$/u.test(text)
}
