import type { Terminal, TerminalNeeds, WithFront } from '../front.ts'

export const terminalPhase = {
  name: 'terminal',
  open: ({ front, ...needs }: WithFront & TerminalNeeds): Terminal => front.open(needs),
} as const
