// Finds citations in comments and documents that a reader of this repository cannot open.

/** The files and headings that citations may name. */
export interface Shelf {
  /** Every file of the repository, by its path from the root. */
  files: ReadonlySet<string>
  /** The headings of a Markdown file of the repository. */
  headingsOf: (file: string) => readonly string[]
}

export interface Source {
  /** From the root. */
  file: string
  text: string
}

export interface Loose {
  line: number
  citation: string
  because: string
}

/** Documents that lie elsewhere, named by line or by number. */
const elsewhere =
  /\bdecisions\.md\b|\bSpec(?:ification)?,? L\d+\b|\bof the specification\b|\b[Ss]pecification, (?=[A-Z])|\bresearch\/[\w-]+\.md\b/g
const named = /(?<![\w/.@#<>\\-])(?:[\w.-]+\/)*[\w-][\w.-]*\.(?:md|ts|tsx|sql)(?![\w/-])/g
const section = /([\w./-]+\.md)\s+\("([^"]+)"\)/g
const anchor = /(?<!https?:\/\/\S*)([\w./-]+\.md)#([\w-]+)/g
const room = /(?<![\w/.#@:-])(?:[a-z][\w-]*\/)+[a-z][\w-]*(?![\w/*<-]|\.\w|\()/g

/** Citations that resolve to nothing. Of code, its comments are read; of documents, everything but blocks of code. */
export function looseCitations({ file, text }: Source, shelf: Shelf): Loose[] {
  const roots = rootsOf(shelf)
  return proseOf({ file, text }).flatMap(({ line, prose }) =>
    [
      found(prose, elsewhere, () => false).map((citation) => ({ citation, because: 'it is not in the repository' })),
      found(
        prose,
        named,
        (citation) => isThere(citation, file, shelf) || isForeign(citation) || isElsewhere(citation),
      ).map((citation) => ({ citation, because: 'there is no such file' })),
      found(prose, room, (citation) => !roots.has(citation.split('/')[0] ?? '') || isRoom(citation, shelf)).map(
        (citation) => ({ citation, because: 'there is no such file or room' }),
      ),
      missingSections(prose, file, shelf).map((citation) => ({ citation, because: 'that file has no such section' })),
    ]
      .flat()
      .map(({ citation, because }) => ({ line, citation, because })),
  )
}

function found(prose: string, pattern: RegExp, isFine: (citation: string) => boolean): string[] {
  return [...prose.matchAll(pattern)].map(([citation]) => citation).filter((citation) => !isFine(citation))
}

function isElsewhere(citation: string): boolean {
  return citation.search(elsewhere) >= 0
}

/** Layers by whose names paths begin; words such as `http/2` begin with other names too. */
function rootsOf({ files }: Shelf): ReadonlySet<string> {
  return new Set([...files].map((file) => /^src\/([\w-]+)\//.exec(file)?.[1] ?? 'src'))
}

function missingSections(prose: string, from: string, shelf: Shelf): string[] {
  return [...prose.matchAll(section), ...prose.matchAll(anchor)]
    .filter(([, cited = '', title = '']) => !hasSection(shelf, { cited, from }, title))
    .map(([citation]) => citation)
}

/** A file that is not there is told of as such. */
function hasSection(shelf: Shelf, { cited, from }: { cited: string; from: string }, title: string): boolean {
  const plain = cited.replace(/^(?:\.\.?\/)+/, '')
  const beside = `${from.slice(0, from.lastIndexOf('/') + 1)}${cited}`
  const isMeant = (each: string): boolean => each === plain || each.endsWith(`/${plain}`)
  const file = shelf.files.has(beside) ? beside : [...shelf.files].find(isMeant)
  if (file === undefined) return true
  const known = shelf.headingsOf(file)
  return known.includes(title) || known.some((heading) => slugOf(heading) === title)
}

/** As hosting platforms make them of headings. */
function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function isThere(citation: string, from: string, { files }: Shelf): boolean {
  const plain = citation.replace(/^(?:\.\.?\/)+/, '')
  const beside = `${from.slice(0, from.lastIndexOf('/') + 1)}${plain}`
  if (files.has(plain) || files.has(beside)) return true
  for (const file of files) if (file.endsWith(`/${plain}`)) return true
  return false
}

/** Files of the world's projects, of which comments speak too. */
function isForeign(citation: string): boolean {
  return /^(?:\.\/)?(?:a|b|file|index|vite\.config|next\.config|deno)\.tsx?$|^(?:auth|SKILL)\.md$/.test(citation)
}

function isRoom(citation: string, { files }: Shelf): boolean {
  const path = citation.startsWith('src/') ? citation : `src/${citation}`
  for (const file of files)
    if (file.startsWith(`${path}/`) || file.startsWith(`${path}.`) || file.startsWith(`${path}-`)) return true
  return false
}

type Line = { line: number; prose: string }

function proseOf({ file, text }: Source): Line[] {
  if (file.endsWith('.md'))
    return linesOf(text.replaceAll(/^```[^]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, '')))
  if (file.endsWith('.sql'))
    return linesOf(text).map(({ line, prose }) => ({ line, prose: /--(.*)/.exec(prose)?.[1] ?? '' }))
  return linesOf(text).map(({ line, prose }) => ({ line, prose: commentIn(prose) }))
}

function linesOf(text: string): Line[] {
  return text.split('\n').map((prose, index) => ({ line: index + 1, prose }))
}

/** A comment of its own lines, or one behind code. */
function commentIn(line: string): string {
  const own = /^\s*(?:\/\/|\/\*+|\*)(.*)$/.exec(line)?.[1]
  return own ?? /\s(?:\/\/|\/\*+)\s(.*)$/.exec(line)?.[1] ?? ''
}
