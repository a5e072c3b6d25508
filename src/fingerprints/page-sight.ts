import type { Detection } from './detection.ts'
import { readSoftware } from './page-software.ts'
import { readAssets } from './script-packages.ts'
import { readPage, type WebPage } from './web-page.ts'
import { type WordPressPart, wordPressParts } from './wordpress.ts'

/** An answer of a website, as the thread that looks at it gets it. */
export type PageAnswer = Pick<WebPage, 'status' | 'headers' | 'body'> & { url: string }

/** What a page shows, and what tells where more may be found. */
export type PageSight = {
  software: Detection[]
  /** `root` is an address. */
  parts: (Pick<WordPressPart, 'ecosystem' | 'slug'> & { root: string })[]
  /** Addresses of the site's own scripts that show no version, each once. */
  silentScripts: string[]
}

const maxSilentScripts = 20

/** Looks at a page without asking for anything else. Never throws. */
export function sightOf({ url, ...answer }: PageAnswer): PageSight {
  const page = readPage({ ...answer, url: new URL(url) })
  return {
    software: readSoftware(page),
    parts: wordPressParts(page).map(({ ecosystem, slug, root }) => ({ ecosystem, slug, root: root.href })),
    silentScripts: silentScriptsOf(page),
  }
}

function silentScriptsOf({ url, scripts }: WebPage): string[] {
  const silent = scripts.filter(
    (script) => script.origin === url.origin && readAssets([script]).every(({ version }) => version === null),
  )
  return [...new Set(silent.map(({ href }) => href))].slice(0, maxSilentScripts)
}
