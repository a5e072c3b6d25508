import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import {
  addContact,
  addDownAlert,
  addMonitor,
  addRecovery,
  addWorkspace,
  alertOf,
  statusAlertOf,
} from '../../../test/support/alerts.ts'
import { testDatabase } from '../../../test/support/database.ts'
import type { Transaction } from '#store/database/database.ts'
import { type AlertOrder, enqueueAlerts } from './deliveries.ts'
import { nudgeFollowers, sweepDeliveries } from './delivery-nudges.ts'
import { claimDelivery, endDelivery, handBackDelivery, postponeDelivery } from './delivery-attempts.ts'

describe('deliveries', async () => {
  const database = await testDatabase({ maxConnections: 5 })
  let workspaceId = ''

  beforeEach(async () => {
    await database.pool.query('delete from deliveries')
    await database.pool.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))')
    workspaceId = await addWorkspace(database)
  })

  const enqueue = (orders: AlertOrder[]): Promise<void> => database.transaction((tx) => enqueueAlerts(tx, orders))
  const downOf = (monitorId: string): AlertOrder => ({
    workspaceId,
    monitorId,
    incidentId: null,
    alert: alertOf('monitor.down', { monitorId }),
    at: new Date(),
  })
  const rows = () => database.query.selectFrom('deliveries').selectAll().orderBy('created_at').orderBy('id').execute()
  const jobKeys = async (): Promise<string[]> => {
    const jobs = await database.pool.query<{ key: string }>(
      'select key from graphile_worker.jobs where key is not null',
    )
    return jobs.rows.map(({ key }) => key).toSorted()
  }
  /** Removes all jobs, as a lost queue would. */
  const loseJobs = () =>
    database.pool.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))')
  const age = (ms: number) => database.pool.query(`update deliveries set due_at = due_at - $1 * interval '1 ms'`, [ms])

  describe('enqueueAlerts', () => {
    it('writes a delivery and a job for each contact of the monitor, and for nobody else', async () => {
      const chosen = await addContact(database, { workspaceId })
      const other = await addContact(database, { workspaceId })
      await addContact(database, { workspaceId, enabled: false })
      await addContact(database, { workspaceId, confirmed: false })
      await addContact(database, { workspaceId: await addWorkspace(database) })
      const all = await addMonitor(database, { workspaceId })
      const some = await addMonitor(database, { workspaceId, contactIds: [chosen] })
      const nobody = await addMonitor(database, { workspaceId, contactIds: [] })
      await enqueue([all, some, nobody].map(downOf))
      const written = await rows()
      assert.deepEqual(
        written.map((row) => `${row.alert_channel_id} ${row.state} ${row.attempt}`).toSorted(),
        [chosen, chosen, other].map((id) => `${id} pending 0`).toSorted(),
      )
      assert.deepEqual(await jobKeys(), written.map(({ id }) => `deliver:${id}`).toSorted())
    })

    it('writes nothing when its transaction does not commit', async () => {
      await addContact(database, { workspaceId })
      const monitorId = await addMonitor(database, { workspaceId })
      await assert.rejects(
        database.transaction(async (tx) => {
          await enqueueAlerts(tx, [downOf(monitorId)])
          throw new Error('changed its mind')
        }),
      )
      assert.deepEqual([await rows(), await jobKeys()], [[], []])
    })

    it('takes texts that the database cannot store as they are', async () => {
      await addContact(database, { workspaceId })
      const monitorId = await addMonitor(database, { workspaceId })
      const alert = statusAlertOf('monitor.down', { monitorId })
      const error = 'NUL \0, half a pair \ud800, a backslash \\u0000'
      alert.data.result.error = error
      await enqueue([{ ...downOf(monitorId), alert }])
      const [row] = await rows()
      assert.match(JSON.stringify(row?.alert), /NUL , half a pair \ufffd, a backslash \\\\u0000/)
    })

    it('puts a recovery behind the down alert of its own incident and contact', async () => {
      const contacts = [await addContact(database, { workspaceId }), await addContact(database, { workspaceId })]
      const monitorId = await addMonitor(database, { workspaceId })
      const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
      const late = await addContact(database, { workspaceId })
      await addRecovery(database, { workspaceId, monitorId, incidentId })
      const written = await rows()
      const downs = written.filter(({ after_id }) => after_id === null)
      for (const contact of contacts) {
        const down = downs.find((row) => row.alert_channel_id === contact)
        const up = written.find((row) => row.alert_channel_id === contact && row.after_id !== null)
        assert.equal(up?.after_id, down?.id)
      }
      assert.equal(written.find((row) => row.alert_channel_id === late)?.after_id, null)
    })

    it('does so also when both come in one call, in whatever order', async () => {
      await addContact(database, { workspaceId })
      const monitorId = await addMonitor(database, { workspaceId })
      const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
      await database.pool.query('delete from deliveries')
      const down = { ...downOf(monitorId), incidentId }
      await enqueue([{ ...down, alert: alertOf('monitor.up', { monitorId, incidentId }) }, down])
      const written = await rows()
      const first = written.find(({ after_id }) => after_id === null)
      assert.deepEqual(
        written.map(({ after_id }) => after_id).filter((id) => id !== null),
        [first?.id],
      )
    })

    it('takes thousands of orders in two statements each way', async () => {
      await addContact(database, { workspaceId })
      await addContact(database, { workspaceId })
      const monitorId = await addMonitor(database, { workspaceId })
      const orders = Array.from({ length: 2000 }, () => downOf(monitorId))
      let statements = 0
      await database.transaction(async (tx) => {
        const counting: Transaction = {
          ...tx,
          client: new Proxy(tx.client, {
            get: (client, name) => {
              if (name === 'query') statements += 1
              const member: unknown = Reflect.get(client, name)
              return typeof member === 'function' ? member.bind(client) : member
            },
          }),
        }
        await enqueueAlerts(counting, orders)
      })
      assert.equal(statements, 2)
      assert.equal((await rows()).length, 4000)
      assert.equal((await jobKeys()).length, 4000)
    })
  })

  const oneDelivery = async (): Promise<{ id: string; contactId: string; incidentId: string }> => {
    const contactId = await addContact(database, { workspaceId })
    const monitorId = await addMonitor(database, { workspaceId, contactIds: [contactId] })
    const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
    const row = await database.query
      .selectFrom('deliveries')
      .select('id')
      .where('incident_id', '=', incidentId)
      .executeTakeFirstOrThrow()
    return { id: row.id, contactId, incidentId }
  }

  describe('a claim', () => {
    const event = { type: 'alert_sent', message: 'Sent.', details: { alert_channel_id: '', attempt: 1 } } as const
    const delivered = { state: 'delivered', statusCode: 200, error: null, event } as const

    it('is had by one of many who ask at once', async () => {
      const { id } = await oneDelivery()
      const claims = await Promise.all([1, 2, 3, 4, 5].map(() => claimDelivery(database, id)))
      assert.deepEqual(
        claims.flatMap((claim) => (claim === null ? [] : [claim.attempt])),
        [1],
      )
    })

    it('lapses after a minute, and whoever had it can write nothing any more', async () => {
      const { id, incidentId } = await oneDelivery()
      const first = await claimDelivery(database, id)
      assert.equal(await claimDelivery(database, id), null)
      await database.pool.query(`update deliveries set claimed_at = now() - interval '61 s' where id = $1`, [id])
      const second = await claimDelivery(database, id)
      assert.ok(first !== null && second !== null)
      assert.equal(second.attempt, 2)
      const late = await database.transaction((tx) => endDelivery(tx, first, delivered))
      const put = await database.transaction((tx) =>
        postponeDelivery(tx, first, { delayMs: 1, statusCode: null, error: null }),
      )
      await handBackDelivery(database, first)
      assert.deepEqual([late, put], [false, false])
      assert.equal(await database.transaction((tx) => endDelivery(tx, second, delivered)), true)
      assert.equal(await database.transaction((tx) => endDelivery(tx, second, delivered)), false)
      const events = await database.query
        .selectFrom('incident_events')
        .select('type')
        .where('incident_id', '=', incidentId)
        .execute()
      assert.deepEqual(events, [{ type: 'alert_sent' }])
    })

    it('that is handed back was never made', async () => {
      const { id } = await oneDelivery()
      const claim = await claimDelivery(database, id)
      assert.ok(claim !== null)
      await handBackDelivery(database, claim)
      assert.equal((await claimDelivery(database, id))?.attempt, 1)
    })

    it('is not given before its time', async () => {
      const { id } = await oneDelivery()
      const claim = await claimDelivery(database, id)
      assert.ok(claim !== null)
      await database.transaction((tx) =>
        postponeDelivery(tx, claim, { delayMs: 60_000, statusCode: 500, error: 'No.' }),
      )
      assert.equal(await claimDelivery(database, id), null)
      await age(60_000)
      assert.equal((await claimDelivery(database, id))?.attempt, 2)
    })

    it('is given sixteen times at once for one contact, and once when it fails', async () => {
      const contactId = await addContact(database, { workspaceId })
      const monitorId = await addMonitor(database, { workspaceId, contactIds: [contactId] })
      await enqueue(Array.from({ length: 20 }, () => downOf(monitorId)))
      const ids = (await rows()).map(({ id }) => id)
      const claimAll = async (): Promise<number> => {
        const claims = await Promise.all(ids.map((id) => claimDelivery(database, id)))
        return claims.filter((claim) => claim !== null).length
      }
      assert.equal(await claimAll(), 16)
      await database.pool.query('update deliveries set claimed_at = null')
      await database.pool.query('update alert_channels set failing_since = now() where id = $1', [contactId])
      assert.equal(await claimAll(), 1)
    })

    it('of a recovery waits for the end of its down alert, which nudges it', async () => {
      const { id, contactId, incidentId } = await oneDelivery()
      const { monitor_id: monitorId } = await database.query
        .selectFrom('incidents')
        .select('monitor_id')
        .where('id', '=', incidentId)
        .executeTakeFirstOrThrow()
      await addRecovery(database, { workspaceId, monitorId, incidentId })
      const recovery = (await rows()).find((row) => row.after_id === id)
      assert.ok(recovery !== undefined)
      assert.equal(await claimDelivery(database, recovery.id), null)
      const claim = await claimDelivery(database, id)
      assert.ok(claim !== null)
      assert.equal(await claimDelivery(database, recovery.id), null)
      await database.transaction((tx) => endDelivery(tx, claim, { ...delivered, state: 'failed' }))
      await loseJobs()
      await nudgeFollowers(database, { id, contactId, isBundle: false })
      assert.deepEqual(await jobKeys(), [`deliver:${recovery.id}`])
      assert.notEqual(await claimDelivery(database, recovery.id), null)
    })
  })

  describe('a down alert behind the recovery before it', () => {
    const delivered = {
      state: 'delivered',
      statusCode: 200,
      error: null,
      event: { type: 'alert_sent', message: 'Sent.', details: { alert_channel_id: '', attempt: 1 } },
    } as const
    /** A monitor that was down, is up, and is down again; the first alert of it was delivered. */
    const flapping = async (): Promise<{ contactId: string; up: string; down: string }> => {
      const contactId = await addContact(database, { workspaceId })
      const monitorId = await addMonitor(database, { workspaceId, contactIds: [contactId] })
      const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
      const [first] = await rows()
      const claim = await claimDelivery(database, first?.id ?? '')
      assert.ok(claim !== null)
      await database.transaction((tx) => endDelivery(tx, claim, delivered))
      await addRecovery(database, { workspaceId, monitorId, incidentId })
      await addDownAlert(database, { workspaceId, monitorId })
      const all = await rows()
      const up = all.find((row) => row.after_id === first?.id)
      const down = all.find((row) => row.after_id === up?.id)
      assert.ok(up !== undefined && down !== undefined)
      assert.deepEqual([up.incident_id === incidentId, down.incident_id === incidentId], [true, false])
      return { contactId, up: up.id, down: down.id }
    }

    it('waits while that is due or under way, and is nudged by its end', async () => {
      const { contactId, up, down } = await flapping()
      assert.equal(await claimDelivery(database, down), null)
      const claim = await claimDelivery(database, up)
      assert.ok(claim !== null)
      assert.equal(await claimDelivery(database, down), null)
      await database.transaction((tx) => endDelivery(tx, claim, delivered))
      await loseJobs()
      await nudgeFollowers(database, { id: up, contactId, isBundle: false })
      assert.deepEqual(await jobKeys(), [`deliver:${down}`])
      assert.notEqual(await claimDelivery(database, down), null)
    })

    it('waits no longer when that has to be tried again', async () => {
      const { contactId, up, down } = await flapping()
      const claim = await claimDelivery(database, up)
      assert.ok(claim !== null)
      await database.transaction((tx) =>
        postponeDelivery(tx, claim, { delayMs: 60_000, statusCode: 500, error: 'No.' }),
      )
      await loseJobs()
      await nudgeFollowers(database, { id: up, contactId, isBundle: false })
      assert.deepEqual(await jobKeys(), [`deliver:${down}`])
      assert.notEqual(await claimDelivery(database, down), null)
    })

    it('is swept only when it waits no longer', async () => {
      const { up } = await flapping()
      await loseJobs()
      await age(6000)
      assert.equal(await sweepDeliveries(database), 1)
      assert.deepEqual(await jobKeys(), [`deliver:${up}`])
    })
  })

  describe('the lane of a delivery', () => {
    for (const [kind, destination, lane] of [
      ['webhook', 'https://Alerts.Example/in/1?x=https://other.example', 'to:alerts.example'],
      ['webhook', 'HTTP://127.0.0.1:8080', 'to:127.0.0.1:8080'],
      ['slack', 'https://hooks.slack.example/services/1', 'to:hooks.slack.example'],
      ['slack', 'what nobody can read', 'slack'],
      ['email', 'ops@example.com', 'mail'],
    ] as const)
      it(`is ${lane} for ${kind} ${destination}`, async () => {
        const contactId = await addContact(database, { workspaceId, kind, destination })
        await enqueue([downOf(await addMonitor(database, { workspaceId, contactIds: [contactId] }))])
        const { rows: jobs } = await database.pool.query('select flags from graphile_worker.jobs')
        assert.deepEqual(jobs, [{ flags: { [lane]: true } }])
      })
  })

  describe('the sweep', () => {
    it('nudges what is overdue without a claim, or with one that has lapsed, and nothing else', async () => {
      const contactId = await addContact(database, { workspaceId })
      const monitorId = await addMonitor(database, { workspaceId, contactIds: [contactId] })
      await enqueue(Array.from({ length: 5 }, () => downOf(monitorId)))
      const [lost, lapsed, claimed, fresh, ended] = (await rows()).map(({ id }) => id)
      await loseJobs()
      await age(6000)
      await database.pool.query(`update deliveries set claimed_at = now() - interval '61 s' where id = $1`, [lapsed])
      await database.pool.query(`update deliveries set claimed_at = now() - interval '59 s' where id = $1`, [claimed])
      await database.pool.query(`update deliveries set due_at = now() where id = $1`, [fresh])
      await database.pool.query(`update deliveries set state = 'failed' where id = $1`, [ended])
      assert.equal(await sweepDeliveries(database), 2)
      assert.deepEqual(await jobKeys(), [`deliver:${lost}`, `deliver:${lapsed}`].toSorted())
    })

    it('leaves a recovery alone while its down alert is pending', async () => {
      await addContact(database, { workspaceId })
      const monitorId = await addMonitor(database, { workspaceId })
      const { incidentId } = await addDownAlert(database, { workspaceId, monitorId })
      await addRecovery(database, { workspaceId, monitorId, incidentId })
      await loseJobs()
      await age(6000)
      assert.equal(await sweepDeliveries(database), 1)
    })

    it('makes no second job for what has one', async () => {
      await addContact(database, { workspaceId })
      await enqueue([downOf(await addMonitor(database, { workspaceId }))])
      await age(6000)
      await sweepDeliveries(database)
      await sweepDeliveries(database)
      assert.equal((await jobKeys()).length, 1)
    })

    it('gives every contact its turn, however many are overdue of one', async () => {
      const crowded = await addContact(database, { workspaceId })
      const quiet = await addContact(database, { workspaceId })
      const many = await addMonitor(database, { workspaceId, contactIds: [crowded] })
      const one = await addMonitor(database, { workspaceId, contactIds: [quiet] })
      await enqueue(Array.from({ length: 100 }, () => downOf(many)))
      await enqueue([downOf(one)])
      await loseJobs()
      await age(6000)
      assert.equal(await sweepDeliveries(database), 21)
    })
  })
})
