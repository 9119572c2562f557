/** Marks a suite in a user's module, whichever copy of viva created it. */
export const suiteName = Symbol.for('vivavoce.suite')
