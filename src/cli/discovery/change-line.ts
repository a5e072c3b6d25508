import type { Change } from '#core/discovery/discovered-file.ts'
import { oneLine } from '#core/language/one-line.ts'

/** A change in a line, as plans have them. What labels say may have characters that a terminal obeys. */
export function lineOf(change: Change): string {
  if (change.type === 'gone') return `- ${change.key}  ${oneLine(change.name)} is no longer there`
  const { key, fields, origin, because } = change.proposal
  const url = oneLine(typeof fields['url'] === 'string' ? fields['url'] : '')
  return `${change.type === 'new' ? '+' : '~'} ${oneLine(key)}  ${url}  (${oneLine(`${origin}: ${because}`)})`
}
