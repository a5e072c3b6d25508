import type { Completed } from './definition.ts'
import { type CompletedCommand, optionsOf } from './shells.ts'

/** A function for zsh 5, which the folders of $fpath may hold as _perigee, and which may also be sourced. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef perigee
# The zsh completion of "perigee". Printed by "perigee completion zsh".
_perigee() {
  local command=\${words[2]-} verb=\${words[3]-} previous=\${words[CURRENT-1]}
  local -a list
  if (( CURRENT == 2 )); then
    list=(${commands.map(({ name, summary }) => described(name, summary)).join(' ')})
    _describe command list
    return
  fi
  case "$command $previous" in
${commands.flatMap(valueCases).join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then
    case "$command $verb" in
${commands.flatMap(optionCases).join('\n')}
    esac
    _describe -o option list
    return
  fi
  case "$command $(( CURRENT == 3 )) $verb" in
${commands.flatMap(argumentCases).join('\n')}
  esac
}
_perigee_names() {
  local -a names
  names=(\${(f)"$(perigee completion names $1 2> /dev/null)"})
  compadd -- $names
}
if [[ $funcstack[1] == _perigee ]]; then _perigee "$@"; else compdef _perigee perigee; fi
`
}

function valueCases({ name: command, options }: CompletedCommand): string[] {
  return Object.entries(options).flatMap(([name, { type, help, short, completed }]) => {
    if (type === 'boolean' || help === null) return []
    const spelled = [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]
    return [`    ${spelled.map((each) => `'${command} ${each}'`).join(' | ')}) ${adding(completed ?? null)}; return ;;`]
  })
}

function optionCases(command: CompletedCommand): string[] {
  const list = (verb: string | null): string =>
    [
      ...optionsOf(command, verb).map((name) => described(`--${name}`, command.options[name]?.help ?? '')),
      described('--help', 'show help'),
    ].join(' ')
  const verbs = Object.keys(command.verbs ?? {})
  return [
    ...verbs.map((verb) => `      '${command.name} ${verb}') list=(${list(verb)}) ;;`),
    `      '${command.name} '*) list=(${list(null)}) ;;`,
  ]
}

function argumentCases({ name, verbs, takes }: CompletedCommand): string[] {
  if (verbs === undefined) return [`    '${name} '*) ${adding(takes ?? null)} ;;`]
  return [
    `    '${name} 1 '*) compadd -- ${Object.keys(verbs).join(' ')} ;;`,
    ...Object.entries(verbs).map(([verb, completed]) => `    '${name} 0 ${verb}') ${adding(completed)} ;;`),
  ]
}

function adding(completed: Completed | null): string {
  if (completed === null) return '_message "a value"'
  if (completed === 'file') return '_files'
  return typeof completed === 'string' ? `_perigee_names ${completed}` : `compadd -- ${completed.join(' ')}`
}

function described(word: string, text: string): string {
  return `'${word}:${text.replaceAll("'", String.raw`'\''`).replaceAll(':', String.raw`\:`)}'`
}
