import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import type { ContactRules, MonitorRules } from '#core/contacts/alert-rules.ts'
import { type Alert, bundleType } from '#core/contacts/alerting.ts'
import { acknowledgeIncident } from '#store/incidents/incidents.ts'
import { resolveIncidents } from '#store/incidents/transitions.ts'
import {
  addContact,
  addDownAlert,
  addMonitor,
  addRecovery,
  addWorkspace,
  alertOf,
} from '../../../test/support/alerts.ts'
import { brokenRules } from '../../../test/support/consistency.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { passTime } from '../../../test/support/bundled.ts'
import { listBundledFindings } from './bundle-members.ts'
import { placeInBundle } from './bundles.ts'
import { deleteContact } from './contacts.ts'
import { enqueueAlerts } from './deliveries.ts'
import { nudgeFollowers, sweepDeliveries } from './delivery-nudges.ts'
import {
  type ClaimedDelivery,
  claimDelivery,
  endDelivery,
  handBackDelivery,
  postponeDelivery,
} from './delivery-attempts.ts'
import { listDeliveries, reviveDelivery } from './delivery-log.ts'
import { holdDelivery } from './held-alerts.ts'

const seconds = 60

describe('alerts that wait to leave together', async () => {
  const database = await testDatabase({ maxConnections: 5 })
  let workspaceId = ''
  let contactId = ''

  beforeEach(async () => {
    await database.pool.query('delete from deliveries')
    workspaceId = await addWorkspace(database)
    contactId = await addContact(database, { workspaceId, kind: 'email', destination: 'ops@example.com' })
    await setRules('alert_channels', contactId, { bundle: true })
  })

  const setRules = (table: string, id: string, rules: ContactRules & MonitorRules) =>
    database.pool.query(`update ${table} set alert_rules = $2 where id = $1`, [id, rules])
  const rows = () => database.query.selectFrom('deliveries').selectAll().orderBy('created_at').orderBy('id').execute()
  const fail = async () => {
    const monitorId = await addMonitor(database, { workspaceId, contactIds: [contactId] })
    return failAgain(monitorId)
  }
  /** An outage whose alert is due. */
  const failAgain = async (monitorId: string) => {
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    return { workspaceId, monitorId, incidentId, id: await newestOf(incidentId) }
  }
  const newestOf = async (incidentId: string): Promise<string> =>
    (await rows()).findLast((row) => row.incident_id === incidentId)?.id ?? assert.fail('no delivery')
  const recover = async (of: { monitorId: string; incidentId: string }): Promise<string> => {
    await addRecovery(database, { workspaceId, ...of })
    return newestOf(of.incidentId)
  }
  const claimed = async (id: string): Promise<ClaimedDelivery> =>
    (await claimDelivery(database, id)) ?? assert.fail('it could not be claimed')
  const place = async (id: string) => placeInBundle(database, await claimed(id), seconds)
  const bundleIds = async (): Promise<string[]> =>
    (await rows()).flatMap(({ id, alert }) => (typeOf(alert) === bundleType ? [id] : []))
  const theBundle = async (): Promise<string> => {
    const [id, ...others] = await bundleIds()
    assert.deepEqual(others, [])
    return id ?? assert.fail('there is no bundle')
  }
  const membersOf = async (bundleId: string) => (await rows()).filter((row) => row.bundle_id === bundleId)
  const pass = (s = seconds) => passTime(database, workspaceId, s)
  /** One alert has left, and so many wait. */
  const waiting = async (count: number) => {
    const first = await fail()
    assert.equal(await place(first.id), 'leaves')
    await end(await claimedAgain(first.id))
    const others: Awaited<ReturnType<typeof fail>>[] = []
    for (let made = 0; made < count; made += 1) others.push(await fail())
    for (const { id } of others.slice(0, 1)) assert.equal(await place(id), 'waits')
    return { first, others }
  }
  const claimedAgain = async (id: string): Promise<ClaimedDelivery> => {
    await database.pool.query(`update deliveries set claimed_at = now() - interval '61 s' where id = $1`, [id])
    return claimed(id)
  }
  const event = { type: 'alert_sent', message: 'Sent.', details: { alert_channel_id: '', attempt: 1 } } as const
  const end = (claim: ClaimedDelivery) =>
    database.transaction((tx) =>
      endDelivery(tx, claim, { state: 'delivered', statusCode: 250, error: null, event, reference: 'm1' }),
    )
  const giveUp = (claim: ClaimedDelivery) =>
    database.transaction((tx) =>
      endDelivery(tx, claim, {
        state: 'failed',
        statusCode: 550,
        error: 'No.',
        event: { ...event, type: 'alert_failed' },
      }),
    )
  const jobs = async (): Promise<string[]> => {
    const found = await database.pool.query<{ key: string }>(
      'select key from graphile_worker.jobs where key is not null',
    )
    return found.rows.map(({ key }) => key.replace('deliver:', '')).toSorted()
  }
  const loseJobs = () =>
    database.pool.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))')
  const eventsOf = async (incidentId: string): Promise<string[]> => {
    const found = await database.query
      .selectFrom('incident_events')
      .select(['type'])
      .where('incident_id', '=', incidentId)
      .orderBy('position')
      .execute()
    return found.map(({ type }) => type)
  }

  it('are all of a minute but the first, however many are claimed at once', async () => {
    const ids: string[] = []
    for (let count = 0; count < 12; count += 1) ids.push((await fail()).id)
    const claims = await Promise.all(ids.map((id) => claimed(id)))
    const places = await Promise.all(claims.map((claim) => placeInBundle(database, claim, seconds)))
    assert.equal(places.filter((one) => one === 'leaves').length, 1)
    const bundle = await theBundle()
    assert.equal((await membersOf(bundle)).length, 11)
    for (const member of await membersOf(bundle)) {
      assert.deepEqual([member.state, member.attempt, member.claimed_at], ['pending', 0, null])
      assert.equal(await claimDelivery(database, member.id), null)
    }
    assert.equal(await claimDelivery(database, bundle), null, 'it is not due')
  })

  it('join all at once when one of them is claimed', async () => {
    const { others } = await waiting(5)
    assert.equal((await membersOf(await theBundle())).length, others.length)
  })

  it('leave out those of critical monitors, and of monitors with quiet hours of their own', async () => {
    const first = await fail()
    assert.equal(await place(first.id), 'leaves')
    const [one, critical, quiet] = [await fail(), await fail(), await fail()]
    await setRules('monitors', critical.monitorId, { critical: true })
    await setRules('monitors', quiet.monitorId, { quiet_hours: { time_zone: 'UTC', from: '01:00', to: '02:00' } })
    assert.equal(await place(one.id), 'waits')
    const members = await membersOf(await theBundle())
    assert.deepEqual(
      members.map(({ id }) => id),
      [one.id],
    )
  })

  it('leave as one message, which tells how many there are and ends them all', async () => {
    const { others } = await waiting(3)
    await pass()
    const claim = await claimed(await theBundle())
    assert.equal(claim.members, 3)
    const { data } = bundleOf(claim.alert)
    assert.deepEqual([data.total, data.down, data.up, data.alerts.length], [3, 3, 0, 3])
    await end(claim)
    const ended = (await rows()).filter((row) => row.bundle_id === claim.id)
    for (const row of ended)
      assert.deepEqual(
        [row.state, row.status_code, row.error, row.reference, row.attempt],
        ['delivered', 250, null, 'm1', 1],
      )
    for (const { incidentId } of others) assert.deepEqual(await eventsOf(incidentId), ['alert_sent'])
    const invariants = (await database.transaction(({ client }) => brokenRules(client))).filter((rule) =>
      rule.startsWith('what left as one message'),
    )
    assert.deepEqual(invariants, [])
  })

  it('begin another wait with their message, and none where nothing came', async () => {
    await waiting(2)
    await pass()
    await end(await claimed(await theBundle()))
    const next = await fail()
    assert.equal(await place(next.id), 'waits')
    await database.pool.query('delete from deliveries')
    await pass()
    assert.equal(await place((await fail()).id), 'leaves')
  })

  it('leave as what they are where only one came, and begin another wait', async () => {
    const { others } = await waiting(1)
    await pass()
    await loseJobs()
    assert.equal(await claimDelivery(database, await theBundle()), null)
    assert.deepEqual(await bundleIds(), [])
    const id = others[0]?.id ?? ''
    assert.deepEqual(await jobs(), [id])
    const claim = await claimed(id)
    assert.deepEqual([claim.alert.type, claim.attempt, claim.leavesAlone], ['monitor.down', 1, true])
    assert.equal(await place((await fail()).id), 'waits')
  })

  it('keep their message at each attempt, which nothing joins any more', async () => {
    await waiting(2)
    await pass()
    const bundle = await theBundle()
    const claim = await claimed(bundle)
    const late = await fail()
    assert.equal(await place(late.id), 'waits')
    const failed = { delayMs: 30_000, statusCode: 451, error: 'Later.' }
    assert.ok(await database.transaction((tx) => postponeDelivery(tx, claim, failed)))
    for (const member of await membersOf(bundle)) assert.deepEqual([member.error, member.attempt], ['Later.', 1])
    await pass()
    const again = await claimed(bundle)
    assert.deepEqual([again.id, again.attempt, again.alert], [claim.id, 2, claim.alert])
    await end(again)
    const states = (await membersOf(bundle)).map(({ state, attempt }) => `${state} ${attempt}`)
    assert.deepEqual(states, ['delivered 2', 'delivered 2'])
    assert.equal((await rows()).find(({ id }) => id === late.id)?.state, 'pending')
  })

  it('keep their message when the process stops that sends it', async () => {
    await waiting(2)
    await pass()
    const claim = await claimed(await theBundle())
    await handBackDelivery(database, claim)
    assert.equal(await place((await fail()).id), 'waits')
    const again = await claimed(claim.id)
    assert.deepEqual([again.alert, again.members], [claim.alert, 2])
  })

  it('are found by the sweep when their job was lost, or the process died that sent them', async () => {
    await waiting(3)
    await loseJobs()
    assert.equal(await sweepDeliveries(database), 0)
    await pass(seconds + 10)
    await loseJobs()
    assert.equal(await sweepDeliveries(database), 1)
    const bundle = await theBundle()
    assert.deepEqual(await jobs(), [bundle])
    const claim = await claimed(bundle)
    const again = await claimedAgain(bundle)
    assert.deepEqual([again.alert, again.members, again.attempt], [claim.alert, 3, 2])
    assert.equal(await end(claim), false, 'the claim is lost')
    assert.equal(await end(again), true)
  })

  it('end with their message when it is given up, and are sent again with it or alone', async () => {
    const { others } = await waiting(3)
    await pass()
    const bundle = await theBundle()
    await giveUp(await claimed(bundle))
    assert.deepEqual(await eventsOf(others[0]?.incidentId ?? ''), ['alert_failed'])
    const since = new Date(Date.now() - 60_000)
    const [alone] = await membersOf(bundle)
    const revive = (id: string) => database.transaction((tx) => reviveDelivery(tx, { id, contactId, since }))
    assert.ok(await revive(alone?.id ?? ''))
    assert.equal((await claimed(alone?.id ?? '')).alert.type, 'monitor.down')
    assert.ok(await revive(bundle))
    const claim = await claimed(bundle)
    assert.deepEqual([claim.members, claim.attempt], [2, 2])
  })

  it('tell an outage that is over by its end alone', async () => {
    const { others } = await waiting(2)
    const [over] = others
    assert.ok(over !== undefined)
    const up = await recover(over)
    assert.equal(await place(up), 'waits')
    await pass()
    const { data } = bundleOf((await claimed(await theBundle())).alert)
    assert.deepEqual([data.total, data.down, data.up], [2, 1, 1])
    assert.deepEqual(
      data.alerts.map(({ type }) => type),
      ['monitor.down', 'monitor.up'],
    )
  })

  it('are joined by an end that was turned away before its beginning had joined', async () => {
    const first = await fail()
    assert.equal(await place(first.id), 'leaves')
    const [one, two] = [await fail(), await fail()]
    const [up, late] = [await recover(one), await recover(two)]
    for (const id of [up, late]) assert.equal(await claimDelivery(database, id), null)
    await loseJobs()
    assert.equal(await place(one.id), 'waits')
    const bundle = await theBundle()
    const joined = (await membersOf(bundle)).map(({ id }) => id)
    assert.deepEqual(joined.toSorted(), [one.id, two.id, up].toSorted())
    assert.deepEqual(await jobs(), [bundle, late].toSorted())
    assert.equal(await place(late), 'waits')
    assert.equal((await membersOf(bundle)).length, 4)
  })

  it('have their ends behind them once they are on their way', async () => {
    const { others } = await waiting(2)
    const [one] = others
    assert.ok(one !== undefined)
    const up = await recover(one)
    const early = await claimed(up)
    assert.equal(early.followsBundle, true)
    await pass()
    const claim = await claimed(await theBundle())
    assert.equal(await placeInBundle(database, early, seconds), 'waits')
    assert.equal((await rows()).find(({ id }) => id === up)?.bundle_id, null)
    assert.equal(await claimDelivery(database, up), null)
    await end(claim)
    await loseJobs()
    await nudgeFollowers(database, { id: claim.id, contactId, isBundle: true })
    assert.deepEqual(await jobs(), [up])
    assert.equal(await place(up), 'waits')
  })

  it('wait each by itself where quiet hours begin, and are dropped when their outage ends', async () => {
    const { others } = await waiting(2)
    await pass()
    const claim = await claimed(await theBundle())
    const until = new Date(Date.now() + 3_600_000)
    const ids = await database.transaction((tx) => holdDelivery(tx, claim, until))
    assert.deepEqual(ids.toSorted(), others.map(({ id }) => id).toSorted())
    assert.deepEqual(await bundleIds(), [])
    const [over] = others
    const ending = { incidentId: over?.incidentId ?? '', at: new Date(), message: 'It is up.' }
    await database.transaction((tx) => resolveIncidents(tx, [ending]))
    const states = new Map((await rows()).map((row) => [row.id, `${row.state} ${row.attempt}`]))
    assert.deepEqual(
      others.map(({ id }) => states.get(id)),
      ['dropped 0', 'pending 0'],
    )
  })

  it('leave no message where a person took on what it would have reminded of', async () => {
    const { first } = await waiting(0)
    await database.pool.query(
      `insert into deliveries (id, workspace_id, alert_channel_id, incident_id, alert, due_at)
      select gen_random_uuid(), workspace_id, alert_channel_id, incident_id,
        alert || '{"type":"monitor.reminder"}', now()
      from deliveries
      where id = $1`,
      [first.id],
    )
    const reminder = await newestOf(first.incidentId)
    assert.notEqual(reminder, first.id)
    assert.equal(await place(reminder), 'waits')
    const by = { workspaceId, incidentId: first.incidentId, actor: 'Ann', at: new Date() }
    await database.transaction((tx) => acknowledgeIncident(tx, by))
    await pass()
    assert.equal(await claimDelivery(database, await theBundle()), null)
    assert.deepEqual(
      (await rows()).map(({ state }) => state),
      ['delivered', 'dropped'],
    )
    assert.equal(await place((await fail()).id), 'leaves')
  })

  it('name the findings among them, which count as told once the message arrived', async () => {
    const { first } = await waiting(1)
    const { monitorId } = first
    const alert = alertOf('vulnerability.found', { monitorId })
    await database.transaction((tx) =>
      enqueueAlerts(tx, [{ workspaceId, monitorId, incidentId: null, alert, at: new Date() }]),
    )
    const found = (await rows()).find((row) => typeOf(row.alert) === alert.type)
    assert.equal(await place(found?.id ?? ''), 'waits')
    const listed = await database.transaction(async (tx) => listBundledFindings(tx, await theBundle()))
    assert.deepEqual(listed, [alert])
  })

  it('go with their contact', async () => {
    await waiting(2)
    assert.ok(await database.transaction((tx) => deleteContact(tx, { workspaceId, id: contactId })))
    assert.deepEqual(await rows(), [])
  })

  it('stand in the log with their bundle', async () => {
    await waiting(2)
    const bundle = await theBundle()
    const { deliveries } = await listDeliveries(database, { contactId, state: null, before: null, limit: 10 })
    const shown = deliveries.map(({ type, members, bundleId }) => `${type} ${members} ${bundleId ?? 'alone'}`)
    assert.deepEqual(
      shown.toSorted(),
      [
        `${bundleType} 2 alone`,
        `monitor.down 0 ${bundle}`,
        `monitor.down 0 ${bundle}`,
        'monitor.down 0 alone',
      ].toSorted(),
    )
  })
})

function typeOf(alert: unknown): unknown {
  return typeof alert === 'object' && alert !== null && 'type' in alert ? alert.type : null
}

function bundleOf(alert: Alert) {
  return alert.type === bundleType ? alert : assert.fail('it is no bundle')
}
