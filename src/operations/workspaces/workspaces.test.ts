import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { workspaceSchema } from '#core/people/access.ts'
import { addMember } from '#store/people/members.ts'
import { findReceipt } from '#store/money/payments.ts'
import { emptiedTables } from '#store/workspaces/workspace-removal.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'
import { addPayment } from '../../../test/support/payments.ts'
import { codeOf, peopleApi, statusesOf } from '../../../test/support/people.ts'
import { until } from '../../../test/support/until.ts'

const one = z.object({ data: workspaceSchema })
const many = z.object({ data: z.array(workspaceSchema) })

describe('workspaces of a person', async () => {
  const people = await peopleApi({ maxConnections: 20 })
  const { database } = people.api

  it('are made on the Free plan, ten at most, however many are asked for at once', async () => {
    const { browser } = await people.newcomer('maker@example.com')
    const answers = await Promise.all(
      Array.from({ length: 14 }, (_, index) =>
        browser.api('POST', '/workspaces', { body: { name: `Space ${index}` } }),
      ),
    )
    const statuses = statusesOf(answers)
    assert.deepEqual(statuses, [...Array.from({ length: 9 }, () => 201), ...Array.from({ length: 5 }, () => 422)])
    const all = many.parse((await browser.api('GET', '/workspaces')).body).data
    assert.equal(all.length, 10)
    assert.ok(all.every(({ plan, role }) => plan === 'free' && role === 'owner'))
  })

  it('are renamed by owners', async () => {
    const { browser, workspaceId } = await people.newcomer('namer@example.com')
    const rename = (name: string) => browser.api('PATCH', '/workspace', { workspace: workspaceId, body: { name } })
    assert.equal(one.parse((await rename('Shop')).body).data.name, 'Shop')
    assert.equal((await rename('')).status, 422)
    assert.equal(many.parse((await browser.api('GET', '/workspaces')).body).data[0]?.name, 'Shop')
  })

  it('are deleted with everything in them, and their engines are told', async () => {
    const { browser, workspaceId } = await people.newcomer('leaver@example.com')
    const call = (method: string, path: string, body?: unknown) =>
      browser.api(method, path, { workspace: workspaceId, ...(body === undefined ? {} : { body }) })
    const contact = { name: 'Hook', kind: 'webhook', destination: 'https://hook.example' }
    assert.equal((await call('POST', '/alert-channels', contact)).status, 201)
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) {
      const made = await call('POST', '/monitors', { name: 'x', kind: 'http', url: 'https://shop.example' })
      ids.push(z.object({ data: z.object({ id: z.uuid() }) }).parse(made.body).data.id)
    }
    const { token } = z
      .object({ token: z.string() })
      .parse((await call('POST', '/api-tokens', { name: 'CI', scope: 'read' })).body)
    const kept = await database.pool.query<{ key: string }>('select key from monitors where workspace_id = $1', [
      workspaceId,
    ])
    const keys = kept.rows.map(({ key }) => key)
    await createResultPartitions(database, new Date())
    await database.pool.query(
      `insert into results (monitor_key, round_at, location, status) select key, now(), 1, 'u' from unnest($1::bigint[]) as key`,
      [keys],
    )
    people.api.changes.length = 0
    assert.equal((await call('DELETE', '/workspace')).status, 204)
    assert.deepEqual(people.api.changes.map(({ monitorId }) => monitorId).toSorted(), ids.toSorted())
    assert.equal((await people.api.get('/monitors', { token })).status, 401)
    assert.equal((await call('GET', '/monitors')).status, 401)
    for (const table of ['workspaces', 'monitors', 'alert_channels', 'members', 'audit_entries', 'api_tokens']) {
      const column = table === 'workspaces' ? 'id' : 'workspace_id'
      const left = await database.pool.query(`select from ${table} where ${column} = $1`, [workspaceId])
      assert.equal(left.rowCount, 0, table)
    }
    await until('the results are gone', async () => {
      const left = await database.pool.query('select from results where monitor_key = any($1::bigint[])', [keys])
      return left.rowCount === 0
    })
  })

  it('that have paid keep their receipts when they are deleted, and nothing else but names of status pages', async () => {
    const { browser, workspaceId } = await people.newcomer('payer@example.com')
    const call = (method: string, path: string, body?: unknown) =>
      browser.api(method, path, { workspace: workspaceId, ...(body === undefined ? {} : { body }) })
    const monitor = { name: 'x', kind: 'http', url: 'https://shop.example' }
    assert.equal((await call('POST', '/monitors', monitor)).status, 201)
    const contact = { name: 'Hook', kind: 'webhook', destination: 'https://hook.example' }
    assert.equal((await call('POST', '/alert-channels', contact)).status, 201)
    const { token } = z
      .object({ token: z.string() })
      .parse((await call('POST', '/api-tokens', { name: 'CI', scope: 'read' })).body)
    await call('PUT', '/account/billing', { billing_name: 'Payer' })
    const { id } = await addPayment(database, { workspaceId })
    assert.equal((await call('DELETE', '/workspace')).status, 204)
    assert.equal((await people.api.get('/payments', { token })).status, 401)
    assert.equal((await browser.api('GET', '/workspaces')).text.includes(workspaceId), false)
    const receipt = await findReceipt(database, { workspaceId, paymentId: id })
    assert.equal(receipt?.customer.billing_name, 'Payer')
    const { rows } = await database.pool.query(
      'select name, closed_reason, billing_name from workspaces where id = $1',
      [workspaceId],
    )
    assert.deepEqual(rows, [{ name: 'Deleted', closed_reason: 'deleted', billing_name: null }])
    for (const table of emptiedTables) {
      const left = await database.pool.query(`select from ${table} where workspace_id = $1`, [workspaceId])
      assert.equal(left.rowCount, 0, table)
    }
    const tables = await database.pool.query<{ name: string }>(
      `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'workspace_id'`,
    )
    // A name that a page gave up stays that of the workspace for thirty days, and hashes of signed days for ever.
    const hashes = ['signed_days', 'signed_workspace_days']
    const kept = ['credit_transactions', 'payment_attempts', 'payments', 'status_domains_released', ...hashes]
    assert.deepEqual(tables.rows.map(({ name }) => name).toSorted(), [...emptiedTables, ...kept].toSorted())
  })

  it("does not include deleting the installation's own", async () => {
    const { browser, personId } = await people.newcomer('admin@example.com')
    const { workspaceId } = people.api
    await database.transaction((tx) => addMember(tx, { workspaceId, personId, role: 'owner', at: new Date() }))
    const refused = await browser.api('DELETE', '/workspace', { workspace: workspaceId })
    assert.deepEqual([refused.status, codeOf(refused)], [422, 'limit_reached'])
    assert.equal((await browser.api('GET', '/account', { workspace: workspaceId })).status, 200)
  })

  it('that were closed are gone for their people', async () => {
    const { browser, workspaceId } = await people.newcomer('closed@example.com')
    await database.pool.query(`update workspaces set closed_at = now(), closed_reason = 'revoked' where id = $1`, [
      workspaceId,
    ])
    assert.equal((await browser.api('GET', '/workspaces')).text, '{"data":[]}')
    assert.equal((await browser.api('GET', '/monitors', { workspace: workspaceId })).status, 401)
  })
})
