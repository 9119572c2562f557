const changing = /auth|key|token|secret|password|cookie|session|signature|^(date|traceparent|.*-request-id)$/i

/** Whether a parameter or a header of this name holds a secret, or something new in every request. */
export function isChangingName(name: string): boolean {
  return changing.test(name)
}
