/** What a sentence does. An offer is one of more help; a courtesy is thanks, a wish or a farewell. */
export type Act = 'question' | 'request' | 'refusal' | 'offer' | 'courtesy'

export interface ActRule {
  act: Act
  /** An explanation for readers of the table. */
  why: string
  notInLists?: boolean
  /** Found in every sentence that the pattern matches. Looked for first: a large pattern takes milliseconds to compile. */
  cue?: RegExp
  /** Matched against the sentence in lower case. */
  pattern: RegExp
}
