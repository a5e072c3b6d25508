import { widthOf } from './width.ts'

/** Lines of at most so many columns, all but the first indented. A text that begins with a space keeps its lines. */
export function wrapped(text: string, { indent, width }: { indent: number; width: number }): string {
  if (text.startsWith(' ')) return text
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && indent + widthOf(line) + 1 + widthOf(word) > width) {
      lines.push(line)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`)
}
