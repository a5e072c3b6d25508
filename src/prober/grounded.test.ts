import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noPhases, type Verdict } from '#core/results/result.ts'
import type { Ground, Standing } from '#net/ground/ground.ts'
import { createTraffic } from '#net/ground/trace.ts'
import { firmGround } from '../../test/support/ground.ts'
import { createGroundedChecks } from './grounded.ts'

const up: Verdict = { status: 'up', statusCode: 200, latencyMs: 1, error: null, phases: noPhases, details: {} }
const down: Verdict = { ...up, status: 'down', statusCode: null, error: 'Timed out' }

function checksOn(standings: Standing[], ground: Partial<Ground> = {}): ReturnType<typeof createGroundedChecks> {
  const next = (): Standing => (standings.length > 1 ? standings.shift() : standings[0]) ?? 'held'
  return createGroundedChecks({ ...firmGround, standing: async () => next(), ...ground }, createTraffic())
}

const mark = { check: 1, text: '' }
const inTime = performance.now() + 3_600_000
const tooLate = -Infinity

describe('a failure', () => {
  it('is told while the network holds, and a success without asking', async () => {
    const checks = checksOn(['held'])
    assert.deepEqual(await checks.check({ monitorId: 'm', mark, lastStartMs: inTime, run: async () => down }), down)
    const lost = checksOn(['lost'])
    assert.deepEqual(await lost.check({ monitorId: 'm', mark, lastStartMs: inTime, run: async () => up }), up)
  })

  it('is told with a word about the network that could not be verified', async () => {
    const told = await checksOn(['unverified']).check({
      monitorId: 'm',
      mark,
      lastStartMs: inTime,
      run: async () => down,
    })
    assert.deepEqual(told, { ...down, details: { own_network: 'not verified' } })
  })

  it('of a time without network is checked again once there is one', async () => {
    const verdicts = [down, up]
    const run = async (): Promise<Verdict | null> => verdicts.shift() ?? null
    assert.deepEqual(await checksOn(['lost', 'held']).check({ monitorId: 'm', mark, lastStartMs: inTime, run }), up)
  })

  it('tells nothing where the network does not come back in time', async () => {
    const checks = checksOn(['lost'], { isBack: async () => false, answersNow: () => false })
    for (let round = 0; round < 5; round += 1)
      assert.equal(await checks.check({ monitorId: 'm', mark, lastStartMs: inTime, run: async () => down }), null)
  })

  it('is withheld for two rounds in a row, and no more, while references answer at its end', async () => {
    const checks = checksOn(['lost'])
    const check = (monitorId: string, verdict = down): Promise<Verdict | null> =>
      checks.check({ monitorId, mark, lastStartMs: tooLate, run: async () => verdict })
    assert.deepEqual([await check('m'), await check('m'), await check('m')], [null, null, down])
    assert.deepEqual([await check('m'), await check('m', up), await check('m')], [null, up, null], 'counts anew')
    assert.equal(await check('other'), null, 'each monitor counts by itself')
  })

  it('of a trial is never told while the network was lost', async () => {
    const checks = checksOn(['lost'])
    for (let round = 0; round < 4; round += 1)
      assert.equal(await checks.check({ monitorId: null, mark, lastStartMs: tooLate, run: async () => down }), null)
  })
})
