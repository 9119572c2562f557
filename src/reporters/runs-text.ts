const mostNamed = 5

/** Names runs of a case: `run 2`, `runs 1, 2, 5`. */
export function runsText(runs: readonly number[]): string {
  const named = runs
    .toSorted((one, other) => one - other)
    .slice(0, mostNamed)
    .join(', ')
  const more = runs.length > mostNamed ? ` and ${runs.length - mostNamed} more` : ''
  return `${runs.length === 1 ? 'run' : 'runs'} ${named}${more}`
}
