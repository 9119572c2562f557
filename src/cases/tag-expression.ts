/** Whether a case with these tags matches. */
export type TagTest = (tags: ReadonlySet<string>) => boolean

/**
 * `smoke`, `smoke and not slow`, `(a or b) && !c`: tags with `and`, `or`, `not` (or `&&`, `||`, `!`) and parentheses.
 * Throws with a message for the user.
 */
export function parseTagExpression(text: string): TagTest {
  const words = text.match(/\(|\)|&&|\|\||!|[^\s()!&|]+/g) ?? []
  let at = 0
  const take = (...wanted: string[]) => {
    const word = words[at]
    if (word === undefined || !wanted.includes(word)) return false
    at += 1
    return true
  }
  const either = (): TagTest => {
    let test = both()
    while (take('or', '||')) {
      const [left, right] = [test, both()]
      test = (tags) => left(tags) || right(tags)
    }
    return test
  }
  const both = (): TagTest => {
    let test = single()
    while (take('and', '&&')) {
      const [left, right] = [test, single()]
      test = (tags) => left(tags) && right(tags)
    }
    return test
  }
  const single = (): TagTest => {
    if (take('not', '!')) {
      const inner = single()
      return (tags) => !inner(tags)
    }
    if (take('(')) {
      const inner = either()
      if (!take(')')) throw new Error('a parenthesis is not closed')
      return inner
    }
    const word = words[at]
    if (word === undefined || /^(?:\)|&&|\|\||and|or)$/.test(word))
      throw new Error(`a tag is missing ${word === undefined ? 'at the end' : `before "${word}"`}`)
    at += 1
    return (tags) => tags.has(word)
  }
  const test = either()
  if (at < words.length) throw new Error(`unexpected "${words[at]}"`)
  return test
}
