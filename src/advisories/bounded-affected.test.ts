import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { AffectedProduct } from '#core/software/advisory.ts'
import { boundedAffected, maxRanges, maxVersions } from './bounded-affected.ts'

const range = { introduced: '1.0', isIntroducedIncluded: true, fixed: '2.0', lastAffected: null }

function productOf(ranges: number, versions: number): AffectedProduct {
  const affected = {
    ranges: Array.from({ length: ranges }, () => range),
    versions: Array.from({ length: versions }, () => '1.0'),
  }
  return { product: 'npm:a', affected, isConditional: false, mayApply: false }
}

it('affects any version, perhaps, where a record says more than is compared', () => {
  const all = { introduced: null, isIntroducedIncluded: true, fixed: null, lastAffected: null }
  const vague = { ...productOf(0, 0), affected: { ranges: [all], versions: [] }, mayApply: true }
  const few = productOf(maxRanges - 1, maxVersions)
  assert.deepEqual(boundedAffected([few, productOf(1, 0)]), [few, productOf(1, 0)])
  assert.deepEqual(boundedAffected([few, productOf(2, 0), productOf(0, 1)]), [few, vague, vague])
  assert.deepEqual(boundedAffected([productOf(0, maxVersions + 1)]), [vague])
})
