import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oneLine } from '../src/reporters/printable.ts'
import type { PageRow } from './report-data.ts'
import { createRow } from './row.fixture.ts'
import { toCsv, toMarkdown } from './written-tables.ts'

/** Parses lines of cells according to RFC 4180. */
function readCsv(text: string): string[][] {
  const lines: string[][] = [[]]
  let read = ''
  for (const [all, cell = '', end] of text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)) {
    read += all
    lines.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === '\r\n') lines.push([])
  }
  expect(read).toBe(text)
  return lines.slice(0, -1)
}

/** The cells of a row by column name. */
function csvCells(row: PageRow): Record<string, string | undefined> {
  const [heads = [], cells = [], ...others] = readCsv(toCsv([row]))
  expect(others).toEqual([])
  expect(cells).toHaveLength(heads.length)
  return Object.fromEntries(heads.map((head, index) => [head, cells[index]]))
}

const awkward = fc.string({
  unit: fc.oneof(
    fc.constantFrom('"', ',', '\r', '\n', '\t', "'", '=', '+', '-', '@', ';', '|', '\\', '`', '<', '&'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  ),
})

describe('results as CSV', () => {
  it('have a head and one line per result', () => {
    const rows = [createRow(), createRow({ run: 2 })]
    expect(toCsv(rows)).toBe(
      [
        'id,name,file,variant,run,attempt,outcome,origin,kind,reason,tags,flaky,unchecked,turns,duration_ms,cost,tokens,opening',
        'T1,,a.jsonl,support@large,1,1,passed,,,,,,,1,100,,,',
        'T1,,a.jsonl,support@large,2,1,passed,,,,,,,1,100,,,',
        '',
      ].join('\r\n'),
    )
  })

  it('have only a head without results', () => {
    expect(readCsv(toCsv([]))).toHaveLength(1)
  })

  it('have all fields of a row', () => {
    const row = createRow({
      name: 'A "quoted", name',
      outcome: 'failed',
      origin: 'graded',
      kind: 'assertion',
      reason: 'line 1\nline 2',
      tags: ['smoke', 'slow'],
      flaky: true,
      unchecked: true,
      turns: 3,
      durationMs: 1234,
      cost: 0.0031,
      tokens: 0,
      opening: 'Hi',
    })
    expect(csvCells(row)).toEqual({
      id: 'T1',
      name: 'A "quoted", name',
      file: 'a.jsonl',
      variant: 'support@large',
      run: '1',
      attempt: '1',
      outcome: 'failed',
      origin: 'graded',
      kind: 'assertion',
      reason: 'line 1\nline 2',
      tags: 'smoke slow',
      flaky: 'true',
      unchecked: 'true',
      turns: '3',
      duration_ms: '1234',
      cost: '0.0031',
      tokens: '0',
      opening: 'Hi',
    })
  })

  it('preserve every text, with at most a quote before it', () => {
    fc.assert(
      fc.property(awkward, awkward, (id, reason) => {
        const cells = csvCells(createRow({ id, reason }))
        expect([id, `'${id}`]).toContain(cells.id)
        expect([reason, `'${reason}`]).toContain(cells.reason)
      }),
    )
  })

  it.each([
    '=1+1',
    '=HYPERLINK("https://example.com","x")',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '\u0000=1',
    '＝1+1',
    '＠SUM(A1)',
  ])('do not turn %j into a formula', (text) => {
    const row = createRow({ id: text, name: text, reason: text, tags: [text], opening: text })
    expect(csvCells(row)).toMatchObject({
      id: `'${text}`,
      name: `'${text}`,
      reason: `'${text}`,
      tags: `'${text}`,
      opening: `'${text}`,
    })
  })

  it.each(['T1', 'a=1', "'quoted'", '1+1', ' x', 'a@b'])('do not change %j', (text) => {
    expect(csvCells(createRow({ name: text })).name).toBe(text)
  })
})

/** Decodes escapes like a renderer. */
function rendered(markdown: string): string {
  return markdown
    .replace(/\\([!-/:-@[-`{-~])/g, (_, character: string) => `&#${character.charCodeAt(0)};`)
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
}

/** The cells of the only row, as Markdown. */
function markdownCells(row: PageRow): string[] {
  const lines = toMarkdown([row]).split('\n')
  expect(lines).toHaveLength(4)
  return (lines[2] ?? '').replace(/^\| | \|$/g, '').split(' | ')
}

function writtenName(name: string): string {
  return markdownCells(createRow({ name }))[2] ?? ''
}

describe('results as Markdown', () => {
  it('are a table', () => {
    const rows = [
      createRow({ outcome: 'known', name: 'A name', reason: 'why', cost: 0.5 }),
      createRow({ id: 'T2', run: 2, turns: 3 }),
    ]
    expect(toMarkdown(rows)).toBe(
      [
        '| outcome | id | name | variant | run | reason | turns | ms | cost ($) |',
        '| --- | --- | --- | --- | ---: | --- | ---: | ---: | ---: |',
        '| known failure | T1 | A name | support&#64;large | 1 | why | 1 | 100 | 0.5 |',
        '| passed | T2 |  | support&#64;large | 2 |  | 3 | 100 |  |',
        '',
      ].join('\n'),
    )
  })

  it('have one line per result and every cell in its column, whatever the texts', () => {
    fc.assert(
      fc.property(awkward, awkward, (id, reason) => {
        const cells = markdownCells(createRow({ id, reason }))
        const shown = (text: string) => oneLine(text, 1000)
        expect(cells).toHaveLength(9)
        expect(rendered(cells[1] ?? '')).toBe(shown(id))
        expect(rendered(cells[5] ?? '')).toBe(shown(reason))
      }),
    )
  })

  it.each([
    ['emphasis', '*a* _b_ **c** ~~d~~', /(?<!\\)[*_~]/],
    ['code', '`rm`', /(?<!\\)`/],
    ['a link', '[a](https://example.com)', /(?<!\\)[[\]()]|:/],
    ['an image', '![a](x.png)', /(?<!\\)[![\]()]/],
    ['HTML', '<img src=x onerror=alert(1)>', /[<>]/],
    ['an entity', '&lt;', /&(?!#\d+;)/],
    ['a mention', '@ada', /@/],
    ['what would begin another cell', 'a | b', /(?<!\\)\|/],
    ['an escape that ends early', 'a\\|b', /(?<!\\)(?:\\\\)*\|/],
    ['an address without a scheme', 'www.example.com', /www\./],
    ['a formula', '$x$', /(?<!\\)\$/],
    ['what would begin another line', 'a\nb', /\n/],
    ['a colour of the terminal', '\u001b[31mred', /\u001b/],
  ])('show %s as text', (_, text, markup) => {
    expect(writtenName(text)).not.toMatch(markup)
  })
})
