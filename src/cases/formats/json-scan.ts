/** What brackets say about a stretch of JSON, without parsing it. */
export interface JsonScan {
  /** Brackets that are open. */
  level: number
  deepest: number
  /** Colons outside strings, which follow keys. */
  colons: number
}

export function newScan(): JsonScan {
  return { level: 0, deepest: 0, colons: 0 }
}

/** Goes on with a whole line: a JSON string never spans lines, so every line starts outside one. */
export function scanJson(scan: JsonScan, text: string): void {
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 0x5c) index += 1
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x7b || code === 0x5b) {
      scan.level += 1
      if (scan.level > scan.deepest) scan.deepest = scan.level
    } else if (code === 0x7d || code === 0x5d) scan.level -= 1
    else if (code === 0x3a) scan.colons += 1
  }
}
