// Where the links of documents lead on the site.
import { existsSync, statSync } from 'node:fs'
import { extname, join, posix } from 'node:path'
import { addressOf, type Page, root } from './pages.ts'

const pictures = new Set(['.webp', '.svg', '.png'])

export type Links = {
  /** The link of a document as the page of that document has it. */
  resolve: (link: string, source: string) => string
  /** Files of the repository that pages link to, each with its address on the site. */
  files: ReadonlyMap<string, string>
}

export function createLinks(pages: readonly Page[]): Links {
  const addresses = new Map(pages.map(({ source, address }) => [source, address]))
  const files = new Map<string, string>()
  const targetOf = (path: string, source: string): string => {
    const page = addresses.get(path) ?? addresses.get(posix.join(path, 'index.md'))
    if (page !== undefined) return page
    if (!existsSync(join(root, path)) || statSync(join(root, path)).isDirectory())
      throw new Error(`${source} links to ${path}, which is neither a page of the site nor a file`)
    const address = addressOfFile(path)
    files.set(path, address)
    return address
  }
  return {
    files,
    resolve: (link, source) => {
      if (/^(?:[a-z]+:|#)/.test(link)) return link
      const [path = '', anchor] = link.split('#')
      const target = targetOf(posix.normalize(posix.join(posix.dirname(source), path)).replace(/\/$/, ''), source)
      const address = posix.relative(posix.dirname(addressOf(source)), target)
      return anchor === undefined ? address : `${address}#${anchor}`
    },
  }
}

/** Sources are shown as text, whatever a server makes of their names. */
function addressOfFile(path: string): string {
  if (pictures.has(extname(path))) return path.replace(/^docs\//, '')
  return `files/${path}${extname(path) === '.txt' ? '' : '.txt'}`
}

/** From a page to the root of the site, so that the site works below any address: '' or '../'. */
export function toRoot(address: string): string {
  return '../'.repeat(address.split('/').length - 1)
}
