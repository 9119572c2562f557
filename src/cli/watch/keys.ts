import { emitKeypressEvents } from 'node:readline'
import type { InputStream } from '../../system/shell.ts'

export type WatchCommand = 'all' | 'failed' | 'filter' | 'update' | 'again' | 'quit'

/** The keys of a session, in the order in which they are shown. */
export const watchKeys: readonly { key: string; command: WatchCommand; about: string }[] = [
  { key: 'a', command: 'all', about: 'all' },
  { key: 'f', command: 'failed', about: 'failed' },
  { key: 't', command: 'filter', about: 'filter' },
  { key: 'u', command: 'update', about: 'update snapshots' },
  { key: 'Enter', command: 'again', about: 'again' },
  { key: 'q', command: 'quit', about: 'quit' },
]

/** `a all · f failed · … · q quit` */
export function describeKeys(): string {
  return watchKeys.map(({ key, about }) => `${key} ${about}`).join(' · ')
}

/** What somebody types, as the terminal gives it. */
interface Keypress {
  name?: string
  ctrl?: boolean
  meta?: boolean
}

export interface Keyboard {
  /** Reads a line, and shows it while it is typed. Undefined for Escape, or when the session ends. */
  readLine(show: (text: string) => void, signal: AbortSignal): Promise<string | undefined>
  close(): void
}

interface KeyboardOptions {
  onCommand(command: WatchCommand): void
  /** Ctrl-C, which the terminal leaves to us while it gives us single keys. */
  onInterrupt(): void
}

/** Takes single keys from the terminal until it is closed. */
export function openKeyboard(stdin: InputStream, { onCommand, onInterrupt }: KeyboardOptions): Keyboard {
  let typing: ((text: string | undefined, key: Keypress) => void) | undefined
  const hear = (text: string | undefined, key: Keypress) => {
    if (key.ctrl && key.name === 'c') onInterrupt()
    else if (typing) typing(text, key)
    else {
      const pressed = key.name === 'return' || key.name === 'enter' ? 'Enter' : text
      const found = watchKeys.find((each) => each.key === pressed)
      if (found !== undefined) onCommand(found.command)
    }
  }
  emitKeypressEvents(stdin)
  stdin.setRawMode?.(true)
  stdin.on('keypress', hear)
  // A terminal that is closed ends the session, and nothing else.
  const leave = () => onCommand('quit')
  stdin.on('end', leave).on('error', leave)
  stdin.resume()
  return {
    readLine: (show, signal) =>
      new Promise((resolve) => {
        let line = ''
        const end = (result: string | undefined) => {
          typing = undefined
          signal.removeEventListener('abort', giveUp)
          resolve(result)
        }
        const giveUp = () => end(undefined)
        signal.addEventListener('abort', giveUp)
        typing = (text, key) => {
          if (key.name === 'return' || key.name === 'enter') return end(line)
          if (key.name === 'escape') return end(undefined)
          line = editLine(line, text, key)
          show(line)
        }
        show(line)
      }),
    close() {
      stdin.off('keypress', hear).off('end', leave).off('error', leave)
      stdin.setRawMode?.(false)
      stdin.pause()
    },
  }
}

function editLine(line: string, text: string | undefined, key: Keypress): string {
  if (key.name === 'backspace') return [...line].slice(0, -1).join('')
  if (key.ctrl && key.name === 'u') return ''
  // Arrows and the like have a name, but no character.
  const isCharacter = text !== undefined && !key.ctrl && !key.meta && !/[\u0000-\u001f\u007f]/.test(text)
  return isCharacter ? line + text : line
}
