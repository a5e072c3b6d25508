// Components of a bill of materials, by their members in CycloneDX 1.6 (cyclonedx.org/docs/1.6/json).

export type Hash = { alg: 'SHA-256' | 'SHA-384' | 'SHA-512' | 'SHA-1'; content: string }
export type Licence = { license: { id: string } | { name: string } } | { expression: string }
export type Component = {
  type: 'application' | 'container' | 'data' | 'file' | 'library' | 'operating-system'
  'bom-ref': string
  name: string
  version?: string
  purl?: string
  cpe?: string
  hashes?: Hash[]
  licenses?: Licence[]
  properties?: { name: string; value: string }[]
  /** What came inside of it. */
  components?: Component[]
}

/** What an artefact has, and which of it needs which. */
export type Parts = {
  components: readonly Component[]
  /** The references of what a component needs, by its own. */
  needs: ReadonlyMap<string, readonly string[]>
}

export function licencesOf(expression: string | null): { licenses?: Licence[] } {
  if (expression === null) return {}
  return { licenses: [/\s/.test(expression) ? { expression } : { license: { id: expression } }] }
}

/** Of a checksum as npm has it, such as "sha512-" and base64. */
export function hashesOf(integrity: string | null): { hashes?: Hash[] } {
  const [algorithm = '', base64 = ''] = (integrity ?? '').split('-', 2)
  const alg = ({ sha256: 'SHA-256', sha384: 'SHA-384', sha512: 'SHA-512', sha1: 'SHA-1' } as const)[algorithm]
  if (alg === undefined) return {}
  return { hashes: [{ alg, content: Buffer.from(base64, 'base64').toString('hex') }] }
}

/** The name by which lists of weaknesses know a program (CPE 2.3). */
export function cpeOf(vendorAndProduct: string, version: string): string {
  return `cpe:2.3:a:${vendorAndProduct}:${version}:*:*:*:*:*:*:*`
}

export function propertiesOf(values: Readonly<Record<string, string>>): {
  properties: { name: string; value: string }[]
} {
  return { properties: Object.entries(values).map(([name, value]) => ({ name: `perigee:${name}`, value })) }
}
