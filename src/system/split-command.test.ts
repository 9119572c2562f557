import { describe, expect, it } from 'vitest'
import { splitCommand } from './split-command.ts'

describe('splitCommand', () => {
  it.each([
    ['python agent.py', ['python', 'agent.py']],
    ['  a   b\tc ', ['a', 'b', 'c']],
    [`node -e "console.log('hi there')"`, ['node', '-e', "console.log('hi there')"]],
    [`a 'b "c" \\d' e`, ['a', 'b "c" \\d', 'e']],
    ['a "say \\"hi\\" \\n" b', ['a', 'say "hi" \\n', 'b']],
    ['a\\ b c', ['a b', 'c']],
    ['--name="x y"z', ['--name=x yz']],
    [`a "" ''`, ['a', '', '']],
    ['C:\\tools\\agent.exe', ['C:\\tools\\agent.exe']],
    ['a && b | c > d $HOME *', ['a', '&&', 'b', '|', 'c', '>', 'd', '$HOME', '*']],
    ['', []],
  ])('splits %j', (line, words) => {
    expect(splitCommand(line)).toEqual(words)
  })

  it('refuses a quote that is never closed', () => {
    expect(() => splitCommand('a "b')).toThrow('the quote " is never closed')
  })
})
