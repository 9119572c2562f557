import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'

/** The data in an HTML report, as the page reads it. */
export function readReportData(path: string, kind: 'run' | 'rows' | 'results'): Record<string, unknown>[] {
  const blocks = readFileSync(path, 'utf8').matchAll(
    new RegExp(
      `<script type="application/x-viva" data-kind="${kind}" data-count="\\d+">([^<]*)</script>`,
      'g',
    ),
  )
  return [...blocks].flatMap(([, text = '']) =>
    JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString()),
  )
}

/** All data of an HTML report as one text, without the page itself. */
export function readAllReportData(path: string): string {
  return JSON.stringify((['run', 'rows', 'results'] as const).map((kind) => readReportData(path, kind)))
}
