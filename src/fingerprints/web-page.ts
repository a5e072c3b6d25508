import { Parser } from 'htmlparser2'

/** What an answer shows of the software behind it, read without running anything. */
export type WebPage = {
  url: URL
  status: number
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>
  /** Only the names, because values of cookies are private. */
  cookies: readonly string[]
  /** The contents of `<meta name="generator">`. */
  generators: readonly string[]
  /** Addresses of scripts, and of style sheets. */
  scripts: readonly URL[]
  styles: readonly URL[]
  body: string
}

/** Further ones tell nothing new. */
const maxOfEach = 500
const maxTextLength = 2000
/** Browsers nest no deeper, and the parser takes longer for each element the deeper it lies. */
const maxDepth = 512
const pieceLength = 16_384

/** Reads an answer, whose body may be cut, as far as it is nested like a page. Never throws. */
export function readPage({
  url,
  status,
  headers,
  body,
}: Pick<WebPage, 'url' | 'status' | 'headers' | 'body'>): WebPage {
  const generators: string[] = []
  const scripts: URL[] = []
  const styles: URL[] = []
  const nesting = { depth: 0 }
  let base = url
  const parser = new Parser({
    onclosetag: () => {
      nesting.depth -= 1
    },
    onopentag: (name, attributes) => {
      nesting.depth += 1
      if (name === 'base') base = resolved(attributes['href'], url) ?? base
      if (name === 'meta' && attributes['name']?.toLowerCase() === 'generator')
        add(generators, (attributes['content'] ?? '').slice(0, maxTextLength))
      if (name === 'script') add(scripts, resolved(attributes['src'], base))
      if (name === 'link') add(isScript(attributes) ? scripts : styles, resolved(linkOf(attributes), base))
    },
  })
  for (let from = 0; from < body.length; from += pieceLength) {
    if (nesting.depth > maxDepth) break
    parser.write(body.slice(from, from + pieceLength))
  }
  parser.end()
  return { url, status, headers, cookies: cookiesOf(headers['set-cookie'] ?? ''), generators, scripts, styles, body }
}

type Attributes = Readonly<Record<string, string>>

function isScript({ rel = '', as = '' }: Attributes): boolean {
  return relations(rel).includes('modulepreload') || as.toLowerCase() === 'script'
}

const shown = new Set(['stylesheet', 'preload', 'modulepreload'])

function linkOf({ rel = '', href }: Attributes): string | undefined {
  return relations(rel).some((relation) => shown.has(relation)) ? href : undefined
}

function relations(rel: string): string[] {
  return rel.slice(0, maxTextLength).toLowerCase().split(/\s+/)
}

function resolved(reference: string | undefined, base: URL): URL | null {
  if (reference === undefined || reference.trim() === '' || reference.length > maxTextLength) return null
  const url = URL.parse(reference.trim(), base.href)
  return url !== null && (url.protocol === 'http:' || url.protocol === 'https:') ? url : null
}

function add<Item>(list: Item[], item: Item | null): void {
  if (item !== null && list.length < maxOfEach) list.push(item)
}

/** Takes one cookie in each line, as net returns them. */
function cookiesOf(lines: string): string[] {
  return lines
    .split('\n')
    .slice(0, maxOfEach)
    .flatMap((line) => /^\s*([!#$%&'*+.^`|~\w-]{1,200})=/.exec(line)?.[1] ?? [])
}
