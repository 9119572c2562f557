import { byFirstWord, type CompletedCommand, type CompletedFlag, type Completes, quoted } from './table.ts'

/** The completion script for fish. */
export function fishScript(table: readonly CompletedCommand[]): string {
  const first = [...byFirstWord(table)].map(([word, [command]]) => {
    const about = command?.words.length === 1 ? command.about : ''
    return `complete -c viva -n __viva_needs_command -a ${word} -d ${text(about)}`
  })
  return `# Completion of viva for fish. To install it, write it to a file:
#   viva completion fish > ~/.config/fish/completions/viva.fish

# Whether the words after viva begin with these.
function __viva_command
    set -l words (commandline -opc)
    set -e words[1]
    for index in (seq (count $argv))
        test "$words[$index]" = "$argv[$index]"; or return 1
    end
end

function __viva_needs_command
    test (count (commandline -opc)) -eq 1
end

complete -c viva -f
${first.join('\n')}
complete -c viva -n __viva_needs_command -l version -s V -d 'print the version'
${table.flatMap(commandLines).join('\n')}
`
}

function commandLines({ words, about, flags, argument }: CompletedCommand): string[] {
  const begin = `complete -c viva -n '__viva_command ${words.join(' ')}'`
  const [first, second] = words
  const below =
    second === undefined
      ? []
      : [
          `complete -c viva -n '__viva_command ${first}; and not __viva_command ${words.join(' ')}' -a ${second} -d ${text(about)}`,
        ]
  return [
    ...below,
    ...(argument === 'nothing' ? [] : [`${begin} ${offered(argument)}`]),
    ...flags.map((flag) => `${begin} ${flagWords(flag)} -d ${text(flag.about)}`),
  ]
}

function flagWords({ names, value }: CompletedFlag): string {
  const words = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  if (value === undefined) return words.join(' ')
  return [...words, '-r', ...(value === 'nothing' ? ['-f'] : [offered(value)])].join(' ')
}

function offered(completes: Completes): string {
  if (typeof completes !== 'string') return `-f -a ${text(completes.join(' '))}`
  const forms = {
    files: '-F',
    folders: "-f -a '(__fish_complete_directories)'",
    agents: "-F -a '(viva completion --agents 2>/dev/null)'",
    nothing: '',
  }
  return forms[completes]
}

function text(words: string): string {
  return quoted(words, "\\'")
}
