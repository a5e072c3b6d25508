import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { maxTextLength, noPhases, type Verdict, withCleanTexts } from '#core/results/result.ts'
import { createNet } from '#net/create-net.ts'
import { createDestinations } from '#net/ground/destinations.ts'
import { createGround, type Ground, type Standing } from '#net/ground/ground.ts'
import { createTraffic, type Trace } from '#net/ground/trace.ts'
import { firmGround } from '../../test/support/ground.ts'
import { pause } from '../../test/support/pause.ts'
import { rawServer } from '../../test/support/raw-server.ts'
import { createGroundedChecks } from './grounded.ts'

const up: Verdict = { status: 'up', statusCode: 200, latencyMs: 1, error: null, phases: noPhases, details: {} }
const down: Verdict = { ...up, status: 'down', statusCode: null, error: 'Timed out' }

function checksOn(standings: Standing[], ground: Partial<Ground> = {}): ReturnType<typeof createGroundedChecks> {
  const next = (): Standing => (standings.length > 1 ? standings.shift() : standings[0]) ?? 'held'
  return createGroundedChecks({ ...firmGround, standing: async () => next(), ...ground }, createTraffic())
}

const always = { mark: { check: 1, text: '', tookMs: 0 }, share: '', lastEndMs: Infinity }
const inTime = performance.now() + 3_600_000
const tooLate = -Infinity

describe('a failure', () => {
  it('is told while the network holds, and a success without asking', async () => {
    const checks = checksOn(['held'])
    assert.deepEqual(
      await checks.check({ monitorId: 'm', ...always, lastStartMs: inTime, run: async () => down }),
      down,
    )
    const lost = checksOn(['lost'])
    assert.deepEqual(await lost.check({ monitorId: 'm', ...always, lastStartMs: inTime, run: async () => up }), up)
  })

  it('or a success tells the address that the check reached', async () => {
    const traffic = createTraffic()
    const checks = createGroundedChecks(firmGround, traffic)
    for (const address of ['203.0.113.7', null]) {
      const reached = { address: 'none yet' }
      const run = async (): Promise<Verdict> => {
        if (address !== null) traffic.connected(address, 443)
        return up
      }
      await checks.check({ monitorId: 'm', ...always, lastStartMs: inTime, reached, run })
      assert.equal(reached.address, address)
    }
  })

  it('is told with a word about the network that could not be verified', async () => {
    const told = await checksOn(['unverified']).check({
      monitorId: 'm',
      ...always,
      lastStartMs: inTime,
      run: async () => down,
    })
    const details = { own_network: 'not verified' }
    assert.deepEqual(told, { ...down, error: 'Timed out (own network not verified)', details })
  })

  it('keeps that word, and its length, however long its text is', async () => {
    const long = { ...down, error: 'x'.repeat(900) }
    const asked = { monitorId: 'm', ...always, lastStartMs: inTime, run: async () => long }
    const told = await checksOn(['unverified']).check(asked)
    assert.equal(told?.error?.length, maxTextLength)
    assert.match(told.error, /x… \(own network not verified\)$/)
    assert.deepEqual(withCleanTexts(told), told)
  })

  it('of a time without network is checked again once there is one', async () => {
    const verdicts = [down, up]
    const run = async (): Promise<Verdict | null> => verdicts.shift() ?? null
    assert.deepEqual(
      await checksOn(['lost', 'held']).check({ monitorId: 'm', ...always, lastStartMs: inTime, run }),
      up,
    )
  })

  it('tells nothing where the network does not come back in time', async () => {
    const checks = checksOn(['lost'], { isBack: async () => false, answersNow: () => false })
    for (let round = 0; round < 5; round += 1)
      assert.equal(await checks.check({ monitorId: 'm', ...always, lastStartMs: inTime, run: async () => down }), null)
  })

  it('is withheld for two rounds in a row, and no more, while references answer at its end', async () => {
    const checks = checksOn(['lost'])
    const check = (monitorId: string, verdict = down): Promise<Verdict | null> =>
      checks.check({ monitorId, ...always, lastStartMs: tooLate, run: async () => verdict })
    assert.deepEqual([await check('m'), await check('m'), await check('m')], [null, null, down])
    assert.deepEqual(await check('m'), down, 'and goes on to be told')
    assert.deepEqual([await check('m', up), await check('m')], [up, null], 'counts anew')
    assert.equal(await check('other'), null, 'each monitor counts by itself')
  })

  it('is withheld no more once two rounds of an outage were, also where others of it were told', async () => {
    const checks = checksOn(['lost', 'lost', 'held', 'lost'])
    const told: (Verdict | null)[] = []
    for (let round = 0; round < 4; round += 1)
      told.push(await checks.check({ monitorId: 'm', ...always, lastStartMs: tooLate, run: async () => down }))
    assert.deepEqual(told, [null, null, down, down])
  })

  it('counts as withheld also where references turn out to answer only when asked', async () => {
    const checks = checksOn(['lost'], { answersNow: () => false, isBack: async () => true })
    const told: (Verdict | null)[] = []
    for (let round = 0; round < 3; round += 1)
      told.push(await checks.check({ monitorId: 'm', ...always, lastStartMs: tooLate, run: async () => down }))
    assert.deepEqual(told, [null, null, down])
  })

  it('is repeated once, and counts as withheld where that tells nothing', async () => {
    const checks = checksOn(['lost'])
    const round = async (verdicts: (Verdict | null)[], lastEndMs = Infinity): Promise<Verdict | null> => {
      const run = async (): Promise<Verdict | null> => verdicts.shift() ?? null
      const told = await checks.check({ monitorId: 'm', ...always, lastStartMs: inTime, lastEndMs, run })
      assert.deepEqual(verdicts, [])
      return told
    }
    assert.equal(await round([down, null]), null)
    assert.equal(await round([down, down]), null)
    assert.deepEqual(await round([down, down]), down)
  })

  it('counts as withheld where its repetition ended after its round', async () => {
    const standings: Standing[] = ['lost', 'held', 'lost', 'held', 'lost']
    const checks = checksOn(standings)
    const round = (lastStartMs: number): Promise<Verdict | null> =>
      checks.check({ monitorId: 'm', ...always, lastStartMs, lastEndMs: tooLate, run: async () => down })
    assert.deepEqual([await round(inTime), await round(inTime)], [down, down], 'which is stored, and decides nothing')
    assert.deepEqual(await round(tooLate), down)
  })

  it('is not withheld where the target spoke last, long after it accepted the connection', async () => {
    const traffic = createTraffic()
    const net = createNet({ allowPrivate: 'all', traffic })
    const destinations = createDestinations()
    destinations.accepted('8.8.8.8', 443, '')
    const silence = { configured: [], roots: [], gateways: () => [], resolverAnswers: async () => false }
    const ground = createGround({ destinations, ...silence, connect: async () => null })
    // The server is on this machine and stands for one that is not.
    const standing = (trace: Trace): Promise<Standing> => ground.standing({ ...trace, addresses: new Set(['5.9.9.9']) })
    const checks = createGroundedChecks(
      { ...firmGround, standing, isBack: async () => false, answersNow: () => false },
      traffic,
    )
    const { port } = await rawServer((socket) => {
      const answer = (): void => void socket.end('HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n')
      void pause(2_000).then(answer)
    })
    const run = async (): Promise<Verdict> => {
      const request = { url: new URL(`http://127.0.0.1:${port}/`), method: 'GET', headers: {}, body: null }
      const limits = { maxRedirects: 0, maxBodyBytes: 100, maxWireBytes: 1_000, headersOnly: false }
      const outcome = await net.http({ ...request, ...limits }, AbortSignal.timeout(60_000))
      return { ...down, statusCode: outcome.ok ? outcome.answer.status : null }
    }
    const told = await checks.check({ monitorId: 'm', ...always, lastStartMs: tooLate, run })
    ground.stop()
    assert.deepEqual(told, { ...down, statusCode: 500 })
  })

  it('of a trial is never told while the network was lost', async () => {
    const checks = checksOn(['lost'])
    for (let round = 0; round < 4; round += 1)
      assert.equal(
        await checks.check({ monitorId: null, ...always, lastStartMs: tooLate, run: async () => down }),
        null,
      )
  })
})
