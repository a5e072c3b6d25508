// The bill of materials of an artefact: what is in the file, and nothing else, in CycloneDX 1.6.
import { createHash } from 'node:crypto'
import { release } from '../release-facts.ts'
import { type Component, licencesOf, type Parts } from './components.ts'

export type Billed = {
  type: 'application' | 'container' | 'file' | 'library'
  name: string
  purl: string
  /** The checksum of the artefact's file, in hexadecimal. */
  sha256: string
  /** The name of the file. */
  file: string
}

/** The same artefact and time give the same bill. */
export function billOf({ type, name, purl, sha256, file }: Billed, { components, needs }: Parts, time: number): object {
  const whole = file
  assertOnce([whole, ...components.flatMap(referencesOf)])
  const needed = new Set([...needs.values()].flat())
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(time * 1000).toISOString(),
      lifecycles: [{ phase: 'build' }],
      tools: { components: [{ type: 'application', name: 'scripts/release.ts', version: release.version }] },
      component: {
        type,
        'bom-ref': whole,
        name,
        version: release.version,
        purl,
        hashes: [{ alg: 'SHA-256', content: sha256 }],
        ...licencesOf(release.license),
      },
    },
    components,
    dependencies: [
      // What no other component needs, the artefact needs itself.
      { ref: whole, dependsOn: components.map((each) => each['bom-ref']).filter((ref) => !needed.has(ref)) },
      ...components.map((each) => ({ ref: each['bom-ref'], dependsOn: dependenciesOf(each, needs) })),
    ],
  }
  return { ...bill, serialNumber: uuidOf(JSON.stringify(bill)) }
}

function referencesOf(component: Component): string[] {
  return [component['bom-ref'], ...(component.components ?? []).flatMap(referencesOf)]
}

function assertOnce(references: readonly string[]): void {
  const again = references.find((each, index) => references.indexOf(each) !== index)
  if (again !== undefined) throw new Error(`A bill of materials names ${again} twice.`)
}

function dependenciesOf(component: Component, needs: Parts['needs']): string[] {
  const inside = (component.components ?? []).map((each) => each['bom-ref'])
  return [...inside, ...(needs.get(component['bom-ref']) ?? [])]
}

export function together(...parts: readonly Parts[]): Parts {
  return {
    components: parts.flatMap(({ components }) => components),
    needs: new Map(parts.flatMap(({ needs }) => needs.entries().toArray())),
  }
}

/** A UUID of version 8 (RFC 9562 5.8), made of a hash instead of chance. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
