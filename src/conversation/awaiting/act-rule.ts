/** What a sentence does. An offer is of more help; a courtesy is thanks, a wish, a farewell. */
export type Act = 'question' | 'request' | 'refusal' | 'offer' | 'courtesy'

export interface ActRule {
  act: Act
  /** For who reads the table. */
  why: string
  notInLists?: boolean
  /** Of the sentence in lower case. */
  pattern: RegExp
}
