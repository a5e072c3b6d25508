import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type Exposure,
  isVerifiable,
  type JudgedScan,
  nextStep,
  type Verification,
  type VerificationResult,
  verificationResult,
} from './exposure.ts'

const fixed: JudgedScan = { saw: 'version', judgement: 'not_affected' }
const affected: JudgedScan = { saw: 'version', judgement: 'affected' }
const unclear: JudgedScan = { saw: 'version', judgement: 'unknown' }
const waiting: JudgedScan = { saw: 'version', judgement: null }
const silent: JudgedScan = { saw: 'no_version', judgement: null }
const nothing: JudgedScan = { saw: 'nothing', judgement: null }
const failed: JudgedScan = { saw: 'failed', judgement: null }

describe('scans from several locations', () => {
  const table: [what: string, scans: JudgedScan[], sawNothingBefore: boolean | null, VerificationResult | null][] = [
    ['prove a fix where each saw a version that is not affected', [fixed, fixed], null, 'proved'],
    ['prove it from one location as well', [fixed], null, 'proved'],
    ['prove nothing where there are none', [], null, 'unproved'],
    ['find the old version at one location', [fixed, affected], null, 'affected'],
    ['find it before the others are compared', [waiting, affected], null, 'affected'],
    ['wait until each version was compared', [fixed, waiting], null, null],
    ['wait even where another one failed', [failed, waiting], null, null],
    ['prove nothing where one failed', [fixed, failed], null, 'unproved'],
    ['prove nothing where one saw no version', [fixed, silent], null, 'unproved'],
    ['prove nothing where an advisory does not decide a version', [fixed, unclear], null, 'unproved'],
    ['prove nothing where one saw nothing of the product', [fixed, nothing], true, 'unproved'],
    ['prove nothing by seeing nothing once', [nothing, nothing], null, 'unproved'],
    ['prove nothing by seeing nothing after something was seen', [nothing, nothing], false, 'unproved'],
    ['say that nothing is seen any more at the second time in a row', [nothing, nothing], true, 'not_seen'],
    ['do not say so where one failed', [nothing, failed], true, 'unproved'],
  ]
  for (const [what, scans, before, expected] of table)
    it(what, () => {
      assert.equal(verificationResult(scans, before === null ? null : { sawNothing: before }), expected)
    })
})

describe('software', () => {
  const table: [Exposure['monitor_kind'], Exposure['source'], boolean][] = [
    ['http', 'detected', true],
    ['api', 'detected', true],
    ['repository', 'detected', false],
    ['http', 'import', false],
    ['http', 'manual', false],
  ]
  for (const [kind, source, expected] of table)
    it(`that a ${kind} monitor has by ${source} ${expected ? 'can' : 'cannot'} be seen by locations`, () => {
      assert.equal(isVerifiable({ monitor_kind: kind, source }), expected)
    })
})

describe('the next step', () => {
  const open = {
    status: 'open',
    outcome: null,
    monitor_kind: 'http',
    source: 'detected',
    software_name: 'nginx',
    fix_version: '1.30.1',
    verification: null,
  } as const
  const closed = { ...open, status: 'closed' } as const
  const table: [what: string, Parameters<typeof nextStep>[0], RegExp][] = [
    ['is the update, and its proof', open, /^Update nginx to 1\.30\.1, then call `verify_exposure`\.$/],
    ['names no version where none is known', { ...open, fix_version: null }, /^No fixed version of nginx is known/],
    ['is to wait while versions are compared', { ...open, ...verified(null) }, /^Wait some seconds/],
    ['is the update again after scans found the old version', { ...open, ...verified('affected') }, /^Update nginx/],
    ['is to wait for the list after a proof', { ...open, ...verified('proved') }, /^Wait for the next scan/],
    ['of an import is another import', { ...open, source: 'import' }, /then import the new file: locations cannot/],
    ['of an entry by hand is its version', { ...open, source: 'manual' }, /then set the version of the entry/],
    ['of a repository is a scan', { ...open, monitor_kind: 'repository' }, /then call `scan_vulnerabilities`/],
    ['is none once it is proved', { ...closed, outcome: 'proved' }, /^Nothing: the fix is proved/],
    ['is the proof where the list alone says so', { ...closed, outcome: 'updated' }, /^Call `verify_exposure`/],
    ['is none where locations see nothing', { ...closed, outcome: 'updated', source: 'import' }, /^Nothing: locations/],
    ['is none without a monitor', { ...closed, outcome: 'monitor_deleted' }, /^Nothing can be proved/],
    ['is none for what was withdrawn', { ...closed, outcome: 'withdrawn' }, /^Nothing can be proved/],
    ['is none for what is ignored', { ...closed, outcome: 'ignored' }, /^Nothing can be proved/],
  ]
  for (const [what, exposure, expected] of table)
    it(what, () => {
      assert.match(nextStep(exposure), expected)
    })
})

function verified(result: Verification['result']): { verification: Verification } {
  return { verification: { asked_at: '2026-11-01T00:00:00.000Z', decided_at: null, result, scans: [] } }
}
