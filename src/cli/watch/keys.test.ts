import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { describeKeys, openKeyboard, type WatchCommand } from './keys.ts'

function open() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, raw: false, setRawMode: (_: boolean) => {} })
  stdin.setRawMode = (isRaw) => {
    stdin.raw = isRaw
  }
  const heard: (WatchCommand | 'interrupt')[] = []
  const keyboard = openKeyboard(stdin, {
    onCommand: (command) => void heard.push(command),
    onInterrupt: () => void heard.push('interrupt'),
  })
  const type = async (keys: string) => {
    stdin.write(keys)
    await setImmediate()
  }
  return { stdin, heard, keyboard, type }
}

describe('the keys of --watch', () => {
  it('are commands, and other keys are not', async () => {
    const { heard, type } = open()
    await type('aftxu\r q\u0003')
    expect(heard).toEqual(['all', 'failed', 'filter', 'update', 'again', 'quit', 'interrupt'])
  })

  it('are shown in one line', () => {
    expect(describeKeys()).toBe('a all · f failed · t filter · u update snapshots · Enter again · q quit')
  })

  it('are text while a line is read', async () => {
    const { heard, keyboard, type } = open()
    const shown: string[] = []
    const line = keyboard.readLine((text) => void shown.push(text), new AbortController().signal)
    await type('qaé🙂')
    await type('\u007f\u007f')
    await type('f\r')
    expect(await line).toBe('qaf')
    expect(shown).toEqual(['', 'q', 'qa', 'qaé', 'qaé🙂', 'qaé', 'qa', 'qaf'])
    await type('a')
    expect(heard).toEqual(['all'])
  })

  it('Ctrl-U empties the line, and Ctrl-C interrupts', async () => {
    const { heard, keyboard, type } = open()
    const line = keyboard.readLine(() => {}, new AbortController().signal)
    await type('abc\u0015x\u0003\r')
    expect(await line).toBe('x')
    expect(heard).toEqual(['interrupt'])
  })

  it('a line that is not finished ends with Escape, and with the session', async () => {
    const { keyboard, type } = open()
    const controller = new AbortController()
    const first = keyboard.readLine(() => {}, controller.signal)
    await type('abc\u001b')
    expect(await first).toBeUndefined()
    const second = keyboard.readLine(() => {}, controller.signal)
    controller.abort()
    expect(await second).toBeUndefined()
  })

  it('a terminal that is closed ends the session', async () => {
    const { heard, stdin } = open()
    stdin.end()
    await setImmediate()
    expect(heard).toEqual(['quit'])
  })

  it('the terminal is as before when the keyboard is closed', async () => {
    const { stdin, keyboard, heard, type } = open()
    expect(stdin.raw).toBe(true)
    keyboard.close()
    expect(stdin.raw).toBe(false)
    expect(['keypress', 'error'].map((event) => stdin.listenerCount(event))).toEqual([0, 0])
    await type('a')
    expect(heard).toEqual([])
  })
})
