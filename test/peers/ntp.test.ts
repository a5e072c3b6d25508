import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '#core/result.ts'
import { ntp } from '#kinds/ntp.ts'
import { checkOnce } from '../support/check.ts'
import { chrony } from '../support/peers/chrony.ts'
import { findProgram } from '../support/peers/program.ts'
import { until } from '../support/until.ts'

const program = findProgram('chronyd')

/** Until the server listens, its port refuses. */
async function verdictOf(port: number): Promise<Verdict> {
  let verdict: Verdict | null = null
  const options = { max_offset_ms: 100 }
  await until('chronyd to listen', async () => {
    verdict = await checkOnce(ntp, { url: `127.0.0.1:${port}`, options })
    return verdict.error?.startsWith('Connection refused') !== true
  })
  assert.ok(verdict)
  return verdict
}

describe('chrony', { skip: program === null ? 'chronyd is not installed' : false }, () => {
  it('is up when it is synchronised', async () => {
    const verdict = await verdictOf(await chrony(program ?? '', { isSynchronised: true }))
    assert.deepEqual([verdict.status, verdict.error, verdict.details['stratum']], ['up', null, 3])
    assert.ok(Math.abs(Number(verdict.details['offset_ms'])) < 5, JSON.stringify(verdict.details))
  })

  it('is down when it is not', async () => {
    const verdict = await verdictOf(await chrony(program ?? '', { isSynchronised: false }))
    assert.equal(verdict.status, 'down')
    assert.match(verdict.error ?? '', /^127\.0\.0\.1:\d+ answers, but its clock is not synchronised \(stratum 0\)$/)
  })
})
