import type { Terminal, TerminalNeeds, WithFront } from '../terminal-contract.ts'

export const terminalPhase = {
  name: 'terminal',
  open: ({ front, ...needs }: WithFront & TerminalNeeds): Terminal => front.open(needs),
  close: (terminal: Terminal) => terminal.close?.(),
} as const
