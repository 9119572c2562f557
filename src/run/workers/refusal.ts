/** Whether Redis has answered that it does not do what it was asked for. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError'
}

/** What Redis says while it cannot accept anything for some time, also about a transaction, and what a lost connection says. */
const passing =
  /^(?:OOM|LOADING|BUSY|READONLY|MASTERDOWN|NOREPLICAS|TRYAGAIN|MISCONF|EXECABORT|UNBLOCKED)\b|\bOOM command|-(?:READONLY|MISCONF|NOREPLICAS|MASTERDOWN)\b|\b(?:ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT)\b/

/** Whether the same command may be accepted later. */
export function isPassing(message: string): boolean {
  return passing.test(message)
}

/** Why Redis refuses a command, and what to do. */
export function explainRefusal(message: string): string {
  return /\bOOM\b|maxmemory/.test(message) ? 'Redis is full (raise its maxmemory)' : `Redis says ${message}`
}

/** A refusal in a run that goes on. */
export function describeRefusal(message: string): string {
  return `${explainRefusal(message)}: what it has refused is sent again until it takes it`
}
