import { byFirstWord, type CompletedCommand, type CompletedFlag, type Completes, quoted } from './table.ts'

/** The completion script for zsh. */
export function zshScript(table: readonly CompletedCommand[]): string {
  const groups = [...byFirstWord(table)]
  const first = groups.map(([word, [command]]) => describe(word, command?.about ?? ''))
  return `#compdef viva
# Completion of viva for zsh. To install it, write it to a folder of $fpath:
#   viva completion zsh > "\${fpath[1]}/_viva"
# or add this line to ~/.zshrc, after compinit:
#   eval "$(viva completion zsh)"

_viva_agents() {
  local -a names
  names=(\${(f)"$(viva completion --agents 2>/dev/null)"})
  (( $#names )) && compadd -a names
  _files
}

_viva() {
  local -a commands
  if (( CURRENT == 2 )); then
    commands=(
${first.map((line) => `      ${line}`).join('\n')}
    )
    _describe -t commands command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${groups.map(groupCase).join('\n')}
  esac
}

if [[ $funcstack[1] == _viva ]]; then
  _viva "$@"
else
  compdef _viva viva
fi
`
}

function groupCase([word, commands]: [string, CompletedCommand[]]): string {
  const [only] = commands
  if (only?.words.length === 1) return `    ${word})\n${argumentsCall(only, '      ')}\n      ;;`
  const below = commands.map(({ words, about }) => `          ${describe(words[1] ?? '', about)}`)
  const cases = commands.map(
    (command) => `        ${command.words[1]})\n${argumentsCall(command, '          ')}\n          ;;`,
  )
  return `    ${word})
      if (( CURRENT == 2 )); then
        commands=(
${below.join('\n')}
        )
        _describe -t commands command commands
        return
      fi
      shift words
      (( CURRENT-- ))
      case $words[1] in
${cases.join('\n')}
      esac
      ;;`
}

function argumentsCall({ flags, argument }: CompletedCommand, indent: string): string {
  const specs = [...flags.flatMap(flagSpecs), `'*:argument:${action(argument)}'`]
  return `${indent}_arguments -s -S \\\n${specs.map((spec) => `${indent}  ${spec}`).join(' \\\n')}`
}

function flagSpecs({ names, about, repeat, value }: CompletedFlag): string[] {
  const others = repeat ? '*' : names.length > 1 ? `(${names.join(' ')})` : ''
  const explained = about.replace(/[[\]\\]/g, '\\$&')
  const after = value === undefined ? '' : `:value:${action(value)}`
  return names.map((name) => {
    // A long flag may also be written with its value after a sign.
    const sign = value !== undefined && name.startsWith('--') ? '=' : ''
    return quoted(`${others}${name}${sign}[${explained}]${after}`, "'\\''")
  })
}

function action(completes: Completes): string {
  if (typeof completes !== 'string') return `(${completes.join(' ')})`
  return { files: '_files', folders: '_files -/', agents: '_viva_agents', nothing: ' ' }[completes]
}

function describe(word: string, about: string): string {
  return quoted(`${word}:${about}`, "'\\''")
}
