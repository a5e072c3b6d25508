import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, it } from 'node:test'
import { acknowledgeIncident } from '#store/incidents/incidents.ts'
import { openIncidents, resolveIncidents } from '#store/incidents/transitions.ts'
import { addContact, addMonitor, addWorkspace, statusAlertOf } from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { planMaintenance } from '../../../test/support/maintenance.ts'
import { moveClock } from '../../../test/support/moved-clock.ts'
import { countedStatements } from '../../../test/support/counted-statements.ts'
import { enqueueAlerts } from './deliveries.ts'
import { claimDelivery, endDelivery, postponeDelivery } from './delivery-attempts.ts'
import { insertPolicy } from './escalation-policies.ts'
import { takeSteps } from './escalations.ts'
import { holdDelivery } from './held-alerts.ts'
import { endWithholding, reviewWithheld } from './parent-holds.ts'
import { decideWaiting, decideWaitingSteps } from './parent-waits.ts'
import { remind } from './reminders.ts'

const second = 1000
const minute = 60 * second

describe('alerts of a monitor that depends on another', async () => {
  const database = await testDatabase()
  const clock = await moveClock(database)
  const { pool } = database
  const base = Date.now() + minute
  let nowMs = base
  let workspaceId = ''
  let router = ''
  let shop = ''
  let ann = ''
  let bob = ''

  const setTime = async (afterMs: number): Promise<void> => {
    nowMs = base + afterMs
    await clock.set(new Date(nowMs))
  }
  const addWatched = async (name: string, parents: string[] = []): Promise<string> => {
    const id = await addMonitor(database, { workspaceId, name })
    await pool.query('update monitors set depends_on = $2, created_at = $3 where id = $1', [
      id,
      parents,
      new Date(base - 60 * minute),
    ])
    await pool.query(
      `insert into monitor_state (monitor_key, version, current_status, round_at)
      select key, version, 'up', $2 from monitors where id = $1`,
      [id, new Date(nowMs - 30 * second)],
    )
    return id
  }

  beforeEach(async () => {
    await pool.query('delete from workspaces')
    await pool.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))')
    await setTime(0)
    workspaceId = await addWorkspace(database)
    ann = await addContact(database, { workspaceId, name: 'Ann' })
    bob = await addContact(database, { workspaceId, name: 'Bob' })
    router = await addWatched('Router')
    shop = await addWatched('Shop', [router])
  })

  const judge = async (id: string, state: { failures?: number; incidentId?: string | null } = {}): Promise<void> => {
    const { failures = 0, incidentId = null } = state
    await pool.query(
      `update monitor_state
      set round_at = $2, consecutive_failures = $3, incident_id = $4,
        current_status = case when $4::uuid is null then 'up' else 'down' end
      where monitor_key = (select key from monitors where id = $1)`,
      [id, new Date(nowMs), failures, incidentId],
    )
  }
  const goDown = async (monitorId: string): Promise<string> => {
    const incidentId = randomUUID()
    const at = new Date(nowMs)
    const story = { monitorName: 'It', title: 'It is down', cause: null, locationCode: null }
    await judge(monitorId, { failures: 1, incidentId })
    await database.transaction(async (tx) => {
      await openIncidents(tx, [{ incidentId, workspaceId, monitorId, ...story, at }])
      const alert = statusAlertOf('monitor.down', { monitorId, incidentId })
      await enqueueAlerts(tx, [{ workspaceId, monitorId, incidentId, alert, at }])
    })
    return incidentId
  }
  const recover = async (monitorId: string, incidentId: string): Promise<void> => {
    const at = new Date(nowMs)
    await judge(monitorId)
    await database.transaction(async (tx) => {
      await resolveIncidents(tx, [{ incidentId, at, message: 'Checks succeed again.' }])
      const alert = statusAlertOf('monitor.up', { monitorId, incidentId })
      await enqueueAlerts(tx, [{ workspaceId, monitorId, incidentId, alert, at }])
    })
  }
  const look = async (): Promise<void> => {
    await database.transaction(endWithholding)
    await database.transaction((tx) => decideWaitingSteps(tx, 100))
    await database.transaction((tx) => decideWaiting(tx, { limit: 100, after: null }))
  }
  const claimOf = async (incidentId: string, contactId: string) => {
    const { rows } = await pool.query<{ id: string }>(
      `select id from deliveries where incident_id = $1 and alert_channel_id = $2 and state = 'pending'`,
      [incidentId, contactId],
    )
    return claimDelivery(database, rows[0]?.id ?? '')
  }
  /** The alert arrives, or its first attempt fails. */
  const attempt = async (incidentId: string, contactId: string, hasArrived = true): Promise<void> => {
    const claim = (await claimOf(incidentId, contactId)) ?? assert.fail('it can be claimed')
    const event = {
      type: 'alert_sent',
      message: 'Sent.',
      details: { alert_channel_id: contactId, attempt: 1 },
    } as const
    await database.transaction(async (tx) => {
      if (hasArrived) await endDelivery(tx, claim, { state: 'delivered', statusCode: 200, error: null, event })
      else await postponeDelivery(tx, claim, { delayMs: minute, statusCode: 500, error: 'It answered 500.' })
    })
  }
  const names = (id: string): string => (id === ann ? 'Ann' : 'Bob')
  /** How the deliveries of an incident stand, by contact. */
  const standing = async (incidentId: string): Promise<string[]> => {
    const { rows } = await pool.query<{ contact: string; type: string; state: string }>(
      `select
        alert_channel_id as contact, alert ->> 'type' as type,
        case
          when state <> 'pending' then state
          when withheld_by is not null then 'withheld'
          when awaits_parents_until is not null then 'waits'
          when due_at <= now() then 'leaves'
          else 'is held'
        end as state
      from deliveries
      where incident_id = $1`,
      [incidentId],
    )
    return rows.map(({ contact, type, state }) => `${names(contact)} ${type.slice(8)} ${state}`).toSorted()
  }
  const addPolicy = (contactIds: string[]) =>
    database.transaction((tx) =>
      insertPolicy(tx, {
        id: randomUUID(),
        workspaceId,
        name: 'Ops',
        steps: [{ after_minutes: 0, contact_ids: contactIds, schedule_ids: [] }],
        repeats: 0,
        is_default: true,
        tags: [],
      }),
    )
  const step = () => database.transaction((tx) => takeSteps(tx, { limit: 100 }))
  const jobs = async (incidentId: string): Promise<number> => {
    const { rows } = await pool.query(
      `select from graphile_worker.jobs
      join deliveries on jobs.key = 'deliver:' || deliveries.id
      where incident_id = $1`,
      [incidentId],
    )
    return rows.length
  }
  const messages = async (incidentId: string): Promise<string[]> => {
    const { rows } = await pool.query<{ message: string }>(
      `select message from incident_events where incident_id = $1 and type = 'alert_withheld' order by position`,
      [incidentId],
    )
    return rows.map(({ message }) => message).toSorted()
  }
  /** The outage of the router, of which Ann was told and Bob was not, then that of the shop. */
  const both = async (): Promise<{ parent: string; child: string }> => {
    const parent = await goDown(router)
    await attempt(parent, ann)
    await attempt(parent, bob, false)
    const child = await goDown(shop)
    await look()
    return { parent, child }
  }

  it('wait until the parent was checked, and leave when it is well', async () => {
    const child = await goDown(shop)
    await look()
    assert.deepEqual(await standing(child), ['Ann down waits', 'Bob down waits'])
    assert.equal(await jobs(child), 0)
    await setTime(2 * second)
    await judge(router)
    await look()
    assert.deepEqual(await standing(child), ['Ann down leaves', 'Bob down leaves'])
    assert.equal(await jobs(child), 2)
  })

  it('wait for nothing where no parent is left, or none was named', async () => {
    await pool.query('update monitors set depends_on = $2 where id = $1', [shop, [randomUUID()]])
    const [child, parent] = [await goDown(shop), await goDown(router)]
    for (const incidentId of [child, parent])
      assert.deepEqual(await standing(incidentId), ['Ann down leaves', 'Bob down leaves'])
  })

  it('leave by themselves after 30 seconds', async () => {
    const child = await goDown(shop)
    await setTime(30 * second - 1)
    assert.equal(await claimOf(child, ann), null)
    await setTime(30 * second)
    assert.equal((await claimOf(child, ann))?.attempt, 1)
    await look()
    assert.deepEqual(await standing(child), ['Ann down leaves', 'Bob down leaves'])
  })

  it('are held back from whom the alert of the parent reached, and from nobody else', async () => {
    const { child } = await both()
    assert.deepEqual(await standing(child), ['Ann down withheld', 'Bob down leaves'])
    assert.deepEqual(await messages(child), [
      'Alert to Ann (webhook) held back: Router, which it depends on, is down, and Ann (webhook) was told of that.',
    ])
    await setTime(60 * minute)
    assert.equal(await claimOf(child, ann), null)
  })

  it('wait for the first attempt to tell of the parent', async () => {
    const parent = await goDown(router)
    const child = await goDown(shop)
    await look()
    assert.deepEqual(await standing(child), ['Ann down waits', 'Bob down waits'])
    await attempt(parent, ann)
    await attempt(parent, bob, false)
    await look()
    assert.deepEqual(await standing(child), ['Ann down withheld', 'Bob down leaves'])
  })

  it('leave once the parent is back and a round of their own has failed since', async () => {
    const { parent, child } = await both()
    await attempt(child, bob)
    await setTime(5 * minute)
    await recover(router, parent)
    await look()
    assert.deepEqual(await standing(child), ['Ann down waits', 'Bob down delivered'])
    await setTime(5 * minute + second)
    await judge(shop, { failures: 6, incidentId: child })
    await look()
    assert.deepEqual(await standing(child), ['Ann down leaves', 'Bob down delivered'])
    assert.equal(await jobs(child), 2)
    const claim = await claimOf(child, ann)
    assert.ok((claim?.ageMs ?? Infinity) < minute, 'its age counts from when it could leave')
  })

  it('leave at the latest after two intervals', async () => {
    const { parent, child } = await both()
    await recover(router, parent)
    await look()
    await setTime(2 * minute - 1)
    await look()
    assert.deepEqual(await standing(child), ['Ann down waits', 'Bob down leaves'])
    await setTime(2 * minute)
    await look()
    assert.deepEqual(await standing(child), ['Ann down leaves', 'Bob down leaves'])
  })

  it('are dropped with their incident, and then nobody is told that it is over', async () => {
    const { parent, child } = await both()
    await attempt(child, bob)
    await recover(router, parent)
    await look()
    await recover(shop, child)
    assert.deepEqual(await standing(child), ['Ann down dropped', 'Bob down delivered', 'Bob up leaves'])
  })

  it('are dropped while they are held back, also when a person takes the incident on', async () => {
    const { child } = await both()
    await database.transaction((tx) =>
      acknowledgeIncident(tx, { workspaceId, incidentId: child, actor: 'Eve', at: new Date(nowMs) }),
    )
    assert.deepEqual(await standing(child), ['Ann down dropped', 'Bob down leaves'])
  })

  it('are held back no longer by a parent that is paused, in maintenance, lost or gone', async () => {
    const ends: Record<string, () => Promise<unknown>> = {
      paused: () => pool.query(`update monitors set status = 'paused' where id = $1`, [router]),
      pending: () => pool.query(`update monitor_state set current_status = 'pending' where current_status = 'down'`),
      gone: () => pool.query('delete from monitors where id = $1', [router]),
      lost: () => pool.query('update monitor_state set round_at = $1', [new Date(nowMs - 10 * minute)]),
      maintained: () =>
        planMaintenance(database, {
          workspaceId,
          monitorIds: [router],
          occurrences: [{ startsAt: new Date(nowMs - second), endsAt: new Date(nowMs + minute) }],
        }),
    }
    for (const [how, end] of Object.entries(ends)) {
      await pool.query('delete from workspaces')
      workspaceId = await addWorkspace(database)
      ann = await addContact(database, { workspaceId, name: 'Ann' })
      bob = await addContact(database, { workspaceId, name: 'Bob' })
      router = await addWatched('Router')
      shop = await addWatched('Shop', [router])
      const { child } = await both()
      await end()
      await look()
      assert.deepEqual(await standing(child), ['Ann down waits', 'Bob down leaves'], how)
    }
  })

  it('are decided anew when the parents of their monitor change', async () => {
    const { child } = await both()
    await pool.query(`update monitors set depends_on = '{}' where id = $1`, [shop])
    await database.transaction((tx) => reviewWithheld(tx, shop))
    await look()
    assert.deepEqual(await standing(child), ['Ann down leaves', 'Bob down leaves'])
  })

  it('that rules hold back wait for parents afterwards', async () => {
    await pool.query(`update alert_channels set alert_rules = '{"after_minutes": 5}' where id = $1`, [bob])
    const child = await goDown(shop)
    await judge(router)
    await look()
    assert.deepEqual(await standing(child), ['Ann down leaves', 'Bob down waits'])
    await setTime(5 * minute)
    const parent = await goDown(router)
    await pool.query('update deliveries set due_at = now() where incident_id = $1', [parent])
    await attempt(parent, bob)
    await look()
    assert.deepEqual(await standing(child), ['Ann down leaves', 'Bob down withheld'])
  })

  it('that quiet hours put off wait for parents again', async () => {
    const child = await goDown(shop)
    await judge(router)
    await look()
    const claim = (await claimOf(child, ann)) ?? assert.fail('it can be claimed')
    const until = new Date(nowMs + 60 * minute)
    const held = await database.transaction((tx) => holdDelivery(tx, claim, until))
    assert.deepEqual(held, [], 'what decides about parents nudges it')
    await setTime(60 * minute)
    const parent = await goDown(router)
    await attempt(parent, ann)
    await look()
    assert.deepEqual(await standing(child), ['Ann down withheld', 'Bob down leaves'])
  })

  it('have no reminders while they are held back', async () => {
    await pool.query(`update alert_channels set alert_rules = '{"remind_every_minutes": 5}' where id = $1`, [ann])
    const { parent, child } = await both()
    await setTime(10 * minute)
    await judge(router, { failures: 10, incidentId: parent })
    await database.transaction((tx) => remind(tx, 100))
    assert.deepEqual(await standing(child), ['Ann down withheld', 'Bob down leaves'])
    assert.deepEqual(await standing(parent), ['Ann down delivered', 'Ann reminder leaves', 'Bob down leaves'])
  })

  describe('by a policy', () => {
    it('come at once when the parent is well', async () => {
      await addPolicy([ann])
      const child = await goDown(shop)
      assert.equal(await step(), 0)
      await judge(router)
      await look()
      assert.equal(await step(), 1)
      await look()
      assert.deepEqual(await standing(child), ['Ann down leaves'])
    })

    it('wait while all whom the step tells were told of the parent', async () => {
      const parent = await goDown(router)
      await attempt(parent, ann)
      await addPolicy([ann])
      const child = await goDown(shop)
      await look()
      for (const afterMs of [30 * second, 2 * minute]) {
        await setTime(afterMs)
        await judge(router, { failures: 2, incidentId: parent })
        assert.equal(await step(), 1)
        assert.deepEqual(await standing(child), [])
      }
      await recover(router, parent)
      await setTime(3 * minute)
      await judge(shop, { failures: 3, incidentId: child })
      assert.equal(await step(), 1)
      await look()
      assert.deepEqual(await standing(child), ['Ann down leaves'])
    })

    it('come where one of them was not', async () => {
      const parent = await goDown(router)
      await attempt(parent, ann)
      await attempt(parent, bob, false)
      await addPolicy([ann, bob])
      const child = await goDown(shop)
      await setTime(30 * second)
      await judge(router, { failures: 2, incidentId: parent })
      assert.equal(await step(), 1)
      await look()
      assert.deepEqual(await standing(child), ['Ann down withheld', 'Bob down leaves'])
    })
  })

  it('are a few statements for 500 monitors and ten contacts', async () => {
    for (let count = 0; count < 8; count += 1) await addContact(database, { workspaceId })
    const shops: string[] = []
    for (let count = 0; count < 500; count += 1) shops.push(await addWatched(`Shop ${count}`, [router]))
    const parent = await goDown(router)
    await pool.query(`update deliveries set state = 'delivered', ended_at = now() where incident_id = $1`, [parent])
    const at = new Date(nowMs)
    const story = { monitorName: 'It', title: 'It is down', cause: null, locationCode: null, workspaceId, at }
    const openings = shops.map((monitorId) => Object.assign({ incidentId: randomUUID(), monitorId }, story))
    await database.transaction(async (tx) => {
      await openIncidents(tx, openings)
      await enqueueAlerts(
        tx,
        openings.map(({ incidentId, monitorId }) => {
          const alert = statusAlertOf('monitor.down', { incidentId, monitorId })
          return { workspaceId, monitorId, incidentId, alert, at }
        }),
      )
    })
    const statements = countedStatements()
    const decided = await database.transaction((tx) => decideWaiting(statements.of(tx), { limit: 5000, after: null }))
    assert.deepEqual([decided.withheld, statements.count()], [5000, 4])
    await recover(router, parent)
    assert.equal(await database.transaction((tx) => endWithholding(statements.of(tx))), 5000)
    assert.equal(statements.count(), 8)
  })
})
