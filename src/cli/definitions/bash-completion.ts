import type { Completed } from './definition.ts'
import { type CompletedCommand, optionsOf } from './shells.ts'

/** A script for bash 3.2 and later. What it completes is in the script; only names of things are asked for. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  return `# The bash completion of "perigee". Printed by "perigee completion bash".
_perigee() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="\${COMP_WORDS[1]}" verb="\${COMP_WORDS[2]}" kind=words words='' typed line
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    words='${commands.map(({ name }) => name).join(' ')}'
  else
    case "$command $previous" in
${commands.flatMap(valueCases).join('\n')}
    *)
      if [[ $current == -* ]]; then
        case "$command $verb" in
${commands.flatMap(optionCases).join('\n')}
        esac
      else
        case "$command $((COMP_CWORD == 2)) $verb" in
${commands.flatMap(argumentCases).join('\n')}
        esac
      fi
      ;;
    esac
  fi
  case $kind in
  words)
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$words" -- "$current")
    ;;
  file)
    compopt -o filenames 2> /dev/null
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
    ;;
  none) ;;
  *)
    typed="\${current//\\\\/}"
    typed="\${typed#[\\"\\']}"
    while IFS= read -r line; do
      [[ $line == "$typed"* ]] || continue
      [[ $current == [\\"\\']* ]] || printf -v line %q "$line"
      COMPREPLY+=("$line")
    done < <(perigee completion names "$kind" 2> /dev/null)
    ;;
  esac
}
complete -F _perigee perigee
`
}

/** What follows an option that has a value. */
function valueCases({ name: command, options }: CompletedCommand): string[] {
  return Object.entries(options).flatMap(([name, { type, help, short, completed }]) => {
    if (type === 'boolean' || help === null) return []
    const spelled = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]
    return [`    ${spelled.map((each) => `'${command} ${each}'`).join(' | ')}) ${setting(completed ?? null)} ;;`]
  })
}

function optionCases(command: CompletedCommand): string[] {
  const words = (verb: string | null): string =>
    [...optionsOf(command, verb), 'help'].map((name) => `--${name}`).join(' ')
  const verbs = Object.keys(command.verbs ?? {})
  return [
    ...verbs.map((verb) => `        '${command.name} ${verb}') words='${words(verb)}' ;;`),
    `        '${command.name} '*) words='${words(null)}' ;;`,
  ]
}

function argumentCases({ name, verbs, takes }: CompletedCommand): string[] {
  if (verbs === undefined) return [`        '${name} '*) ${setting(takes ?? null)} ;;`]
  return [
    `        '${name} 1 '*) words='${Object.keys(verbs).join(' ')}' ;;`,
    ...Object.entries(verbs).map(([verb, completed]) => `        '${name} 0 ${verb}') ${setting(completed)} ;;`),
  ]
}

function setting(completed: Completed | null): string {
  if (completed === null) return 'kind=none'
  return typeof completed === 'string' ? `kind=${completed}` : `words='${completed.join(' ')}'`
}
