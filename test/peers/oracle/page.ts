import { readFileSync, writeFileSync } from 'node:fs'
import type { Row } from './case.ts'
import { reasons } from './reasons.ts'

const path = new URL('../../../docs/verdicts.md', import.meta.url)

/** The cells of the page's rows about a kind, without the spaces that align them. */
export function pageRows(kind: string): string[] {
  return lines()
    .filter((line) => isRowOf(line, kind))
    .map((line) => cellsOf(line).join(' | '))
}

export function renderRow({ kind, name, ours, plugin, blackbox, why }: Row): string {
  const theirs = plugin === null ? '-' : `${plugin.state} (${plugin.program})`
  return [`\`${kind}\``, name, ours, theirs, blackbox ?? '-', why === null ? '' : reasons[why]].join(' | ')
}

/** Replaces the rows of the kind, or appends them to the table. `npx oxfmt` aligns them. */
export function writeRows(kind: string, rows: readonly string[]): void {
  const all = lines()
  const first = all.findIndex((line) => isRowOf(line, kind))
  const place = first === -1 ? all.findLastIndex((line) => line.startsWith('|')) + 1 : first
  const others = (line: string): boolean => !isRowOf(line, kind)
  const written = rows.map((row) => `| ${row} |`)
  const text = [...all.slice(0, place).filter(others), ...written, ...all.slice(place).filter(others)].join('\n')
  writeFileSync(path, text)
}

function lines(): string[] {
  return readFileSync(path, 'utf8').split('\n')
}

function isRowOf(line: string, kind: string): boolean {
  return line.startsWith('|') && cellsOf(line)[0] === `\`${kind}\``
}

function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}
