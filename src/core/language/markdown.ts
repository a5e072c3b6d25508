/** Rows of cells, which are plain text; the head may be of empty cells. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(head), `|${head.map(() => ' --- ').join('|')}|`, ...rows.map(row)].join('\n')
}

/** What would format, link or end a cell wherever it stands; any ASCII punctuation may be escaped (CommonMark 2.4). */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*[\]<>|~&]|\b_|_\b/g, '\\$&')
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => escapeMarkdown(oneLine(cell))).join(' | ')} |`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
