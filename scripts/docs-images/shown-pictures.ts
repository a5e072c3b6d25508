import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { documentPaths, galleryFolder, linksOf, picturesFolder, root } from '../docs-links.ts'

/** Every clone carries these pictures, so they stay small. */
const mostBytes = 1_000_000

/** Renews those of the pictures just taken, by their file names, that documents show. */
export function renewShown(taken: readonly string[]): void {
  const shown = shownNames()
  for (const name of taken) if (shown.has(name)) copyFileSync(galleryPath(name), shownPath(name))
}

/**
 * After every page was photographed: removes the pictures that no document shows any more. Throws where a document
 * shows a picture of no page.
 */
export function keepShownAlone(): void {
  const shown = shownNames()
  const missing = [...shown].filter((name) => !existsSync(galleryPath(name)))
  if (missing.length > 0) throw new Error(`The documents show pictures of no page: ${missing.join(', ')}.`)
  const kept = readdirSync(join(root, picturesFolder)).filter((name) => name.endsWith('.webp'))
  for (const name of kept) if (!shown.has(name)) rmSync(shownPath(name))
  const bytes = [...shown].reduce((sum, name) => sum + statSync(shownPath(name)).size, 0)
  console.log(`${shown.size} pictures in ${picturesFolder}, ${(bytes / 1_000_000).toFixed(1)} MB`)
  if (bytes > mostBytes) throw new Error(`The pictures in documents have more than ${mostBytes / 1_000_000} MB.`)
}

/** Pictures of pages; what a benchmark drew has another form. */
function shownNames(): Set<string> {
  const links = documentPaths().flatMap(linksOf)
  const shown = links.filter((link) => dirname(link) === picturesFolder && extname(link) === '.webp')
  return new Set(shown.map((link) => basename(link)))
}

function galleryPath(name: string): string {
  return join(root, galleryFolder, name)
}

function shownPath(name: string): string {
  return join(root, picturesFolder, name)
}
