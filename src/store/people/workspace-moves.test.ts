import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { defaultPlans } from '#core/money/plan.ts'
import { partitionOf } from '#core/monitors/schedule.ts'
import { agentsAt, alice, textOf } from '../../../test/support/agents.ts'
import { alertOf } from '../../../test/support/alerts.ts'
import { addContact, engineBench, failing, only } from '../../../test/support/engine.ts'
import { createMonitor, monitorOf } from '../../../test/support/monitors.ts'
import { testSettings } from '../../../test/support/settings.ts'
import { addPayment, newAttempt } from '../../../test/support/payments.ts'
import { until } from '../../../test/support/until.ts'
import { addCredit, listCredit, readCredit } from '#store/money/credit.ts'
import { enqueueAlerts } from '#store/contacts/deliveries.ts'
import { insertMonitor, lockMonitor } from '#store/monitors/monitors.ts'
import { beginAttempt } from '#store/money/payment-attempt-begin.ts'
import { readAttempt } from '#store/money/payment-attempts.ts'
import { findPayment, findReceipt } from '#store/money/payments.ts'
import { lockSlots } from '#store/money/plan-slots.ts'
import { hashToken } from '#store/database/secrets.ts'
import { findTokens } from './tokens.ts'
import { createToken } from '../../../test/support/tokens.ts'
import { openIncidents } from '#store/incidents/transitions.ts'
import { lockForMove, movedTables } from './workspace-moves.ts'

const plans = { ...defaultPlans, pay_as_you_go: { ...defaultPlans.pay_as_you_go, slots: 50, minIntervalSeconds: 10 } }
const identified = z.object({ data: z.object({ id: z.uuid() }) })
const quick = { interval_seconds: 10, failure_threshold: 1, locations: ['amsterdam'] }

describe('a workspace that is moved', async () => {
  const bench = await engineBench({ maxConnections: 5, services: { plans } })
  const { api, database } = bench
  const agents = agentsAt(api, null)

  async function anonymous() {
    const { body } = await agents.identity({ type: 'anonymous' })
    const { body: granted } = await agents.exchange(textOf(body, 'identity_assertion'))
    const { workspace_id: workspaceId } = await database.query
      .selectFrom('agent_registrations')
      .select('workspace_id')
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    assert.ok(workspaceId !== null)
    const claimToken = textOf(body, 'claim_token')
    const startClaim = async (): Promise<unknown> =>
      (await agents.claim({ claim_token: claimToken, email: alice.email })).body['claim_attempt']
    return { workspaceId, token: textOf(granted, 'access_token'), claimToken, startClaim }
  }

  /** Rows that name one of these workspaces, by table. */
  async function totals(workspaceIds: string[]): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const table of movedTables) {
      const { rows } = await database.pool.query(
        `select count(*)::integer as count from ${table} where workspace_id = any($1::uuid[])`,
        [workspaceIds],
      )
      counts[table] = rows[0].count
    }
    return counts
  }

  it('takes everything along, in numbers that stay the same, while its checks go on', async () => {
    const agent = await anonymous()
    const contact = { name: 'Hook', kind: 'webhook', destination: 'https://example.com/hook' }
    const hook = await api.post('/alert-channels', contact, { token: agent.token })
    assert.equal(hook.status, 201)
    const hookId = identified.parse(hook.body).data.id
    const owned = { project: 'shop', objects: [{ section: 'contacts', key: 'hook', id: hookId }] }
    assert.equal((await api.post('/project-objects', owned, { token: agent.token })).status, 200)
    const steps = [{ after_minutes: 0, contact_ids: [hookId] }]
    const policy = await api.post(
      '/escalation-policies',
      { name: 'Duty', steps, is_default: true },
      { token: agent.token },
    )
    const { id: policyId } = identified.parse(policy.body).data
    const headers = { 'Idempotency-Key': 'first' }
    const input = { name: 'Shop', url: 'https://example.com', ...quick }
    const created = monitorOf(await api.post('/monitors', input, { token: agent.token, headers }))
    await bench.answer(only(await bench.taken(created.id, ['amsterdam'])), failing)
    const incidentCount = async (): Promise<number> =>
      (await database.query.selectFrom('incidents').select('id').where('monitor_id', '=', created.id).execute()).length
    await until('an incident', async () => (await incidentCount()) === 1)
    const key = await createToken(
      database,
      { workspaceId: agent.workspaceId, name: 'Key', scope: 'write', expiresAt: null },
      new Date(),
    )
    const both = [agent.workspaceId, api.workspaceId]
    const before = await totals(both)
    const outcome = await agents.complete(await agent.startClaim())
    assert.equal(outcome.type, 'claimed')
    assert.deepEqual(await totals(both), before)
    const left = await totals([agent.workspaceId])
    assert.deepEqual(
      Object.values(left),
      Object.values(left).map(() => 0),
      'nothing is left behind',
    )
    const token = textOf((await agents.poll(agent.claimToken)).body, 'access_token')
    const seen = await api.get(`/monitors/${created.id}`, { token })
    assert.match(seen.text, /"current_status":"down"/)
    assert.match((await api.get('/incidents', { token })).text, new RegExp(created.id))
    assert.equal((await api.get('/account', { token: key.text })).status, 200, 'its own key moved along')
    assert.equal((await findTokens(database, [hashToken(key.text)]))[0]?.workspaceId, api.workspaceId)
    assert.match(seen.text, new RegExp(`"escalation_policy_id":"${policyId}"`), 'it goes on for its monitors')
    assert.match((await api.get(`/escalation-policies/${policyId}`, { token })).text, /"is_default":false/)
    const replay = await api.post('/monitors', input, { token, headers })
    assert.equal(replay.status, 200)
    assert.equal(monitorOf(replay).id, created.id)
    await bench.answer(only(await bench.taken(created.id, ['amsterdam'])), {})
    const closed = await database.query
      .selectFrom('workspaces')
      .select(['closed_reason', 'closed_at'])
      .where('id', '=', agent.workspaceId)
      .executeTakeFirstOrThrow()
    assert.equal(closed.closed_reason, 'claimed')
  })

  it('brings its payments, its receipts and its credit, to the cent', async () => {
    const agent = await anonymous()
    const from = agent.workspaceId
    const to = api.workspaceId
    const payment = await addPayment(database, { workspaceId: from, amountCents: 70 })
    await addPayment(database, { workspaceId: to, amountCents: 5 })
    const spent = {
      workspaceId: from,
      amountCents: -20,
      reason: 'monitor',
      description: 'Shop',
      at: new Date(),
    } as const
    await database.transaction((tx) => addCredit(tx, spent))
    const receipt = await findReceipt(database, { workspaceId: from, paymentId: payment.id })
    const before = await listCredit(database, to)
    assert.equal((await agents.complete(await agent.startClaim())).type, 'claimed')
    assert.deepEqual([await readCredit(database, from), await readCredit(database, to)], [0, 55])
    const [arrived, ...earlier] = await listCredit(database, to)
    assert.deepEqual(earlier, before)
    assert.deepEqual([arrived?.amount_cents, arrived?.reason, arrived?.payment_id], [50, 'payment', null])
    assert.match(arrived?.description ?? '', new RegExp(`claimed workspace ".*" \\(${from}\\)`))
    assert.deepEqual(
      (await listCredit(database, from)).map((row) => row.amount_cents),
      [-50, -20, 70],
      'the rows of before stay, and one that says where the rest went',
    )
    const moved = { workspaceId: to, paymentId: payment.id }
    assert.deepEqual(await findPayment(database, moved), payment)
    assert.deepEqual(await findReceipt(database, moved), receipt)
    assert.equal(await findPayment(database, { ...moved, workspaceId: from }), null)
  })

  it('brings nothing into the ledger where it had no credit', async () => {
    const agent = await anonymous()
    const before = await listCredit(database, api.workspaceId)
    assert.equal((await agents.complete(await agent.startClaim())).type, 'claimed')
    assert.deepEqual(await listCredit(database, api.workspaceId), before)
    assert.deepEqual(await listCredit(database, agent.workspaceId), [])
  })

  it('keeps the sum of all credit while it is spent from', async () => {
    for (let round = 0; round < 5; round += 1) {
      const agent = await anonymous()
      await addPayment(database, { workspaceId: agent.workspaceId, amountCents: 50 })
      const before = await readCredit(database, api.workspaceId)
      const block = await agent.startClaim()
      const change = { amountCents: -1, reason: 'monitor', description: 'Shop', at: new Date() } as const
      const spending = Array.from({ length: 4 }, () =>
        database.transaction((tx) => addCredit(tx, { ...change, workspaceId: agent.workspaceId })),
      )
      const [outcome, ...spent] = await Promise.allSettled([agents.complete(block), ...spending])
      assert.equal(outcome.status, 'fulfilled')
      const taken = spent.filter(({ status }) => status === 'fulfilled').length
      assert.equal(await readCredit(database, agent.workspaceId), 0)
      assert.equal(await readCredit(database, api.workspaceId), before + 50 - taken)
    }
  })

  it('loses no incident and no alert that begins at the same moment', async () => {
    for (let round = 0; round < 2; round += 1) {
      const agent = await anonymous()
      const contact = { name: 'Hook', kind: 'webhook', destination: 'https://example.com/hook' }
      await api.post('/alert-channels', contact, { token: agent.token })
      const monitors = await Promise.all(
        Array.from({ length: 8 }, () => createMonitor(api, { ...quick, interval_seconds: 86_400 }, agent.token)),
      )
      const told = await Promise.all(monitors.map(({ id }) => bench.taken(id, ['amsterdam'])))
      const block = await agent.startClaim()
      const [outcome] = await Promise.all([
        agents.complete(block),
        ...told.flat().map((assignment) => bench.answer(assignment, failing)),
      ])
      assert.equal(outcome.type, 'claimed')
      const ids = monitors.map(({ id }) => id)
      const incidents = async () =>
        database.query.selectFrom('incidents').selectAll().where('monitor_id', 'in', ids).execute()
      await until('all incidents', async () => (await incidents()).length === 8, 20_000)
      for (const incident of await incidents()) {
        assert.equal(incident.workspace_id, api.workspaceId)
        const deliveries = await database.query
          .selectFrom('deliveries')
          .select('workspace_id')
          .where('incident_id', '=', incident.id)
          .execute()
        assert.ok(deliveries.length >= 1, 'an alert was lost')
        for (const delivery of deliveries) assert.equal(delivery.workspace_id, api.workspaceId)
      }
    }
  })

  // The locks of an engine that opens an incident, and of a job that is about to alert about a certificate.
  const holders = [
    ['the engine', 'select partition from partitions where partition = $1 for no key update', 'partition'],
    ['a job', 'select id from monitors where id = $1 for key share', 'id'],
  ] as const
  for (const [who, hold, by] of holders)
    it(`waits for ${who} that is about to tell of a monitor`, async () => {
      const agent = await anonymous()
      const { workspaceId } = agent
      await addContact(database, workspaceId)
      const monitor = await createMonitor(api, {}, agent.token)
      const block = await agent.startClaim()
      const { promise, resolve } = Promise.withResolvers<void>()
      const alerted = database.transaction(async (tx) => {
        await tx.client.query(hold, [by === 'id' ? monitor.id : partitionOf(monitor.id)])
        resolve()
        await until('the claim to wait for its turn', isWaiting)
        const incidentId = randomUUID()
        const opening = { incidentId, workspaceId, monitorId: monitor.id, monitorName: 'Shop', title: 'Shop is down' }
        await openIncidents(tx, [{ ...opening, cause: null, at: new Date(), locationCode: 'amsterdam' }])
        const alert = alertOf('monitor.down', { monitorId: monitor.id, incidentId })
        await enqueueAlerts(tx, [{ workspaceId, monitorId: monitor.id, incidentId, alert, at: new Date() }])
        return incidentId
      })
      await promise
      const [outcome, incidentId] = await Promise.all([agents.complete(block), alerted])
      assert.equal(outcome.type, 'claimed')
      for (const table of ['incidents', 'deliveries']) {
        const column = table === 'incidents' ? 'id' : 'incident_id'
        const { rows } = await database.pool.query(`select workspace_id from ${table} where ${column} = $1`, [
          incidentId,
        ])
        assert.ok(rows.length >= 1, `nothing in ${table}`)
        for (const row of rows) assert.equal(row.workspace_id, api.workspaceId, table)
      }
    })

  it('is refused where it would lead beyond a limit, and left as it is', async () => {
    const agent = await anonymous()
    await database.pool.query(
      `insert into alert_channels (id, workspace_id, name, kind, destination, confirmed)
      select gen_random_uuid(), $1, 'Hook', 'webhook', 'https://example.com/', true from generate_series(1, 100)`,
      [agent.workspaceId],
    )
    const block = await agent.startClaim()
    await assert.rejects(agents.complete(block), /contacts, but a workspace can have at most 100/)
    assert.equal(await agents.account(agent.token), 200, 'nothing has ended')
    await database.query.deleteFrom('alert_channels').where('workspace_id', '=', agent.workspaceId).execute()
    const { workspaceId } = agent
    const monitor = { id: randomUUID(), workspaceId, settings: testSettings(), createdAt: new Date() }
    await database.transaction((tx) => insertMonitor(tx, api.services.secrets, monitor))
    await database.pool.query('update monitors set settings_bytes = $2 where id = $1', [monitor.id, 9_000_000])
    await assert.rejects(agents.complete(block), /8997952 bytes of monitors' settings .* at most 8388608/)
    await database.pool.query('update monitors set settings_bytes = 0 where id = $1', [monitor.id])
    const draft = (number: number, token: string) =>
      api.post('/status-pages', { slug: `draft-${number}`, title: 'Draft', visibility: 'draft' }, { token })
    for (let number = 0; number < 20; number += 1) assert.equal((await draft(number, agent.token)).status, 201)
    assert.equal((await draft(20, api.token)).status, 201)
    await assert.rejects(agents.complete(block), /21 status pages, but a workspace can have at most 20/)
    await database.query.deleteFrom('status_pages').where('slug', '=', 'draft-20').execute()
    assert.equal((await agents.complete(block)).type, 'claimed', 'the code is not used up')
  })

  it('takes nothing new once it is closed', async () => {
    const agent = await anonymous()
    await agents.complete(await agent.startClaim())
    const { workspaceId } = agent
    await assert.rejects(
      database.transaction((tx) => lockSlots(tx, workspaceId)),
      /closed/,
    )
    const token = { workspaceId, name: 'Late', scope: 'read', expiresAt: null } as const
    await assert.rejects(createToken(database, token, new Date()), /closed/)
    await assert.rejects(beginAttempt(database, api.services.secrets, newAttempt({ workspaceId })), /closed/)
    const move = { fromId: workspaceId, toId: api.workspaceId, at: new Date() }
    assert.equal(await database.transaction((tx) => lockForMove(tx, move)), false, 'nor is it moved twice')
  })

  it('takes payments along that are under way, so that they arrive where everything is', async () => {
    const agent = await anonymous()
    const begun = await beginAttempt(database, api.services.secrets, newAttempt({ workspaceId: agent.workspaceId }))
    assert.equal(begun.type, 'begun')
    await agents.complete(await agent.startClaim())
    assert.equal((await readAttempt(database, begun.attempt.id)).workspaceId, api.workspaceId)
  })

  it('waits for a monitor that is being made', async () => {
    const agent = await anonymous()
    const { workspaceId } = agent
    const block = await agent.startClaim()
    const monitor = await createMonitor(api, {}, agent.token)
    const { settings } = await settingsOf(monitor.id)
    const { promise, resolve } = Promise.withResolvers<void>()
    const id = randomUUID()
    const making = database.transaction(async (tx) => {
      await lockSlots(tx, workspaceId)
      resolve()
      await until('the claim to wait for its turn', isWaiting)
      await insertMonitor(tx, api.services.secrets, { id, workspaceId, settings, createdAt: new Date() })
    })
    await promise
    const [outcome] = await Promise.all([agents.complete(block), making])
    assert.equal(outcome.type, 'claimed')
    assert.equal((await api.get(`/monitors/${id}`)).status, 200, 'it moved along')
  })

  it('is moved whole: every table that names a workspace is thought of', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'workspace_id' order by 1`,
    )
    // People and agents of a workspace stay with it, and so do the views that people saved; an anonymous one has no
    // people. A ledger is never changed: credit moves as a row of its own. Screens end, lest they show the monitors of
    // the other workspace.
    const ofPeople = ['agent_registrations', 'invitations', 'members', 'saved_views', 'set_up_links']
    const ofSignOn = ['identity_providers', 'provider_sessions', 'sign_in_domains']
    const ofHistory = ['signed_days', 'signed_workspace_days']
    const staying = [...ofPeople, ...ofSignOn, ...ofHistory, 'credit_transactions', 'screens']
    assert.deepEqual(rows.map(({ name }) => name).toSorted(), [...movedTables, ...staying].toSorted())
  })

  async function settingsOf(monitorId: string) {
    const scope = { workspaceId: await workspaceOf(monitorId), monitorId }
    const locked = await database.transaction((tx) => lockMonitor(tx, api.services.secrets, scope))
    return locked ?? assert.fail()
  }

  async function workspaceOf(monitorId: string): Promise<string> {
    const { workspace_id: id } = await database.query
      .selectFrom('monitors')
      .select('workspace_id')
      .where('id', '=', monitorId)
      .executeTakeFirstOrThrow()
    return id
  }

  async function isWaiting(): Promise<boolean> {
    const { rows } = await database.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  }
})
