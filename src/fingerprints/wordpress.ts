import { productKey } from '#core/software/software-name.ts'
import { type Detection, cleanVersion } from './detection.ts'
import type { WebPage } from './web-page.ts'

/** A plugin or theme from which a page loads files. */
export type WordPressPart = {
  ecosystem: 'wp-plugin' | 'wp-theme'
  slug: string
  /** The root of WordPress, with a final slash. */
  root: URL
  /** The values of `?ver=` in the addresses of its files. */
  versions: string[]
}

const maxParts = 100
const partPath = /^(.*?\/)wp-content\/(plugins|themes)\/([\w-]{1,100})\//
const corePath = /\/wp-includes\//

/** The plugins and themes of a page in the order in which their files are loaded. */
export function wordPressParts({ scripts, styles }: Pick<WebPage, 'scripts' | 'styles'>): WordPressPart[] {
  const parts = new Map<string, WordPressPart>()
  for (const asset of [...scripts, ...styles]) {
    const [, folder = '/', type, slug = ''] = partPath.exec(asset.pathname) ?? []
    if (type === undefined) continue
    const ecosystem = type === 'plugins' ? 'wp-plugin' : 'wp-theme'
    const root = new URL(folder, asset.origin)
    const name = `${root.href} ${ecosystem} ${slug}`
    const part = parts.get(name) ?? { ecosystem, slug, root, versions: [] }
    if (parts.size >= maxParts && !parts.has(name)) continue
    const version = asset.searchParams.get('ver')
    if (version !== null) part.versions.push(version)
    parts.set(name, part)
  }
  return Array.from(parts.values())
}

/**
 * Reads plugins and themes with the version that most of their files carry. Many files carry the version of WordPress,
 * or a number that defeats caches, so the site's own version, and anything like a time, is ignored.
 */
export function readWordPress(page: WebPage): Detection[] {
  const core = coreVersion(page)
  return wordPressParts(page).flatMap(({ ecosystem, slug, versions }) => {
    const product = productKey(ecosystem, slug)
    if (product === null) return []
    const version = commonest(versions.filter((each) => each !== core && isReleaseLike(each)))
    return [{ product, version, evidence: `address of a file below ${slug}/` }]
  })
}

/** Reads the version in a plugin's `readme.txt` or a theme's `style.css`; null where it states none. */
export function readPartFile(ecosystem: WordPressPart['ecosystem'], content: string): string | null {
  const head = content.slice(0, 8192)
  const stated =
    ecosystem === 'wp-plugin' ? /^[ \t]*Stable tag:[ \t]*(\S{1,60})/im : /^[ \t*]*Version:[ \t]*(\S{1,60})/im
  return cleanVersion(stated.exec(head)?.[1])
}

/** Files of WordPress itself carry its version where the page does not name it. */
function coreVersion({ generators, scripts, styles }: WebPage): string | null {
  const named = generators.map((text) => /^WordPress ([\d.]+)/.exec(text)?.[1]).find((version) => version !== undefined)
  if (named !== undefined) return named
  const own = [...scripts, ...styles].filter(({ pathname }) => corePath.test(pathname))
  return commonest(own.flatMap(({ searchParams }) => searchParams.get('ver') ?? []))
}

/** Excludes counts of seconds, dates in one number, and hashes. */
function isReleaseLike(text: string): boolean {
  return /^v?\d{1,4}(?:\.\d{1,8}){1,3}(?:[-.][a-z]\w{0,15})?$/i.test(text)
}

function commonest(texts: readonly string[]): string | null {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  const [first] = Array.from(counts).toSorted(([, a], [, b]) => b - a)
  return cleanVersion(first?.[0])
}
