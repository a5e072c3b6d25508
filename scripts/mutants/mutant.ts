/** A change of one token of a product file. */
export interface Mutant {
  /** From the root. */
  file: string
  /** Where the changed text begins, and what stood there; empty where something is put in. */
  offset: number
  before: string
  after: string
  /** From 1. */
  line: number
  column: number
}

/** Names a mutant on the command line. A place in a file has one mutant. */
export function idOf({ file, line, column }: Mutant): string {
  return `${file}:${line}:${column}`
}

export function mutate(source: string, { offset, before, after }: Mutant): string {
  return source.slice(0, offset) + after + source.slice(offset + before.length)
}

/** The line of the source in which the change stands, as the change leaves it. */
export function mutatedLine(source: string, mutant: Mutant): string {
  return (mutate(source, mutant).split('\n')[mutant.line - 1] ?? '').trim()
}
