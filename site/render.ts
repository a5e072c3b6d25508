// Renders all pages with Eleventy, and writes what they need beside them.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Config, Eleventy } from '@11ty/eleventy'
import { operationStyle } from '../src/api-document/reference-style.ts'
import { referenceContents, referenceText } from '../src/api-document/reference.ts'
import { complaintsAbout } from './check.ts'
import { createLinks, type Links, toRoot } from './links.ts'
import { amendMarkdown } from './markdown.ts'
import { type Page, readPages, root } from './pages.ts'
import { readHtml, type ReadPage } from './read-html.ts'
import { readReference, type ReferenceSource } from './reference.ts'
import { writeSearchIndex } from './search-index.ts'

const templates = fileURLToPath(new URL('templates', import.meta.url))
const assets = fileURLToPath(new URL('assets', import.meta.url))

/** Writes the site into a folder, and returns how many pages it has. Throws when a link leads nowhere. */
export async function renderSite(folder: string): Promise<number> {
  rmSync(folder, { recursive: true, force: true })
  const pages = readPages()
  const links = createLinks(pages)
  const reference = readReference()
  const read = new Map<string, ReadPage>()
  const eleventy = new Eleventy(templates, folder, {
    quietMode: true,
    config: (to) => {
      configure(to, links)
      for (const [index] of pages.entries()) addPage(to, { pages, index, reference })
      to.on('eleventy.after', ({ results }) => {
        for (const { outputPath, content } of results) read.set(relative(folder, outputPath), readHtml(content))
      })
    },
  })
  await eleventy.write()
  const files = writeFiles(folder, { links, reference, index: writeSearchIndex(pages, read) })
  const complaints = complaintsAbout(read, files)
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  return read.size
}

function configure(to: Config, links: Links): void {
  to.setUseGitIgnore(false)
  to.amendLibrary('md', (library) => amendMarkdown(library, links))
  to.addFilter('contentsOf', contentsOf)
}

type Placed = { pages: readonly Page[]; index: number; reference: ReferenceSource }

function addPage(to: Config, { pages, index, reference }: Placed): void {
  const page = pages[index]
  if (page === undefined) return
  const { address, source, title, text, section } = page
  const name = address.replace(/\.html$/, text === null ? '.html' : '.md')
  to.addTemplate(name, text ?? referenceText(reference.document, 'openapi.json'), {
    layout: 'page.liquid',
    // Documents show templates of their own, which are no business of the generator.
    templateEngineOverride: text === null ? 'html' : 'md',
    permalink: address,
    toRoot: toRoot(address),
    source,
    title,
    section,
    sections: [...Map.groupBy(pages, (each) => each.section)].map(([name_, of]) => ({ title: name_, pages: of })),
    address,
    before: pages[index - 1] ?? null,
    after: pages[index + 1] ?? null,
    contents: text === null ? referenceContents(reference.document) : null,
  })
}

/** Links to the sections of a page; empty where there are few. */
function contentsOf(html: string): string {
  const parts = readHtml(`<main>${html}</main>`).parts.filter(({ heading }) => [2, 3].includes(heading.level))
  if (parts.length < 3) return ''
  const items = parts.map(
    ({ heading: { id, level, text } }) => `<li class="level-${level}"><a href="#${id}">${escape(text)}</a></li>`,
  )
  return `<ul>${items.join('')}</ul>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

type Beside = { links: Links; reference: ReferenceSource; index: string }

/** Returns their addresses. */
function writeFiles(folder: string, { links, reference, index }: Beside): Set<string> {
  const written = new Set<string>()
  const place = (address: string): string => {
    written.add(address)
    const path = join(folder, address)
    mkdirSync(dirname(path), { recursive: true })
    return path
  }
  const minisearch = createRequire(import.meta.url)
    .resolve('minisearch')
    .replace(/dist\/.*$/, 'dist/umd/index.js')
  const style = readFileSync(join(assets, 'style.css'), 'utf8')
  writeFileSync(place('assets/style.css'), `${style}\n/* The API reference. */\n${operationStyle}\n`)
  writeFileSync(place('assets/search-index.js'), index)
  writeFileSync(place('openapi.json'), reference.json)
  copyFileSync(minisearch, place('assets/minisearch.js'))
  copyFileSync(join(assets, 'search.js'), place('assets/search.js'))
  copyFileSync(join(root, 'web/public/favicon.svg'), place('assets/logo.svg'))
  for (const [path, address] of links.files) copyFileSync(join(root, path), place(address))
  return written
}
