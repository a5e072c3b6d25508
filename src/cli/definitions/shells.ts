import type { CommandDefinition } from './definition.ts'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** What completion scripts ask `perigee completion names` for. */
export const namedThings = ['monitor', 'incident'] as const
export type NamedThing = (typeof namedThings)[number]

export const completionDefinition = {
  name: 'completion',
  summary: 'print a completion script for bash, zsh or fish',
  synopsis: [`completion <${shells.join('|')}>`],
  about: [
    'Prints a script that completes commands, options and values in your shell. It also completes the names of monitors ' +
      'if the service of PERIGEE_URL and PERIGEE_TOKEN answers within 300 ms. The Debian package installs the script; ' +
      'elsewhere, add it yourself:',
    '  bash   source <(perigee completion bash)                                      in ~/.bashrc\n' +
      '  zsh    source <(perigee completion zsh)                                       in ~/.zshrc, after compinit\n' +
      '  fish   perigee completion fish > ~/.config/fish/completions/perigee.fish',
  ],
  verbs: { bash: null, zsh: null, fish: null },
  options: {},
} as const satisfies CommandDefinition

export const manDefinition = {
  name: 'man',
  summary: 'print the man page',
  synopsis: ['man'],
  about: [
    'Prints the man page of all commands, for roff. The Debian package installs it for "man perigee"; elsewhere, run:',
    '  perigee man | man -l -',
  ],
  options: {},
} as const satisfies CommandDefinition

/** A command as shells complete it: all of its forms together. */
export type CompletedCommand = Pick<CommandDefinition, 'name' | 'summary' | 'verbs' | 'takes' | 'options'>

export function completedCommands(definitions: readonly CommandDefinition[]): CompletedCommand[] {
  const commands = new Map<string, CompletedCommand>()
  for (const definition of definitions) {
    const before = commands.get(definition.name)
    commands.set(definition.name, { ...definition, options: { ...before?.options, ...definition.options } })
  }
  return [...commands.values()]
}

/** The options that people are told of, and that belong to a verb; null for those of a command before its verb. */
export function optionsOf({ options }: CompletedCommand, verb: string | null): string[] {
  return Object.entries(options).flatMap(([name, { help, of }]) =>
    help === null || (of !== undefined && (verb === null || !of.includes(verb))) ? [] : [name],
  )
}
