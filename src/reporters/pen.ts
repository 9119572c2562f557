import { printable } from './printable.ts'

/** Text that is safe to print. Only a pen makes it, so nothing unsafe can be printed. */
export class Inked {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Ink = (content: string | Inked) => Inked

/** Writes lines: `pen.line`►[${id}]`` escapes the values in it, unless they are inked already. */
export interface Pen {
  line(strings: TemplateStringsArray, ...values: (string | number | Inked)[]): Inked
  green: Ink
  red: Ink
  yellow: Ink
  cyan: Ink
  dim: Ink
  bold: Ink
}

export function createPen(colour: boolean): Pen {
  const ink =
    (open: number, close: number): Ink =>
    (content) => {
      const text = toSafeText(content)
      return new Inked(colour ? `\u001b[${open}m${text}\u001b[${close}m` : text)
    }
  return {
    line(strings, ...values) {
      let text = ''
      for (let index = 0; index < strings.length; index++) {
        text += strings[index]
        if (index < values.length) text += toSafeText(values[index] ?? '')
      }
      return new Inked(text)
    },
    green: ink(32, 39),
    red: ink(31, 39),
    yellow: ink(33, 39),
    cyan: ink(36, 39),
    dim: ink(2, 22),
    bold: ink(1, 22),
  }
}

function toSafeText(content: string | number | Inked): string {
  return content instanceof Inked ? content.text : printable(String(content))
}

/** `NO_COLOR` overrides `FORCE_COLOR`, which overrides whether the stream is a terminal. */
export function wantsColour(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0') return true
  return stream.isTTY === true && env.TERM !== 'dumb'
}
