/** The lines around data that a model must not obey end with a mark, which is another one for any other data. */
export function withoutDataMarks(text: string): string {
  return text.replace(/\b(BEGIN|END) DATA [0-9a-f]{16}\b/g, '$1 DATA')
}
