/**
 * The parts of `npm run bench`, in the order in which they run. Each is a file in bench/parts/ that exports `measure`,
 * which returns rows of plain data, and `columns`, which turns them into the table of the same name in docs/benchmarks.md.
 */
export const parts = [
  'start',
  'cost',
  'clients',
  'throughput',
  'peers',
  'conversations',
  'script-tests',
  'nested-hooks',
  'module-agents',
  'growth',
  'resume',
  'recording',
  'reports',
  'report-page',
  'mcp-servers',
  'suites',
  'suite-waits',
  'sequential',
  'mutate',
  'shrink',
  'workers',
]

export function loadPart(name) {
  return import(`./parts/${name}.mjs`)
}
