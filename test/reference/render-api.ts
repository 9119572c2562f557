import { type PublicEntry, type PublicExport, readPublicApi } from './public-api.ts'
import { generated } from './render.ts'

const intro = `Everything that can be imported from the package. viva's own tests compile and run every example on this page; none of
them needs a network or a key. The guide is [Suites in TypeScript](suites.md).`

/** The page of what users can import: the doc comments of the source, with their examples. */
export function renderApi(): string {
  const entries = readPublicApi()
  const contents = entries.map(({ name, exports }) => `- [\`${name}\`](#${anchor(name)}): ${links(exports)}`)
  return `${[generated, '# API', intro, contents.join('\n'), ...entries.map(renderEntry)].join('\n\n')}\n`
}

function links(exports: readonly PublicExport[]): string {
  const values = exports.filter(({ kind }) => kind !== 'type')
  return values.length === 0
    ? 'types only'
    : values.map(({ name }) => `[${name}](#${anchor(name)})`).join(' · ')
}

/** As GitHub makes it of a heading. */
function anchor(heading: string): string {
  return heading.toLowerCase().replace(/[^\w-]/g, '')
}

function renderEntry({ name, doc, exports }: PublicEntry): string {
  const groups = [
    { heading: 'Functions', kind: 'function' },
    { heading: 'Classes', kind: 'class' },
    { heading: 'Constants', kind: 'constant' },
  ].flatMap(({ heading, kind }) => {
    const found = exports.filter((one) => one.kind === kind)
    return found.length === 0 ? [] : [`### ${heading}`, ...found.map(renderValue)]
  })
  const types = exports.filter(({ kind }) => kind === 'type')
  return [
    `## \`${name}\``,
    doc.text,
    ...(doc.example === undefined ? [] : [typescript(doc.example)]),
    ...groups,
    ...(types.length === 0 ? [] : ['### Types', renderTypes(types)]),
  ].join('\n\n')
}

function renderValue({ name, doc, signature = '' }: PublicExport): string {
  return [
    `#### \`${name}\``,
    doc.text,
    typescript(signature),
    'Example:',
    typescript(doc.example ?? ''),
  ].join('\n\n')
}

function typescript(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``
}

function renderTypes(types: readonly PublicExport[]): string {
  const rows = types.map(({ name, doc }) => {
    const text = doc.text.replace(/\s+/g, ' ').replaceAll('|', '\\|')
    return `| \`${name}\` | ${text} |`
  })
  return ['| type | meaning |', '| --- | --- |', ...rows].join('\n')
}
