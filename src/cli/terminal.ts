/** Where lines go: results to `out`, remarks and failures to `err`. process.stdout and process.stderr are such. */
export type Terminal = { out: { write: (text: string) => unknown }; err: { write: (text: string) => unknown } }

/** A command of `perigee`. Resolves to the exit code. */
export type Command = (argv: readonly string[], terminal: Terminal) => Promise<number>

/** The command line says something impossible: told with the command's usage, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly usage: string

  constructor(message: string, usage: string) {
    super(message)
    this.usage = usage
  }
}
