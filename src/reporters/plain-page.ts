import { createHash } from 'node:crypto'
import { printable } from './printable.ts'

interface PlainPage {
  /** The first lines, by which viva recognises its own file. */
  head: string
  title: string
  style: string
  /** HTML already. */
  body: readonly string[]
}

const commonStyle = `
:root { color-scheme: light dark; --bad: #b3261e; --maybe: #8a5a00; --good: #1a7f37; --line: #8884 }
@media (prefers-color-scheme: dark) { :root { --bad: #ff8a80; --maybe: #ffcc66; --good: #7ee787 } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.25rem }
pre { overflow-x: auto; border: 1px solid var(--line); padding: .5rem; font-size: .875rem }
.added { color: var(--good) } .removed { color: var(--bad) }
`

/** A page without scripts. */
export function renderPlainPage({ head, title, style, body }: PlainPage): string {
  const styles = commonStyle + style
  const hash = createHash('sha256').update(styles).digest('base64')
  return [
    `${head}<head>`,
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hash}'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    `<style>${styles}</style>`,
    '</head><body><main>',
    `<h1>${title}</h1>`,
    ...body,
    '</main></body></html>\n',
  ].join('\n')
}

/** The lines of a difference. */
export function diffBlock(lines: readonly string[]): string {
  return `<pre>${lines.map(diffLine).join('\n')}</pre>`
}

function diffLine(line: string): string {
  const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : undefined
  return kind === undefined ? escapeMarkup(line) : `<span class="${kind}">${escapeMarkup(line)}</span>`
}

/** Escaped, so that no text of an agent becomes markup. */
export function escapeMarkup(words: string): string {
  return printable(words).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
