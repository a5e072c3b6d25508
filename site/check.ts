// What must not be on the site: links that lead nowhere, and anything that is loaded from elsewhere.
import { posix } from 'node:path'
import type { ReadPage } from './read-html.ts'

/** Complaints about pages, which are named by their addresses; `files` are the addresses of everything else. */
export function complaintsAbout(pages: ReadonlyMap<string, ReadPage>, files: ReadonlySet<string>): string[] {
  return [...pages].flatMap(([address, { links, loaded }]) => {
    const foreign = loaded.filter((link) => /^(?:[a-z]+:|\/)/.test(link))
    const dead = links.concat(loaded).filter((link) => isDead(link, { address, pages, files }))
    return foreign
      .map((link) => `${address} loads ${link}`)
      .concat(dead.map((link) => `${address} links to ${link}, which is not there`))
  })
}

type Place = { address: string; pages: ReadonlyMap<string, ReadPage>; files: ReadonlySet<string> }

function isDead(link: string, { address, pages, files }: Place): boolean {
  if (/^[a-z]+:/.test(link)) return false
  const [path = '', anchor = ''] = link.split('#')
  const target = path === '' ? address : posix.normalize(posix.join(posix.dirname(address), path))
  const page = pages.get(target)
  if (page === undefined) return !files.has(target)
  return anchor !== '' && !page.ids.has(decodeURIComponent(anchor))
}
