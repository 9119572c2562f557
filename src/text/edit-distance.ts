/** Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours, in code points. */
export function editDistance(left: string, right: string): number {
  const [rows, columns] = [codePoints(left), codePoints(right)]
  let beforeLast = new Uint32Array(columns.length + 1)
  let last = Uint32Array.from({ length: columns.length + 1 }, (_, index) => index)
  let current = new Uint32Array(columns.length + 1)
  for (let row = 1; row <= rows.length; row++) {
    current[0] = row
    for (let column = 1; column <= columns.length; column++) {
      const same = rows[row - 1] === columns[column - 1]
      const replaced = at(last, column - 1) + (same ? 0 : 1)
      let cost = Math.min(at(last, column) + 1, at(current, column - 1) + 1, replaced)
      const swapped = rows[row - 1] === columns[column - 2] && rows[row - 2] === columns[column - 1]
      if (row > 1 && column > 1 && swapped) cost = Math.min(cost, at(beforeLast, column - 2) + 1)
      current[column] = cost
    }
    // The three arrays are reused, so that nothing is allocated per row.
    ;[beforeLast, last, current] = [last, current, beforeLast]
  }
  return at(last, columns.length)
}

function codePoints(text: string): Uint32Array {
  return Uint32Array.from(Array.from(text), (character) => character.codePointAt(0) ?? 0)
}

function at(row: Uint32Array, index: number): number {
  return row[index] ?? 0
}
