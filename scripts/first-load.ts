// How much a browser loads before a page of the console can be used, without a cache and without answers of the API:
//
//   node scripts/first-load.ts    prints it, from the build in web/dist
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { filesOf, readManifest } from '#console/console-pages.ts'

export const consoleBuild = fileURLToPath(new URL('../web/dist', import.meta.url))

export type LoadedFile = { name: string; rawBytes: number; brotliBytes: number }
export type FirstLoad = {
  path: string
  files: readonly LoadedFile[]
  brotliBytes: number
  /** By package or file of ours: characters before they are minified, the largest first. */
  parts: readonly (readonly [name: string, size: number])[]
}

const partsSchema = z.record(z.string(), z.record(z.string(), z.number()))

/** The page itself, its style and its scripts, for an address of `pageModules`. */
export async function firstLoadOf(path: string, folder: string): Promise<FirstLoad> {
  const manifest = await readManifest(folder)
  if (manifest === null) throw new Error(`There is no build of the console in ${folder}.`)
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...html.matchAll(/\/console\/(assets\/[^"]+)/g)].map(([, name = '']) => name)
  const names = [...new Set(['index.html', ...named, ...filesOf(path, manifest)])]
  const files = names.map((name) => weigh(join(folder, name), name)).toSorted((a, b) => b.brotliBytes - a.brotliBytes)
  const made = partsSchema.parse(JSON.parse(readFileSync(join(folder, 'parts.json'), 'utf8')))
  const parts = names.flatMap((name) => Object.entries(made[name] ?? {})).toSorted(([, a], [, b]) => b - a)
  return { path, files, brotliBytes: files.reduce((sum, { brotliBytes }) => sum + brotliBytes, 0), parts }
}

/** What the build left as it is, because it is small, is sent as it is. */
function weigh(path: string, name: string): LoadedFile {
  const rawBytes = readFileSync(path).length
  try {
    return { name, rawBytes, brotliBytes: readFileSync(`${path}.br`).length }
  } catch {
    return { name, rawBytes, brotliBytes: rawBytes }
  }
}

/** A line for the whole, for each file, and for the largest parts. */
export function describeFirstLoad({ path, files, brotliBytes, parts }: FirstLoad): string {
  return [
    `${path} loads ${kB(brotliBytes)} in ${files.length} files:`,
    ...files.slice(0, 8).map((file) => `  ${kB(file.brotliBytes).padStart(9)}  ${kB(file.rawBytes)} raw  ${file.name}`),
    '  the largest parts, before they are minified:',
    ...parts.slice(0, 15).map(([name, size]) => `  ${kB(size).padStart(9)}  ${name}`),
  ].join('\n')
}

function kB(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const path of ['/monitors', '/monitors/:id', '/sign-in'])
    console.log(describeFirstLoad(await firstLoadOf(path, consoleBuild)))
