/** The end of a sentence about what an agent does not show, where something makes it visible. */
export function disclosureHint(how: string | undefined): string {
  return how === undefined ? '' : `. To make them visible, ${how}`
}
