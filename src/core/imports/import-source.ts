// Where the files of an import come from, by name or by what they look like.

/** By the names that people give a command. */
export const importSources = {
  kuma: 'Uptime Kuma',
  gatus: 'Gatus',
  uptimerobot: 'UptimeRobot',
  healthchecks: 'Healthchecks',
  blackbox: 'blackbox_exporter',
  har: 'a recording of a browser (HAR)',
  postman: 'Postman',
  openapi: 'OpenAPI',
  list: 'a list of addresses',
} as const
export type ImportSource = keyof typeof importSources

/** A file of text by the name that people know, or the database of Uptime Kuma, which is read where it lies. */
export type SourceFile = { file: string; text: string } | { file: string; text: null; path: string }

export function isImportSource(name: string): name is ImportSource {
  return Object.hasOwn(importSources, name)
}

/** Sections of YAML, members of JSON and names of columns that one source alone has, in the order in which to look. */
const marks: readonly (readonly [mark: RegExp, source: ImportSource])[] = [
  [/^\s*</, 'list'],
  [/^\s*\{\s*"log"\s*:\s*\{/, 'har'],
  [/^\s*\{[^]{0,100000}?"https?:\/\/schema\.getpostman\.com\//, 'postman'],
  [/^\s*\{[^]{0,200000}?"(?:openapi|swagger)"\s*:\s*"[23]\./, 'openapi'],
  [/^["']?(?:openapi|swagger)["']?:\s*["']?[23]/m, 'openapi'],
  [/^\s*\{[^]{0,200000}?"monitorList"\s*:/, 'kuma'],
  [/^\s*\{[^]{0,200}?"checks"\s*:\s*\[/, 'healthchecks'],
  [/^\s*[[{][^]{0,2000}?"monitors"\s*:\s*\[/, 'uptimerobot'],
  [/^(?:endpoints|external-endpoints|suites):/m, 'gatus'],
  [/^(?:modules|scrape_configs):/m, 'blackbox'],
  [/^(?=[^\n]*url)(?=[^\n]*type)[^\n]*[,;\t]/i, 'uptimerobot'],
]

/** How much of a file is looked at. */
const lookedAt = 300_000

/** The first that one of the files looks like; null where none does. A file of lines is a list of addresses. */
export function guessSource(files: readonly SourceFile[]): ImportSource | null {
  for (const { text, file } of files) {
    if (text === null) return 'kuma'
    const beginning = text.slice(0, lookedAt).replace(/^\uFEFF/, '')
    const found = marks.find(([mark]) => mark.test(beginning))
    if (found !== undefined) return found[1]
    if (!/\.(?:ya?ml|json|csv|db)$/i.test(file) && !/^\s*[[{]/.test(beginning)) return 'list'
  }
  return null
}
