import type { Completed } from './definition.ts'
import { type CompletedCommand, optionsOf } from './shells.ts'

/** Lines for fish 3 and later. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  return `# The fish completion of "perigee". Printed by "perigee completion fish".
function __perigee_after
    # The words before the cursor are those of "perigee", a command, and one of the verbs if there are any.
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]; or return 1
    test (count $argv) -eq 1; and return 0
    test (count $words) -ge 3; and contains -- $words[3] $argv[2..-1]
end
function __perigee_at
    test (count (commandline -opc)) -eq $argv[1]
end
complete -c perigee -f
${commands.map(({ name, summary }) => `complete -c perigee -n '__perigee_at 1' -a ${name} -d ${quoted(summary)}`).join('\n')}
${commands.flatMap(linesOf).join('\n')}
`
}

function linesOf(command: CompletedCommand): string[] {
  const { name, verbs, takes } = command
  const words = Object.keys(verbs ?? {})
  const common = new Set(optionsOf(command, null))
  return [
    ...(takes === undefined ? [] : [`complete -c perigee -n '__perigee_after ${name}' ${argumentOf(takes)}`]),
    ...(words.length === 0
      ? []
      : [`complete -c perigee -n '__perigee_at 2; and __perigee_after ${name}' -a '${words.join(' ')}'`]),
    ...Object.entries(verbs ?? {}).flatMap(([verb, completed]) =>
      completed === null ? [] : [`complete -c perigee -n '__perigee_after ${name} ${verb}' ${argumentOf(completed)}`],
    ),
    ...Object.keys(command.options).flatMap((option) => optionLine(command, option, common.has(option))),
  ]
}

function optionLine({ name: command, options }: CompletedCommand, name: string, isCommon: boolean): string[] {
  const option = options[name]
  if (option === undefined || option.help === null) return []
  const { type, short, help, completed, of = [] } = option
  const after = isCommon ? command : [command, ...of].join(' ')
  const spelled = `-l ${name}${short === undefined ? '' : ` -s ${short}`}`
  const value = type === 'boolean' ? '' : ` ${valueOf(completed)}`
  return [`complete -c perigee -n '__perigee_after ${after}' ${spelled}${value} -d ${quoted(help)}`]
}

function valueOf(completed: Completed | undefined): string {
  if (completed === undefined) return '-x'
  return completed === 'file' ? '-r -F' : `-x ${argumentOf(completed)}`
}

function argumentOf(completed: Completed): string {
  if (completed === 'file') return '-F'
  return typeof completed === 'string' ? `-a '(perigee completion names ${completed})'` : `-a '${completed.join(' ')}'`
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
}
