import { isIPv6 } from 'node:net'

/** The parts of a URI (RFC 3986, appendix B). */
const parts = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s

const pathText = /^(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*$/i
const queryText = /^(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*$/i
const authorityForm = /^(?:(?<user>[^@[\]]*)@)?(?:\[(?<literal>[^[\]]*)\]|(?<host>[^@:[\]]*))(?::\d*)?$/
const futureAddress = /^v[\da-f]+\.[\w.~!$&'()*+,;=:-]+$/i

export function isUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:/i.test(text) && isUriReference(text)
}

/** A URI, or the end of one: `../a?b#c`. */
export function isUriReference(text: string): boolean {
  const [, scheme, authority, path = '', query = '', fragment = ''] = parts.exec(text) ?? []
  // Before a colon stands a scheme, or nothing: `1:b` is neither.
  if (scheme !== undefined && !/^[a-z][a-z\d+.-]*$/i.test(scheme)) return false
  if (authority !== undefined && !isAuthority(authority)) return false
  return pathText.test(path) && queryText.test(query) && queryText.test(fragment)
}

function isAuthority(text: string): boolean {
  const { user = '', literal, host = '' } = authorityForm.exec(text)?.groups ?? { user: ' ' }
  if (!pathText.test(user) || !pathText.test(host)) return false
  return literal === undefined || isIPv6Address(literal) || futureAddress.test(literal)
}

export function isIPv6Address(text: string): boolean {
  return isIPv6(text) && !text.includes('%')
}
