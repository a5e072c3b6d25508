/**
 * The lines of a text, one by one, so that a text of millions of lines is not in memory twice. `\r\n` ends a line too.
 */
export function* linesOf(content: string): Generator<string> {
  let from = 0
  while (from < content.length) {
    const found = content.indexOf('\n', from)
    const to = found === -1 ? content.length : found
    yield content.slice(from, to > from && content[to - 1] === '\r' ? to - 1 : to)
    from = to + 1
  }
}

/** The line before the first `mark` that begins a comment: at the start of the line or after white space. */
export function withoutComment(line: string, mark: string): string {
  for (let at = line.indexOf(mark); at !== -1; at = line.indexOf(mark, at + 1))
    if (at === 0 || line[at - 1] === ' ' || line[at - 1] === '\t') return line.slice(0, at)
  return line
}
