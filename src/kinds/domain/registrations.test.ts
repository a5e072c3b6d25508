import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LookUp, Registration } from './registration.ts'
import { createRegistrations, type Registrations } from './registrations.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const start = Date.parse('2026-05-20T12:00:00Z')
const never = new AbortController().signal

function lookUp(changes: Partial<Registration> = {}): LookUp {
  const expiresAt = new Date(start + 200 * dayMs).toISOString()
  const registration = { isRegistered: true, expiresAt, registrar: 'R', statuses: [], ...changes }
  return { ok: true, registration, source: 'rdap', server: 'rdap.example' }
}

const failed: LookUp = { ok: false, problem: 'no answer' }

type Bench = {
  registrations: Registrations
  asked: string[]
  wait: (ms: number) => void
  answer: (next: LookUp) => void
}

/** Look-ups that the test answers, and its clock. */
function bench(first: LookUp): Bench {
  let nowMs = start
  let next = first
  const asked: string[] = []
  const source = async (domain: string): Promise<LookUp> => {
    asked.push(domain)
    return next
  }
  return {
    registrations: createRegistrations(source, () => new Date(nowMs)),
    asked,
    wait: (ms) => {
      nowMs += ms
    },
    answer: (given) => {
      next = given
    },
  }
}

describe('what is known about domains', () => {
  const lifetimes: [string, LookUp, number][] = [
    ['a day where all is well', lookUp(), dayMs],
    ['a day where no end is published', lookUp({ expiresAt: null }), dayMs],
    ['an hour where the end is near', lookUp({ expiresAt: new Date(start + 30 * dayMs).toISOString() }), hourMs],
    ['an hour once it has passed', lookUp({ expiresAt: new Date(start - dayMs).toISOString() }), hourMs],
    ['an hour where there is no such domain', lookUp({ isRegistered: false, expiresAt: null }), hourMs],
    ['an hour where it is held', lookUp({ statuses: ['server hold'] }), hourMs],
    ['an hour where it is being deleted', lookUp({ statuses: ['pending delete'] }), hourMs],
    ['five minutes after a failure', failed, hourMs / 12],
  ]
  for (const [what, answer, lifetimeMs] of lifetimes)
    it(`is kept for ${what}`, async () => {
      const { registrations, asked, wait } = bench(answer)
      const first = await registrations.find('a.example', never)
      wait(lifetimeMs - 1)
      const second = await registrations.find('a.example', never)
      assert.equal(asked.length, 1)
      assert.deepEqual(first.ok ? { ...first, latencyMs: null } : first, second)
      wait(1)
      await registrations.find('a.example', never)
      assert.equal(asked.length, 2)
    })

  it('has a latency only for whom it was looked up', async ({ mock }) => {
    let elapsedMs = 1000
    mock.method(performance, 'now', () => elapsedMs)
    const slow = async (): Promise<LookUp> => {
      elapsedMs += 25.4
      return lookUp()
    }
    const registrations = createRegistrations(slow, () => new Date(start))
    const [first, shared] = await Promise.all([
      registrations.find('a.example', never),
      registrations.find('a.example', never),
    ])
    const later = await registrations.find('a.example', never)
    assert.ok(first.ok && shared.ok && later.ok)
    assert.deepEqual([first.latencyMs, shared.latencyMs, later.latencyMs], [25, 25, null])
    assert.equal(later.known.readAt.getTime(), start)
  })

  it('is looked up once for all who ask meanwhile', async () => {
    const { registrations, asked } = bench(lookUp())
    await Promise.all(Array.from({ length: 50 }, () => registrations.find('a.example', never)))
    await registrations.find('b.example', never)
    assert.deepEqual(asked, ['a.example', 'b.example'])
  })

  it('serves for a week while its registry does not answer', async () => {
    const { registrations, asked, wait, answer } = bench(lookUp())
    await registrations.find('a.example', never)
    answer(failed)
    wait(dayMs)
    const stale = await registrations.find('a.example', never)
    assert.deepEqual(stale.ok && [stale.known.readAt.getTime(), stale.latencyMs], [start, null])
    wait(6 * dayMs)
    assert.deepEqual(await registrations.find('a.example', never), { ok: false, problem: 'no answer' })
    assert.equal(asked.length, 3)
    answer(lookUp())
    wait(hourMs)
    const fresh = await registrations.find('a.example', never)
    assert.equal(fresh.ok && fresh.known.readAt.getTime(), start + 7 * dayMs + hourMs)
  })

  it('is waited for until the deadline, and is there for who asks next', async () => {
    const { promise, resolve } = Promise.withResolvers<LookUp>()
    let asked = 0
    const registrations = createRegistrations(
      () => {
        asked += 1
        return promise
      },
      () => new Date(start),
    )
    assert.deepEqual(await registrations.find('a.example', AbortSignal.timeout(20)), { ok: false, problem: null })
    assert.deepEqual(await registrations.find('a.example', AbortSignal.abort()), { ok: false, problem: null })
    const waiting = registrations.find('a.example', never)
    resolve(lookUp())
    assert.equal((await waiting).ok, true)
    assert.equal((await registrations.find('a.example', AbortSignal.abort())).ok, true)
    assert.equal(asked, 1)
  })

  it('is not kept when our own machine failed, and nobody need be waiting then', async () => {
    const { promise, reject } = Promise.withResolvers<LookUp>()
    let isBroken = true
    const registrations = createRegistrations(
      () => (isBroken ? promise : Promise.resolve(lookUp())),
      () => new Date(start),
    )
    assert.deepEqual(await registrations.find('a.example', AbortSignal.timeout(10)), { ok: false, problem: null })
    const waiting = registrations.find('a.example', never)
    reject(new Error('no sockets'))
    await assert.rejects(waiting, /no sockets/)
    isBroken = false
    assert.equal((await registrations.find('a.example', never)).ok, true)
  })

  it('is forgotten for the oldest beyond ten thousand', async () => {
    const { registrations, asked } = bench(lookUp())
    for (let index = 0; index < 10_001; index++) await registrations.find(`d${index}.example`, never)
    await registrations.find('d1.example', never)
    assert.equal(asked.length, 10_001)
    await registrations.find('d0.example', never)
    assert.equal(asked.length, 10_002)
  })
})
