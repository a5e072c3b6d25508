import { linesOf } from './lines.ts'

/** Longer instructions are scripts, whose beginning is enough. */
const maxLength = 4000

/**
 * The instructions of a Dockerfile, each in one line: continued lines are joined, and comments and heredocs are left
 * out, because a line of a heredoc may begin with FROM.
 */
export function* instructionsOf(content: string): Generator<string> {
  const escape = escapeOf(content)
  const lines = linesOf(content)
  let instruction = ''
  for (const line of lines) {
    const text = line.trim()
    if (text === '' || text.startsWith('#')) continue
    const goesOn = text.endsWith(escape)
    if (instruction.length < maxLength) instruction += `${(goesOn ? text.slice(0, -1) : text).slice(0, maxLength)} `
    if (goesOn) continue
    yield instruction
    skipHeredocs(instruction, lines)
    instruction = ''
  }
  if (instruction !== '') yield instruction
}

/** A backslash, or a backtick where a directive at the top says so, as on Windows. */
function escapeOf(content: string): string {
  for (const line of linesOf(content)) {
    const [, name, value] = /^\s*#\s*([a-z]+)\s*=\s*(\S+)\s*$/i.exec(line.slice(0, 1000)) ?? []
    if (name === undefined) return '\\'
    if (name.toLowerCase() === 'escape') return value === '`' ? '`' : '\\'
  }
  return '\\'
}

/** Skips heredocs one after the other, each up to the line that ends it. */
function skipHeredocs(instruction: string, lines: Iterator<string>): void {
  if (!/^(?:run|copy|add)\s/i.test(instruction)) return
  for (const [, quote, name] of instruction.matchAll(/(?<=\s)\d*<<-?(["']?)(\w+)\1(?=\s)/g)) {
    if (quote === undefined || name === undefined) continue
    for (let line = lines.next(); line.done !== true && line.value.trim() !== name; line = lines.next());
  }
}
