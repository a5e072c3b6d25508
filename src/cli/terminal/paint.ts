import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]
/** Colours a text where the place that it is written to shows colours. Null leaves it as it is. */
export type Paint = (style: Style | null, text: string) => string

/**
 * Node decides whether a stream has colours: a terminal that is not dumb has them, NO_COLOR takes them, FORCE_COLOR gives
 * them to files and pipes too (https://nodejs.org/api/tty.html, "writeStream.getColorDepth"). What is no stream of a
 * process has none.
 */
export function paintFor(out: { write: (text: string) => unknown }): Paint {
  const stream = [process.stdout, process.stderr].find((each) => each === out)
  return (style, text) => (stream === undefined || style === null ? text : styleText(style, text, { stream }))
}

/** The columns of the terminal that is written to; null where it is none, and lines may be as long as they are. */
export function columnsOf(out: object): number | null {
  return out === process.stdout && process.stdout.isTTY ? process.stdout.columns : null
}

/** Lines that tell changes, each coloured by the sign that it begins with. */
export function paintChanges(text: string, paint: Paint): string {
  return text
    .split('\n')
    .map((line) => paint(line[1] === ' ' ? (signs[line[0] ?? ''] ?? null) : null, line))
    .join('\n')
}

const signs: Readonly<Record<string, Style>> = { '+': 'green', '~': 'yellow', '-': 'red', '!': 'red', '=': 'cyan' }

/** How a state is coloured, of monitors, checks, incidents and objectives. */
export function styleOf(state: string): Style | null {
  return styles[state] ?? null
}

const styles: Readonly<Record<string, Style>> = {
  up: 'green',
  within: 'green',
  exceeded: 'red',
  burning: 'red',
  resolved: 'green',
  down: 'red',
  open: 'red',
  degraded: 'yellow',
  acknowledged: 'yellow',
  paused: 'gray',
  pending: 'gray',
}
