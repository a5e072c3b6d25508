import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Verdict } from '#core/results/result.ts'
import { ntp } from '#kinds/ntp.ts'
import { checkOnce } from '../support/check.ts'
import { startChrony } from '../support/peers/chrony.ts'
import { findProgram } from '../support/peers/program.ts'

function check(url: string): Promise<Verdict> {
  return checkOnce(ntp, { url, options: { max_offset_ms: 100 } })
}

describe('ntp against chrony', { skip: findProgram('chronyd') === null ? 'chronyd is not installed' : false }, () => {
  for (const address of ['127.0.0.1', '::1'])
    it(`is up when it is synchronised, at ${address}`, async () => {
      const port = await startChrony({ isSynchronised: true, address })
      const verdict = await check(address === '::1' ? `[::1]:${port}` : `127.0.0.1:${port}`)
      assert.deepEqual([verdict.status, verdict.error, verdict.details['stratum']], ['up', null, 3])
      // Half the delay may be error (RFC 5905 8), and a busy machine delays.
      const { offset_ms: offsetMs, delay_ms: delayMs } = verdict.details
      assert.ok(Math.abs(Number(offsetMs)) <= Number(delayMs) / 2 + 2, JSON.stringify(verdict.details))
    })

  it('is down when it is not', async () => {
    const port = await startChrony({ isSynchronised: false })
    const { status, error } = await check(`127.0.0.1:${port}`)
    assert.deepEqual(
      [status, error],
      ['down', `127.0.0.1:${port} answers, but its clock is not synchronised (stratum 0)`],
    )
  })
})
