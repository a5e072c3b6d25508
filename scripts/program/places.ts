// Which modules of the service are programs of their own, and where the modules of a bundle find the files beside their
// sources.
import { globSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Threads, the process of the probers, and what a module requires when it is needed. A bundle names each by its layer and
 * file.
 */
const ownPrograms = ['src/**/*-worker.ts', 'src/prober/worker.ts', 'src/kinds/web/expectation-compiler.ts']

/** Paths of the programs by their names in a bundle. */
export function programsOf(root: string): Record<string, string> {
  const own = globSync(ownPrograms, { cwd: root }).toSorted()
  return {
    perigee: join(root, 'src/cli/main.ts'),
    ...Object.fromEntries(own.map((path) => [programName(path), join(root, path)])),
  }
}

/**
 * A module of a bundle finds its files as if it were still where its source was, and the programs that it starts in the
 * bundle. `toRoot` leads from the folder of the bundle to the one in which `src` lies: `../`.
 */
export function placesInBundle(root: string, toRoot: string): Plugin {
  const programs = new Set(globSync(ownPrograms, { cwd: root }))
  const programUrl = (expression: string, from: string): string => {
    const path = join(from, '..', /'\.\/([\w-]+\.ts)'/.exec(expression)?.[1] ?? '')
    if (!programs.has(path)) throw new Error(`${from} names ${path}, which is no program of the bundle.`)
    return `new URL('./${programName(path)}.mjs', import.meta.url)`
  }
  return {
    name: 'places-in-bundle',
    enforce: 'pre',
    transform(code, id) {
      const path = relative(root, id)
      if (!/^(?:src|scripts)\//.test(path) || !code.includes('import.meta.url')) return null
      const own = `new URL(${JSON.stringify(`${toRoot}${path}`)}, import.meta.url).href`
      const replaced = code
        .split(/(new URL\('\.\/[\w-]+\.ts', import\.meta\.url\))/)
        .map((part) =>
          part.startsWith("new URL('./") ? programUrl(part, path) : part.replaceAll('import.meta.url', own),
        )
      return { code: replaced.join(''), map: null }
    },
  }
}

function programName(path: string): string {
  return `${path.split('/')[1]}-${basename(path, '.ts')}`
}
