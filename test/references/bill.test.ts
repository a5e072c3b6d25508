// Our bills of materials are compared with the published schema of CycloneDX, in a test and at each release.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { debianParts, npmPackageParts, siteParts } from '../../scripts/release/bill/artefact-parts.ts'
import { assertBill } from '../../scripts/release/bill/bill-schema.ts'
import { billOf, together } from '../../scripts/release/bill/bill.ts'
import { nodeComponent } from '../../scripts/release/bill/native-parts.ts'

const billed = {
  type: 'container',
  name: 'perigee',
  purl: 'pkg:oci/perigee?arch=amd64&tag=0.1.0',
  sha256: 'a'.repeat(64),
  file: 'perigee.tar',
} as const
const parts = together(
  npmPackageParts([]),
  siteParts(),
  debianParts([{ name: 'git', version: '1:2.39.5-0+deb12u2', architecture: 'amd64' }]),
  { components: [nodeComponent(process.versions.node)], needs: new Map() },
)
const bill = billOf(billed, parts, 1_700_000_000)

describe('a bill of materials', () => {
  it('is CycloneDX 1.6, with packages of npm and Debian, Node and data', async () => assertBill(bill))

  for (const [what, changed, message] of [
    ['a licence that SPDX does not have', withLicence('MIT-ish'), /licenses/],
    [
      'a checksum of another length',
      { ...bill, metadata: { component: { ...billed, hashes: [{ alg: 'SHA-256', content: 'a' }] } } },
      /hashes/,
    ],
    ['a part without a name', { ...bill, components: [{ type: 'library' }] }, /must have required property 'name'/],
    ['a serial number that is no UUID', { ...bill, serialNumber: 'urn:uuid:1' }, /serialNumber must match pattern/],
    ['two equal parts', { ...bill, components: [...parts.components, parts.components[0]] }, /duplicate items/],
  ] as const)
    it(`is refused with ${what}`, () => assert.rejects(assertBill(changed), message))
})

function withLicence(id: string): object {
  const [first] = parts.components
  return { ...bill, components: [{ ...first, licenses: [{ license: { id } }] }] }
}
