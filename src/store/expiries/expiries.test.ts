import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testApi } from '../../../test/support/api.ts'
import { membersOf, noMembers, showCertificate } from '../../../test/support/expiries.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { readWatchRows } from '#store/monitors/watch-rows.ts'

const notBefore = new Date('2026-09-01T00:00:00Z')
const notAfter = new Date('2026-11-30T00:00:00Z')
const seenAt = new Date('2026-10-01T00:00:00Z')
const shown = { ...noMembers, cert_issuer: 'E7', cert_expires_at: '2026-11-30T00:00:00.000Z' }

describe('what checks saw of a certificate', async () => {
  const api = await testApi()
  const { database } = api
  const rowOf = async (id: string) => {
    const { rows } = await database.pool.query<{ seen_at: Date; alert_at: Date | null }>(
      'select e.* from monitor_expiries e join monitors m on m.key = e.monitor_key where m.id = $1',
      [id],
    )
    return rows[0] ?? assert.fail('no row')
  }
  const patch = async (id: string, input: Record<string, unknown>): Promise<void> => {
    const answer = await api.request('PATCH', `/monitors/${id}`, { body: { name: 'Shop', ...input } })
    assert.equal(answer.status, 200, answer.text)
  }

  it('shows on the monitor, and is null before', async () => {
    const { id } = await createMonitor(api)
    assert.deepEqual(await membersOf(api, id), noMembers)
    await showCertificate(database, id, { notBefore, notAfter, seenAt })
    assert.deepEqual(await membersOf(api, id), shown)
  })

  it('keeps the occasion that is next while the end stays, and begins anew with another end', async () => {
    const { id } = await createMonitor(api)
    await showCertificate(database, id, { notBefore, notAfter, seenAt })
    assert.deepEqual((await rowOf(id)).alert_at, new Date('2026-11-16T00:00:00Z'))
    const next = new Date('2026-11-23T00:00:00Z')
    await database.pool.query('update monitor_expiries set alert_at = $1', [next])
    const later = new Date('2026-11-17T00:00:00Z')
    await showCertificate(database, id, { notBefore, notAfter, seenAt: later })
    assert.deepEqual([(await rowOf(id)).alert_at, (await rowOf(id)).seen_at], [next, later])
    const renewed = new Date('2027-02-28T00:00:00Z')
    await showCertificate(database, id, { notBefore: later, notAfter: renewed, seenAt: later })
    assert.deepEqual((await rowOf(id)).alert_at, new Date('2027-02-14T00:00:00Z'))
  })

  for (const [what, change] of [
    ['url', { url: 'https://example.org' }],
    ['kind', { kind: 'api' }],
  ] as const)
    it(`is gone when the ${what} changes, and a check of the version before does not bring it back`, async () => {
      const { id } = await createMonitor(api)
      await showCertificate(database, id, { notBefore, notAfter, seenAt })
      await patch(id, change)
      assert.deepEqual(await membersOf(api, id), noMembers)
      await showCertificate(database, id, { notBefore, notAfter, seenAt, version: 1 })
      assert.deepEqual(await membersOf(api, id), noMembers)
      const [row] = await readWatchRows(database, { partitions: Array.from({ length: 64 }, (_, p) => p), ids: [id] })
      assert.equal(row?.expiry, null, 'an engine that reads the monitor remembers nothing either')
      await showCertificate(database, id, { notBefore, notAfter, seenAt })
      assert.deepEqual(await membersOf(api, id), shown)
    })

  it('does not show when it is written while a change of the target is being committed', async () => {
    const { id } = await createMonitor(api)
    await showCertificate(database, id, { notBefore, notAfter, seenAt })
    const { promise: isWritten, resolve: written } = Promise.withResolvers<void>()
    const changing = database.transaction(async (tx) => {
      await tx.query.updateTable('monitors').set({ target_version: 2, version: 2 }).where('id', '=', id).execute()
      await isWritten
    })
    await showCertificate(database, id, { notBefore, notAfter: new Date('2026-12-24T00:00:00Z'), seenAt })
    written()
    await changing
    assert.deepEqual(await membersOf(api, id), noMembers)
  })

  it('stays through a pause, and through changes of anything but the target', async () => {
    const { id } = await createMonitor(api)
    await showCertificate(database, id, { notBefore, notAfter, seenAt })
    await api.post(`/monitors/${id}/pause`)
    await api.post(`/monitors/${id}/resume`)
    await patch(id, { timeout_ms: 5000, expiry_alerts: false })
    assert.deepEqual(await membersOf(api, id), shown)
  })

  it('goes with its monitor', async () => {
    const { id } = await createMonitor(api)
    await showCertificate(database, id, { notBefore, notAfter, seenAt })
    const { key } = await database.query
      .selectFrom('monitors')
      .select('key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.equal((await api.request('DELETE', `/monitors/${id}`)).status, 204)
    const { rows } = await database.pool.query('select from monitor_expiries where monitor_key = $1', [key])
    assert.deepEqual(rows, [])
  })
})
