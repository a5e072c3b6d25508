// What the search of the site reads: each section of each page, as a script, because pages that are opened from a folder
// may load scripts but no data.
import type { Page } from './pages.ts'
import type { ReadPage } from './read-html.ts'

/** Longer ones are cut: words that come so late in a section are found by their page. */
const longestText = 6000

/** Who searches wants to do something, more often than to know why or to look a field up. */
const weights: Readonly<Record<string, number>> = { 'How it works inside': 0.4, Decisions: 0.4, 'Working on it': 0.4 }
const referenceWeight = 0.2

export function writeSearchIndex(pages: readonly Page[], read: ReadonlyMap<string, ReadPage>): string {
  const records = pages.flatMap(({ address, title, section, text: markdown }) =>
    (read.get(address)?.parts ?? [])
      .filter(({ heading }) => heading.level < 4)
      .map(({ heading, text }) => ({
        address: heading.level === 1 ? address : `${address}#${heading.id}`,
        page: heading.level === 1 ? section : title,
        heading: heading.text,
        text: text.slice(0, longestText),
        weight: weights[section] ?? (markdown === null ? referenceWeight : 1),
      })),
  )
  const numbered = records.map((record, id) => Object.assign(record, { id }))
  return `globalThis.perigeeSearch = ${JSON.stringify(numbered).replaceAll('</', String.raw`<\/`)}\n`
}
