/** How the command finds a suite in a module of the user's, whichever copy of viva made it. */
export const suiteName = Symbol.for('vivavoce.suite')
