import type { Command } from '../command.ts'
import type { Flag } from '../flag.ts'

/** What may be written at a place: files, folders, names of agents, one of some words, or any text. */
export type Completes = 'files' | 'folders' | 'agents' | 'nothing' | readonly string[]

/** A flag as a shell completes it. */
export interface CompletedFlag {
  /** `-i`, `--input` */
  names: readonly string[]
  about: string
  repeat: boolean
  /** Undefined for one without a value. */
  value?: Completes
}

/** A command as a shell completes it. */
export interface CompletedCommand {
  /** `['judge', 'check']` */
  words: readonly string[]
  about: string
  flags: readonly CompletedFlag[]
  argument: Completes
}

const helpFlag: Flag = { spec: '-h, --help', about: 'show this help' }

/** The commands with their flags, for the scripts of all shells. `words` are those of arguments that are a choice. */
export function completionTable(
  commands: readonly Command<never>[],
  words: Readonly<Record<string, readonly string[]>>,
): CompletedCommand[] {
  return commands.map(({ name, about, summary = about, arguments: args, flags }) => ({
    words: name.split(' '),
    about: summary,
    flags: [...flags, helpFlag].filter(({ hidden }) => !hidden).map(completedFlag),
    argument: words[name] ?? placeholderKind(args[0]?.[0] ?? ''),
  }))
}

function completedFlag({ spec, about, repeat = false, values }: Flag): CompletedFlag {
  const flag = { names: spec.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g) ?? [], about, repeat }
  const placeholder = /<.*>/.exec(spec)?.[0]
  return placeholder === undefined ? flag : { ...flag, value: values ?? placeholderKind(placeholder) }
}

/** What a placeholder such as `<file>` or `[inputs...]` stands for. */
function placeholderKind(placeholder: string): Completes {
  const name = placeholder.replace(/[^a-z]/g, '')
  if (name === 'agent') return 'agents'
  if (name === 'folder') return 'folders'
  return ['file', 'input', 'inputs', 'results', 'base', 'head', 'labels'].includes(name) ? 'files' : 'nothing'
}

/** The commands by their first word; `judge` has several below it, or one. */
export function byFirstWord(table: readonly CompletedCommand[]): Map<string, CompletedCommand[]> {
  const found = new Map<string, CompletedCommand[]>()
  for (const command of table) {
    const [first = ''] = command.words
    found.set(first, [...(found.get(first) ?? []), command])
  }
  return found
}

/** A text in single quotes, which mean the same in all three shells but for a quote inside. */
export function quoted(text: string, escapedQuote: string): string {
  return `'${text.replaceAll("'", escapedQuote)}'`
}
