import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type ConsoleFile, type ConsoleFiles, makeConsoleFile } from './console-files.ts'

/**
 * Addresses that people open first, and the module of web/src that shows each (web/src/routes). The page names what
 * that module is made of, so that a browser asks for it at once and not after it has run the console.
 */
export const pageModules: ReadonlyMap<string, string> = new Map([
  ['/', 'src/pages/monitors/monitors.tsx'],
  ['/monitors', 'src/pages/monitors/monitors.tsx'],
  ['/monitors/:id', 'src/pages/monitor/page.tsx'],
  ['/incidents', 'src/pages/incidents/incidents.tsx'],
  ['/incidents/:id', 'src/pages/incidents/incident.tsx'],
  ['/contacts', 'src/pages/contacts/contacts.tsx'],
  ['/status-pages', 'src/pages/status-pages/status-pages.tsx'],
  ['/sign-in', 'src/pages/people/sign-in.tsx'],
])
/** Every page waits for these two answers. A browser asks for them at once and has them when the scripts run. */
const askedFirst = ['/auth/get-session', '/console/settings.json']
/** Around every page for people who are signed in. */
const frame = 'src/shell/shell.tsx'
const withoutFrame: ReadonlySet<string> = new Set(['/sign-in'])

/** What the build says of its files (`build.manifest` of Vite), by module, or by name for those that modules share. */
const chunkSchema = z.object({
  file: z.string(),
  imports: z.array(z.string()).optional(),
  css: z.array(z.string()).optional(),
})
const manifestSchema = z.record(z.string(), chunkSchema)
export type Manifest = z.infer<typeof manifestSchema>

/** Null where the build made none. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** The files of a page at one of `pageModules`, beside those that the page of every address names. */
export function filesOf(path: string, manifest: Manifest): readonly string[] {
  const found = new Set<string>()
  const add = (name: string): void => {
    const chunk = manifest[name]
    if (chunk === undefined || found.has(chunk.file)) return
    found.add(chunk.file)
    for (const style of chunk.css ?? []) found.add(style)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  if (!withoutFrame.has(path)) add(frame)
  add(pageModules.get(path) ?? '')
  return [...found]
}

/** The page of each address of `pageModules`; `root` is where files of the build are served. */
export async function makePages(folder: string, files: ConsoleFiles, root: string): Promise<Map<string, ConsoleFile>> {
  const page = files.get('index.html')
  const manifest = await readManifest(folder)
  if (page === undefined || manifest === null) return new Map()
  const html = page.plain.toString('utf8')
  const pages = [...pageModules.keys()].map((path) => {
    const links = filesOf(path, manifest)
      .filter((file) => file.endsWith('.js') && files.has(file) && !html.includes(file))
      .map((file) => `    <link rel="modulepreload" crossorigin href="${root}/${file}">\n`)
    const asked = askedFirst.map((of) => `    <link rel="preload" as="fetch" crossorigin href="${of}">\n`)
    return [
      path,
      makeConsoleFile(page.type, html.replace('  </head>', `${[...asked, ...links].join('')}  </head>`)),
    ] as const
  })
  return new Map(pages)
}
