/** `npm run faults`: breaks what viva depends on, and checks what it promises. See CONTRIBUTING.md. */
import { parseArgs } from 'node:util'
import { type Part, type PartRun, Scorecard } from './part.ts'
import { parts } from './parts.ts'
import { startFaultServer } from './server.ts'
import { table } from './table.ts'

/** `npm test` always uses the same seed. */
const shortSeed = 1

const countNames = [...new Set(Object.values(parts).flatMap(({ counts }) => Object.keys(counts)))]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    help: { type: 'boolean', default: false },
    ...Object.fromEntries(countNames.map((name) => [name, { type: 'string' as const }])),
  },
})
const given = values as Record<string, string | boolean | undefined>

function usage(): string {
  const rows = Object.entries(parts).map(([name, { about, counts }]) => {
    const flags = Object.entries(counts).map(([count, { long }]) => `--${count} ${long}`)
    return [name, about, flags.join(' ')]
  })
  return `npm run faults -- [part…] [--short] [--seed N]\n\n${table([['part', 'what it does', 'counts'], ...rows])}`
}

/** If one count of a part is given, its other counts are 0. */
function chooseCount({ counts }: Part, name: string): number {
  const isChosen = Object.keys(counts).some((count) => given[count] !== undefined)
  if (isChosen) return Number(given[name] ?? 0)
  return counts[name]?.[values.short ? 'short' : 'long'] ?? 0
}

async function runPart(name: string, part: Part, seed: number): Promise<Scorecard> {
  const started = performance.now()
  const seconds = () => `${Math.round((performance.now() - started) / 1000)}s`.padStart(5)
  const card = new Scorecard((text) => console.log(`${seconds()} ${name}: ${text}`))
  const server = await startFaultServer()
  let lastTold = 0
  const run: PartRun = {
    seed,
    long: !values.short,
    server,
    card,
    count: (count) => chooseCount(part, count),
    progress(text) {
      if (performance.now() - lastTold < 2000) return
      lastTold = performance.now()
      console.log(`${seconds()} ${name}: ${text}`)
    },
  }
  // A part that fails must not affect the others.
  await part.run(run).catch((error: Error) => card.check('the part completes', false, String(error.stack)))
  await server.close()
  console.log(`${seconds()} ${name}: ${isKept(card) ? 'broke no promise' : 'BROKEN'}`)
  return card
}

/** A part that checked nothing has not kept its promises. */
function isKept(card: Scorecard): boolean {
  return !card.isBroken && !card.isEmpty
}

async function main(): Promise<number> {
  const names = positionals.length > 0 ? positionals : Object.keys(parts)
  if (values.help || names.some((name) => !(name in parts))) {
    console.log(usage())
    return values.help ? 0 : 2
  }
  const seed = Number(given.seed ?? (values.short ? shortSeed : Math.floor(Math.random() * 1e9)))
  const counts = countNames
    .filter((name) => given[name] !== undefined)
    .map((name) => `--${name} ${given[name]}`)
  const again = [...names, ...(values.short ? ['--short'] : []), ...counts, `--seed ${seed}`]
  console.log(`seed ${seed} (to repeat: npm run faults -- ${again.join(' ')})`)
  const rows: string[][] = []
  let areKept = true
  for (const [name, part] of Object.entries(parts).filter(([name]) => names.includes(name))) {
    const missing = part.missing?.()
    if (missing !== undefined && process.env.VIVA_REQUIRE_ALL !== '1') {
      console.log(`SKIPPED: ${name}: ${missing}`)
      continue
    }
    const card = await runPart(name, part, seed)
    areKept &&= isKept(card)
    for (const [promise, { checked, broken }] of card.promises)
      rows.push([name, promise, String(checked), String(broken.length)])
    for (const [figure, value] of card.figures) rows.push([name, figure, value, ''])
  }
  console.log(`\n${table([['part', 'promise', 'checked', 'broken'], ...rows])}`)
  return areKept ? 0 : 1
}

process.exitCode = await main()
