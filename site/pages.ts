// The documents of the repository as pages of the site: where each stands, and what it is called.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Entry, navigation, referenceSection } from './navigation.ts'

export const root = fileURLToPath(new URL('..', import.meta.url))

export type Page = {
  /** The document, by its path in the repository; links in the text are relative to it. */
  source: string
  /** Below the root of the site. */
  address: string
  title: string
  section: string
  /** Markdown; null for the API reference. */
  text: string | null
}

type Document = Omit<Page, 'section'>

/** All pages, in the order of the navigation. */
export function readPages(): Page[] {
  return navigation.flatMap(({ title: section, pages }) => {
    const documents = pages.flatMap(pagesOf).concat(section === referenceSection ? reference : [])
    return documents.map((page) => Object.assign(page, { section }))
  })
}

const reference: Document = {
  source: 'docs/reference.html',
  address: 'reference.html',
  title: 'API reference',
  text: null,
}

function pagesOf(entry: Entry): Document[] {
  if (typeof entry === 'string') return [readPage(entry)]
  const pages = globSync(`${entry.folder}/*.md`, { cwd: root }).toSorted().map(readPage)
  const source = `${entry.folder}/index.md`
  const list: Document = { source, address: addressOf(source), title: entry.title, text: listOf(entry.title, pages) }
  return [list, ...pages]
}

function readPage(source: string): Document & { text: string } {
  const text = readFileSync(join(root, source), 'utf8')
  const [, title] = /^# (.+)$/m.exec(text) ?? []
  if (title === undefined) throw new Error(`${source} has no title`)
  // "Kind `http`: a website" stands among kinds.
  return { source, address: addressOf(source), title: title.replaceAll('`', '').replace(/^Kind /, ''), text }
}

/** The site has no folder docs/; the front page of the repository is that of the site. */
export function addressOf(source: string): string {
  if (source === 'README.md') return 'index.html'
  return source.replace(/^docs\//, '').replace(/\.md$/, '.html')
}

/** The page of a folder: its pages, each with its first sentence. */
function listOf(title: string, pages: readonly { source: string; title: string; text: string }[]): string {
  const lines = pages.map((page) => {
    const sentence = firstSentence(page.text)
    return `- [${page.title}](${basename(page.source)})${sentence === '' ? '' : `: ${sentence}`}`
  })
  return `# ${title}\n\n${lines.join('\n')}\n`
}

function firstSentence(text: string): string {
  const [, , paragraph = ''] = text.split(/\n{2,}/, 3).toSpliced(1, 0, '')
  const plain = paragraph.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('\n', ' ')
  return /^[\w`"].*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? ''
}
