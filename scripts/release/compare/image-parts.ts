// An image in the layout of the OCI names its parts by their checksums, so that two images with another byte have no name in
// common. Here the parts have names by what they are.
import { z } from 'zod'
import type { Part } from './containers.ts'

const blob = z.object({ digest: z.string() })
const indexSchema = z.object({ manifests: z.tuple([blob]) })
const manifestSchema = z.object({ config: blob, layers: z.array(blob) })

/** The layers first, because the rest follows from them. Other archives stay as they are. */
export function inOrderOfImage(parts: readonly Part[]): Part[] {
  if (!parts.some(({ name }) => name === 'oci-layout')) return [...parts]
  const byName = new Map(parts.map((part) => [part.name, part]))
  const { manifests } = indexSchema.parse(json(byName.get('index.json')))
  const manifest = byName.get(place(manifests[0].digest))
  const { config, layers } = manifestSchema.parse(json(manifest))
  const named = [
    ...layers.map(({ digest }, index) => [`layer ${index + 1}`, place(digest)]),
    ['configuration', place(config.digest)],
    ['manifest', place(manifests[0].digest)],
  ]
  const renamed = named.flatMap(([name = '', at = '']) => {
    const part = byName.get(at)
    return part === undefined ? [] : [{ ...part, name }]
  })
  const taken = new Set(named.map(([, at]) => at))
  return [...renamed, ...parts.filter(({ name }) => !taken.has(name))]
}

function place(digest: string): string {
  return `blobs/${digest.replace(':', '/')}`
}

function json(part: Part | undefined): unknown {
  return JSON.parse(part?.bytes.toString() ?? 'null')
}
