import { ConfigError } from '../../errors.ts'
import type { Shell } from '../../system/shell.ts'
import { findNearest } from '../../text/nearest.ts'
import type { Command } from '../command.ts'
import { topics } from '../topics/list.ts'
import { columns } from '../topics/topic.ts'

/** Prints a topic, the list of them, or the help of a command. */
export async function helpCommand(
  words: readonly string[],
  commands: readonly Pick<Command, 'name'>[],
  showHelp: (words: readonly string[]) => Promise<number>,
  { stdout }: Pick<Shell, 'stdout'>,
): Promise<number> {
  const print = (lines: readonly string[]) => void stdout.write(`${lines.join('\n')}\n`)
  const wanted = words.join(' ')
  const names = commands.map(({ name }) => name)
  if (wanted === '') {
    const list = columns(topics.map(({ name, about }) => [name, about]))
    print(['Topics:', ...list, '', '`viva help <topic>` explains one, `viva --help` lists the commands.'])
    return 0
  }
  const topic = topics.find(({ name, aliases = [] }) => [name, ...aliases].includes(wanted.toLowerCase()))
  if (topic) {
    const command = names.includes(topic.name) ? ` · viva ${topic.name} --help` : ''
    print([...topic.lines(), '', `More: ${topic.page}${command}`])
    return 0
  }
  if (names.some((name) => name === wanted || name.startsWith(`${wanted} `))) return showHelp(words)
  throw unknownTopic(wanted, names)
}

function unknownTopic(wanted: string, commands: readonly string[]): ConfigError {
  const known = [...topics.flatMap(({ name, aliases = [] }) => [name, ...aliases]), ...commands]
  const guess = findNearest(wanted, known)
  return new ConfigError({
    code: 'unknown_topic',
    message: `no help topic "${wanted}"${guess === undefined ? '' : ` (did you mean "${guess}"?)`}`,
    hint: `the topics are ${topics.map(({ name }) => name).join(', ')}`,
  })
}
