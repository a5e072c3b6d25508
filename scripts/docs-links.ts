// The documents of this repository, and what they link to.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of the repository; the paths below are relative to it. */
export const root = fileURLToPath(new URL('..', import.meta.url))
export const picturesFolder = 'docs/images'
/** Every page of the console in pictures, made on demand; git ignores it. */
export const galleryFolder = `${picturesFolder}/gallery`

export function documentPaths(): string[] {
  return globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.md', 'examples/**/*.md'], {
    cwd: root,
    exclude: [`${galleryFolder}/**`],
  })
}

export function linksOf(document: string): string[] {
  return linksIn(readFileSync(join(root, document), 'utf8'), document)
}

/** Paths of the files that a text links to. Code is left out, because it shows links of others. */
export function linksIn(text: string, document: string): string[] {
  const prose = text.replaceAll(/^```[^]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '')
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"\s]+)"/g)]
  return links
    .map(([, inText, inTag]) => (inText ?? inTag ?? '').split('#')[0] ?? '')
    .filter((link) => link !== '' && !/^[a-z]+:/.test(link))
    .map((link) => relative(root, resolve(root, dirname(document), link)))
}
