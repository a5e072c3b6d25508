// A location of another operator signs the history that an installation has in its database, by way of a real broker.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { addDays, startOf } from '#core/language/utc-day.ts'
import { isCountersigned } from '#core/proofs/countersign.ts'
import { headHash } from '#core/proofs/signed-history.ts'
import { createSecrets } from '#store/database/secrets.ts'
import { signingKeys } from '#store/installation/signing-keys.ts'
import { listCountersignatures, takeOffer } from '#store/results/countersignatures.ts'
import { signNextDay } from '#store/results/signed-days.ts'
import { listSignedHeads } from '#store/results/signed-exports.ts'
import { sumUpNextHours } from '#store/results/signed-hours.ts'
import { systemTime } from '#time/time.ts'
import { openCountersignFile } from '../../src/prober/countersign-file.ts'
import { startCountersigner } from '../../src/prober/countersigner.ts'
import { testDatabase } from '../support/database.ts'
import { openBusBench } from '../support/nats-bus.ts'
import { noNatsServer } from '../support/nats-server.ts'
import { until } from '../support/until.ts'

const day = '2031-03-10'

describe('a location that signs the history of another operator', { skip: noNatsServer }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-countersign-'))
  after(() => rmSync(folder, { recursive: true }))
  const database = await testDatabase()
  const keys = signingKeys(database, createSecrets(randomBytes(32)))
  const lines: string[] = []
  const note = (message: string): void => void lines.push(message)
  const log = { info: note, warn: note, error: note }

  /** Signs all days before this one. */
  async function signUntil(end: string): Promise<void> {
    while ((await sumUpNextHours(database, new Date(startOf(end).getTime() + 3 * 3_600_000))) !== null);
    while ((await signNextDay(database, keys)) !== null);
  }

  it('signs each day, and refuses a past that was written anew', async () => {
    const bench = await openBusBench()
    const [engine, prober] = [await bench.engine(), await bench.prober('fra')]
    const forks: unknown[] = []
    engine.onCountersigning(async (location, offer) => {
      if (offer.fork !== null) forks.push(offer.fork)
      return (await takeOffer(database, { location, offer, keys })).reply
    })
    const nothing = { since: null, signatures: [], fork: null }
    const isAnswered = (): Promise<boolean> =>
      prober.offerCountersignatures(nothing).then(
        () => true,
        () => false,
      )
    await until('an engine answers', isAnswered)
    const catchUp = (): Promise<void> => {
      const file = openCountersignFile(join(folder, 'fra.json'))
      return startCountersigner({
        location: 'fra',
        file,
        offer: prober.offerCountersignatures,
        time: systemTime,
        log,
      })()
    }
    await sumUpNextHours(database, startOf(day))
    await signUntil(addDays(day, 1))
    await catchUp()
    await signUntil(addDays(day, 40))
    await catchUp()
    const range = { from: day, to: addDays(day, 100) }
    const [heads, signed] = [await listSignedHeads(database, range), await listCountersignatures(database, range)]
    assert.equal(heads.length, 40)
    assert.equal(signed.length, 40)
    for (const [index, { head }] of heads.entries()) assert.ok(isCountersigned(head, signed[index] ?? assert.fail()))
    // The operator takes the last day back, and signs another one.
    const [{ head } = assert.fail()] = heads.slice(-1)
    await database.pool.query('delete from signed_head_countersignatures where day = $1', [head.day])
    await database.pool.query('delete from signed_heads where day = $1', [head.day])
    await database.pool.query(`insert into signed_workspace_days (day, workspace_id, size, root_hash, leaf_hash)
      values ('${head.day}', gen_random_uuid(), 1, sha256('root'), sha256('leaf'))`)
    while ((await signNextDay(database, keys)) !== null);
    await catchUp()
    assert.partialDeepStrictEqual(forks, [{ day: head.day, signed: headHash(head) }])
    assert.ok(lines.includes('The history has two heads for one day. The second one is not signed.'))
    assert.equal((await listCountersignatures(database, range)).length, 39)
    await bench.close()
  })
})
