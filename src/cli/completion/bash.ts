import { byFirstWord, type CompletedCommand, type Completes } from './table.ts'

/** The completion script for bash, from version 3.2 on, which macOS has. */
export function bashScript(table: readonly CompletedCommand[]): string {
  const first = [...byFirstWord(table).keys(), '--help', '--version']
  const below = [...byFirstWord(table)].filter(([, commands]) => commands[0]?.words.length === 2)
  const nested = below.map(
    ([word, commands]) =>
      `    ${word}) subcommands=${words(commands.map((command) => command.words[1] ?? ''))} ;;`,
  )
  return `# Completion of viva for bash. To install it, write it to a file:
#   mkdir -p ~/.local/share/bash-completion/completions
#   viva completion bash > ~/.local/share/bash-completion/completions/viva
# or, without the package bash-completion, add this line to ~/.bashrc:
#   eval "$(viva completion bash)"

_viva_reply() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done
}

_viva_files() {
  compopt -o filenames 2>/dev/null
  _viva_reply < <(compgen "$1" -- "$2")
}

_viva() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}"
  local command="\${COMP_WORDS[1]}" subcommands='' flags='' kind='' values=''
  COMPREPLY=()
  # bash splits --flag=value at the sign.
  if [[ $current == = ]]; then
    current=''
  elif [[ $previous == = ]]; then
    previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  if ((COMP_CWORD == 1)); then
    _viva_reply < <(compgen -W ${words(first)} -- "$current")
    return
  fi
  case $command in
${nested.join('\n')}
  esac
  if [[ -n $subcommands ]]; then
    if ((COMP_CWORD == 2)); then
      _viva_reply < <(compgen -W "$subcommands" -- "$current")
      return
    fi
    command="$command \${COMP_WORDS[2]}"
  fi
  case $command in
${table.map(commandCase).join('\n')}
  esac
  if [[ -z $kind && $current == -* ]]; then
    _viva_reply < <(compgen -W "$flags" -- "$current")
    return
  fi
  case \${kind:-$values} in
    files) _viva_files -f "$current" ;;
    folders) _viva_files -d "$current" ;;
    agents)
      _viva_reply < <(compgen -W "$(viva completion --agents 2>/dev/null)" -- "$current")
      _viva_files -f "$current"
      ;;
    nothing) ;;
    *) _viva_reply < <(compgen -W "\${kind:-$values}" -- "$current") ;;
  esac
}

complete -F _viva viva
`
}

/** Sets \`flags\`, what follows the flag before the cursor (\`kind\`), and what the arguments are (\`values\`). */
function commandCase({ words: path, flags, argument }: CompletedCommand): string {
  const kinds = flags.flatMap(({ names, value }) =>
    value === undefined ? [] : [`        ${names.join(' | ')}) kind=${kindText(value)} ;;`],
  )
  const all = words(flags.flatMap(({ names }) => names))
  return `    '${path.join(' ')}')
      flags=${all}
      values=${kindText(argument)}
      case $previous in
${kinds.join('\n')}
      esac
      ;;`
}

function kindText(completes: Completes): string {
  return typeof completes === 'string' ? completes : words(completes)
}

function words(list: readonly string[]): string {
  return `'${list.join(' ')}'`
}
