import { wrapped } from '#cli/terminal/wrapped.ts'

/** What a shell completes: files, things that the service knows by name, or one of these words. */
export type Completed = 'file' | 'monitor' | 'incident' | readonly string[]

/** An option as node's parser takes it, with what people are told of it. */
export type OptionDefinition = {
  type: 'string' | 'boolean'
  short?: string
  multiple?: boolean
  default?: string | string[] | boolean
  /** What stands for its value, such as `<file>`. */
  value?: string
  /** Null where people are told of it by another option. */
  help: string | null
  completed?: Completed
  /** The verbs that take it. Left out where all do. */
  of?: readonly string[]
}

/** A command: its help, its page of the manual, what it parses and what shells complete are made of this. */
export type CommandDefinition = {
  name: string
  /** In the list of commands. */
  summary: string
  /** How it is called, a line each, without the name of the program. */
  synopsis: readonly string[]
  /** Paragraphs. One that begins with a space keeps its lines. */
  about: readonly string[]
  /** What may follow the name: each verb, and what is completed after it. */
  verbs?: Readonly<Record<string, Completed | null>>
  /** What is completed after the name of a command without verbs. */
  takes?: Completed
  /** Arguments that are told of among the options. */
  terms?: Readonly<Record<string, string>>
  options: Readonly<Record<string, OptionDefinition>>
  /** After the options: paragraphs. */
  remarks?: readonly string[]
}

const lineWidth = 120
/** Longer labels stand beside the column, not above it. */
const widestLabel = 24

/** What `--help` prints. */
export function usageOf(definition: CommandDefinition): string {
  const rows = rowsOf(definition)
  const width = Math.max(0, ...rows.map(([label]) => label.length).filter((length) => length <= widestLabel)) + 2
  const blocks = [
    definition.synopsis.map((line) => (line.startsWith(' ') ? line : `perigee ${line}`)).join('\n'),
    ...definition.about.map((paragraph) => wrapped(paragraph, { indent: 0, width: lineWidth })),
    ...(rows.length === 0 ? [] : [rows.map(([label, help]) => rowText(label, help, width)).join('\n')]),
    ...(definition.remarks ?? []).map((paragraph) => wrapped(paragraph, { indent: 0, width: lineWidth })),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** Arguments and options, each with what is said of it. */
export function rowsOf({ terms = {}, options }: CommandDefinition): (readonly [label: string, help: string])[] {
  const told = Object.entries(options).flatMap(([name, option]) =>
    option.help === null ? [] : [[labelOf(name, option), option.help] as const],
  )
  return [...Object.entries(terms), ...told]
}

function labelOf(name: string, { short, value }: OptionDefinition): string {
  const long = `--${name}${value === undefined ? '' : `${value.startsWith('[') ? '' : ' '}${value}`}`
  return short === undefined ? long : `-${short}, ${long}`
}

function rowText(label: string, help: string, width: number): string {
  const text = wrapped(help, { indent: width + 2, width: lineWidth })
  return label.length <= widestLabel ? `  ${label.padEnd(width)}${text}` : `  ${label}   ${text}`
}
