import type { Plugin } from 'vite'

/** Writes down what each script is made of, for the check of how much is loaded first (scripts/first-load.ts). */
export function chunkParts(): Plugin {
  return {
    name: 'perigee-chunk-parts',
    apply: 'build',
    generateBundle(_, bundle) {
      const parts: Record<string, Record<string, number>> = {}
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue
        const own: Record<string, number> = {}
        for (const [id, { renderedLength }] of Object.entries(file.modules)) {
          const part = partOf(id)
          own[part] = (own[part] ?? 0) + renderedLength
        }
        parts[file.fileName] = own
      }
      this.emitFile({ type: 'asset', fileName: 'parts.json', source: JSON.stringify(parts) })
    },
  }
}

/** The package, or the file of ours. */
function partOf(id: string): string {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id) ?? []
  return name ?? id.replace(/^.*\/(?=src\/|index\.html$)/, '')
}
