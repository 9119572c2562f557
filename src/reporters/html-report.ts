import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { resultToLine } from '../results/line.ts'
import { startToLine, summaryToLine } from '../results/summary-line.ts'
import { builtFile } from '../system/built-file.ts'
import { cutStrings } from './cut-strings.ts'
import { type BlockKind, endMark, type PageResult, type PageRow, type PageRun, pageRow } from './page-data.ts'
import type { Render } from './report.ts'

/** How a report of ours begins. */
export const reportHead = '<!doctype html>\n<html lang="en" data-viva-report="1">\n'

/** A block is opened as a whole: it must be large enough to compress well and small enough to open quickly. */
const blockBytes = 256 * 1024
const rowsInBlock = 2000
/** The rest of a longer text is in the journal. */
const longestText = 100_000

const opening = 'Opening the report… If nothing else appears, the file is incomplete or scripts are disabled.'

async function deflate(text: string): Promise<Buffer> {
  const { deflateRaw } = await import('node:zlib')
  return promisify(deflateRaw)(text)
}

/**
 * One self-contained file: the page (`web/`), and the run as compressed blocks of JSON. The rows of the table are
 * stored apart from the results, which are opened one by one.
 */
export const htmlReport: Render = async function* ({ start, summary, exitCode }, results) {
  const { script, style } = readPageFiles()
  const run: PageRun = { start: startToLine(start), summary: summaryToLine(summary, exitCode) }
  let blocks = 0
  const block = async (kind: BlockKind, items: readonly string[]) => {
    if (items.length === 0) return ''
    blocks += 1
    return renderBlock(kind, items)
  }
  yield reportHead + renderHead(script, style)
  yield await block('run', [JSON.stringify(run)])
  let rows: string[] = []
  let lines: string[] = []
  let size = 0
  for await (const result of results({ attempts: true })) {
    const row: PageRow = pageRow(result)
    rows.push(JSON.stringify(row))
    const line: PageResult = cutStrings(resultToLine(result), longestText)
    const text = JSON.stringify(line)
    lines.push(text)
    size += text.length
    if (size > blockBytes) {
      yield await block('results', lines)
      lines = []
      size = 0
    }
    if (rows.length >= rowsInBlock) {
      yield await block('rows', rows)
      rows = []
    }
  }
  yield await block('results', lines)
  yield await block('rows', rows)
  yield `<div id="${endMark}" data-blocks="${blocks}" hidden></div>\n</body>\n</html>\n`
}

/** Reads the files that `npm run build` makes. */
function readPageFiles(): { script: string; style: string } {
  const read = (name: string) => readFileSync(builtFile(`web/${name}`), 'utf8')
  return { script: read('page.js'), style: read('page.css') }
}

/** Only this script and this style may run, and nothing may be fetched, whatever the results contain. */
function renderHead(script: string, style: string): string {
  const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'`
  return [
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="referrer" content="no-referrer">',
    '<title>viva</title>',
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    // Comes before the blocks, so that an incomplete file still shows this notice.
    `<div id="page"><p class="notice">${opening}</p></div>`,
    `<script>${script}</script>`,
    '',
  ].join('\n')
}

/** One item per line, so that the page can read one item without parsing all of them. */
async function renderBlock(kind: BlockKind, items: readonly string[]): Promise<string> {
  const bytes = await deflate(`[${items.join(',\n')}]`)
  return `<script type="application/x-viva" data-kind="${kind}" data-count="${items.length}">${bytes.toString('base64')}</script>\n`
}
