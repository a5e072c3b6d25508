import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { testDatabase } from '../../../test/support/database.ts'
import { addPayment, newAttempt } from '../../../test/support/payments.ts'
import { type NewAttempt, beginAttempt, findRival } from './payment-attempt-begin.ts'
import { listOpenAttempts } from './payment-attempt-upkeep.ts'
import {
  type PaymentAttempt,
  endAttempt,
  finishAttempts,
  holdAttempt,
  isPurposeDone,
  keepNotes,
  readAttempt,
  readSealed,
  releaseAttempt,
} from './payment-attempts.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { createWorkspace } from '#store/workspaces/workspaces.ts'

const secrets = createSecrets(randomBytes(32))
const noon = Date.UTC(2026, 10, 21, 12)
const at = (seconds: number): Date => new Date(noon + seconds * 1000)

describe('payment attempts', async () => {
  const database = await testDatabase({ maxConnections: 8 })
  const workspaceId = randomUUID()
  await createWorkspace(database, { id: workspaceId, name: 'Payer', plan: 'pay_as_you_go' })

  const attempt = (change: Partial<NewAttempt> = {}): NewAttempt =>
    newAttempt({ workspaceId, sealed: { payload: { spt: 'spt_secret' } }, at: at(0), ...change })

  const begin = (change: Partial<NewAttempt> = {}) => beginAttempt(database, secrets, attempt(change))

  async function begun(change: Partial<NewAttempt> = {}): Promise<PaymentAttempt> {
    const made = await begin(change)
    return made.type === 'begun' ? made.attempt : assert.fail(made.type)
  }

  async function succeed({ id }: PaymentAttempt): Promise<void> {
    const payment = await addPayment(database, { workspaceId })
    assert.equal(await endAttempt(database, id, { state: 'succeeded', paymentId: payment.id, at: at(1) }), true)
  }

  it('begin held, with what is asked for sealed until they end', async () => {
    const { id, ...made } = await begun()
    assert.partialDeepStrictEqual(made, { state: 'settling', asked: 1, notes: {}, doneAt: null, endedAt: null })
    const { rows } = await database.pool.query<{ sealed: Buffer }>(
      'select sealed_payload as sealed from payment_attempts where id = $1',
      [id],
    )
    assert.ok(rows[0] !== undefined && !rows[0].sealed.includes('spt_secret'))
    assert.deepEqual(await readSealed(database, secrets, id), { payload: { spt: 'spt_secret' } })
    await endAttempt(database, id, { state: 'failed', failure: 'Declined.', at: at(1) })
    assert.equal(await readSealed(database, secrets, id), null)
    assert.partialDeepStrictEqual(await readAttempt(database, id), {
      state: 'failed',
      failure: 'Declined.',
      endedAt: at(1),
    })
  })

  it('answer a challenge once', async () => {
    const first = await begun()
    const { challengeId } = first
    assert.partialDeepStrictEqual(await begin({ challengeId }), { type: 'same_challenge', attempt: { id: first.id } })
    await endAttempt(database, first.id, { state: 'failed', failure: 'Declined.', at: at(1) })
    assert.equal((await begin({ challengeId })).type, 'same_challenge')
  })

  it('run once for a request, and again after one that failed', async () => {
    const first = await begun()
    const { purposeHash } = first
    assert.partialDeepStrictEqual(await begin({ purposeHash }), { type: 'same_purpose', attempt: { id: first.id } })
    await endAttempt(database, first.id, { state: 'failed', failure: 'Declined.', at: at(1) })
    assert.equal((await begin({ purposeHash })).type, 'begun')
  })

  it('take a proof once', async () => {
    const proofHash = randomBytes(32)
    const first = await begun({ proofHash })
    await succeed(first)
    assert.equal((await begin({ proofHash })).type, 'proof_used')
  })

  it('of many at once for one request are one', { timeout: 60_000 }, async () => {
    const purposeHash = randomBytes(32)
    const rivalryOf = (challengeId: string) => ({
      purposeHash,
      challengeId,
      doneSince: at(-1),
      begunAfter: at(-60),
      besides: [],
    })
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const challengeId = randomUUID()
        const made = await begin({ purposeHash, challengeId, rivalry: rivalryOf(challengeId) })
        // An attempt that has succeeded meanwhile is no longer under way, and is still a rival.
        if (made.type === 'begun') await succeed(made.attempt)
        return made.type
      }),
    )
    assert.deepEqual(outcomes.toSorted(), ['begun', ...Array.from({ length: 7 }, () => 'same_purpose')])
  })

  it('stand in the way of another while they run, are paid and not done, or were done since', async () => {
    const purposeHash = randomBytes(32)
    const rival = (change: object = {}) =>
      findRival(database, {
        purposeHash,
        challengeId: 'another',
        doneSince: at(10),
        begunAfter: at(-1),
        besides: [],
        ...change,
      })
    assert.equal(await rival(), null)
    const { id, challengeId } = await begun({ purposeHash })
    const seen: [what: string, change: object, isRival: boolean][] = [
      ['begun since', {}, true],
      ['begun before', { begunAfter: at(0) }, false],
      ['begun before, of the same challenge', { begunAfter: at(0), challengeId }, true],
      ['looked at', { besides: [randomUUID(), id] }, false],
    ]
    for (const [what, change, isRival] of seen) assert.equal((await rival(change)) !== null, isRival, what)
    await succeed(await readAttempt(database, id))
    assert.equal((await rival())?.id, id)
    await database.transaction((tx) =>
      finishAttempts(tx, { purposeHash, workspaceId, result: { monitor_id: 'x' }, at: at(10) }),
    )
    assert.deepEqual((await rival())?.result, { monitor_id: 'x' })
    assert.equal(await rival({ doneSince: at(11) }), null)
    assert.equal(await isPurposeDone(database, { purposeHash, after: at(9) }), true)
    assert.equal(await isPurposeDone(database, { purposeHash, after: at(10) }), false)
  })

  it('are held by one, until its time is over or it lets go', async () => {
    const { id } = await begun()
    assert.equal(await holdAttempt(database, { id, at: at(24.999) }), null)
    const held = await Promise.all(Array.from({ length: 4 }, () => holdAttempt(database, { id, at: at(25) })))
    assert.deepEqual(
      held.flatMap((one) => (one === null ? [] : [one.asked])),
      [2],
    )
    await releaseAttempt(database, id)
    assert.equal((await holdAttempt(database, { id, at: at(25) }))?.asked, 3)
    await endAttempt(database, id, { state: 'failed', failure: 'Declined.', at: at(26) })
    assert.equal(await holdAttempt(database, { id, at: at(1000) }), null)
  })

  it('end once', async () => {
    const made = await begun()
    await succeed(made)
    assert.equal(await endAttempt(database, made.id, { state: 'failed', failure: 'No.', at: at(2) }), false)
    await assert.rejects(keepNotes(database, made.id, { late: true }))
  })

  it('keep notes while they run', async () => {
    const { id } = await begun()
    await keepNotes(database, id, { raw: '0x01' })
    assert.deepEqual((await readAttempt(database, id)).notes, { raw: '0x01' })
  })

  it('are due for another question after pauses that double up to six hours', async () => {
    await database.pool.query(`update payment_attempts set state = 'failed', ended_at = now() where state = 'settling'`)
    const { id } = await begun()
    const isDue = async (seconds: number) =>
      (await listOpenAttempts(database, { at: at(seconds), limit: 10 })).some((open) => open.id === id)
    const pauses: [asked: number, seconds: number][] = [
      [1, 60],
      [2, 120],
      [5, 960],
      [9, 15_360],
      [10, 21_600],
      [40, 21_600],
    ]
    for (const [asked, seconds] of pauses) {
      await database.pool.query('update payment_attempts set asked = $2 where id = $1', [id, asked])
      assert.deepEqual([await isDue(seconds - 1), await isDue(seconds)], [false, true], `asked ${asked} times`)
    }
    assert.deepEqual(await listOpenAttempts(database, { at: at(1e6), limit: 0 }), [])
  })
})
