import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { forgetComponents } from '#store/software/components.ts'
import type { Transaction } from '#store/database/database.ts'
import { writeMatches } from '#store/software/matches.ts'
import { holdUnmatched } from '#store/software/matching.ts'
import { addByHand, lockSoftware } from '#store/software/software.ts'
import { addContact } from '../../../test/support/alerts.ts'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { compare, found, listed, publish, reportIn, tell } from '../../../test/support/software.ts'
import { until } from '../../../test/support/until.ts'

const api = await testApi({ maxConnections: 16 })
const { database } = api
// Findings count as told only where a contact is.
await addContact(database, { workspaceId: api.workspaceId })

/** A followed monitor with this software, whose contacts know all of its findings. */
async function having(...software: readonly string[]) {
  const { id } = await createMonitor(api, { vulnerability_alerts: true })
  const importing = (...content: readonly string[]) =>
    api.post(`/monitors/${id}/software/import`, { content: content.join('\n') })
  if (software.length > 0) reportIn(await importing(...software))
  const { rows } = await database.pool.query<{ key: string }>('select key from monitors where id = $1', [id])
  const key = rows[0]?.key ?? ''
  const report = async () => reportIn(await api.get(`/monitors/${id}/vulnerabilities`))
  await compare(database)
  await settle()
  return { id, key, importing, report }
}

/** Scans, which these monitors wait for, are not made here. */
async function settle(): Promise<void> {
  await database.pool.query('update software_scans set is_requested = false')
  await compare(database)
  await database.pool.query(`update finding_alerts set due_at = '-infinity'`)
  await tell(database)
}

/** Waits until a session waits for a lock in a statement like this one. */
async function waiting(statement: string): Promise<void> {
  await until(`somebody to wait in ${statement}`, async () => {
    const { rowCount } = await database.pool.query(
      `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%' || $1 || '%'`,
      [statement],
    )
    return (rowCount ?? 0) > 0
  })
}

async function deadlocks(): Promise<number> {
  await database.pool.query('select pg_stat_force_next_flush()')
  const { rows } = await database.pool.query<{ number: string }>(
    'select deadlocks as number from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]?.number)
}

describe('a comparison', () => {
  it('sees an advisory that changes while it waits, or makes that one wait for it', async () => {
    const product = 'npm:changing'
    const monitor = await having('npm:changing 1.0.0')
    await publish(database, { id: 'CVE-2026-7001', product, stretches: [{}] })
    const both = await database.transaction(async (tx) => {
      await addTo(tx, monitor.key, product)
      const compared = compare(database)
      await waiting('for update')
      const published = publish(database, { id: 'CVE-2026-7002', product, stretches: [{}] })
      await waiting('insert into match_queue')
      return { done: Promise.all([compared, published]) }
    })
    await both.done
    await compare(database)
    const { findings, pending } = await monitor.report()
    assert.deepEqual([findings.length, pending], [4, false])
  })

  it('waits for nobody who has only begun to change a list, and nobody is overlooked', async () => {
    const product = 'npm:begun'
    const monitor = await having('npm:begun 1.0.0')
    await publish(database, { id: 'CVE-2026-7011', product, stretches: [{}] })
    const before = await deadlocks()
    await database.transaction(async (tx) => {
      assert.equal(await lockSoftware(tx, monitor.key), true)
      assert.equal(await compare(database), 1)
      await addByHand(tx, { monitorKey: monitor.key, product, name: 'begun', version: '1.0.0', at: new Date() })
    })
    const { findings } = await monitor.report()
    assert.deepEqual([findings.length, await deadlocks()], [2, before])
  })

  it('is of every component of a product, however many there are', async () => {
    const versions = Array.from({ length: 7_000 }, (_, index) => `npm:many 1.0.${index}`)
    const monitor = await having(...versions, 'npm:few 1.0.0')
    assert.equal(await unmatched(), 0)
    await publish(
      database,
      { id: 'CVE-2026-7021', product: 'npm:many', stretches: [{ fixed: '1.0.6500' }] },
      { id: 'CVE-2026-7022', product: 'npm:few', stretches: [{}] },
    )
    assert.equal(await compare(database), 6_501)
    const { rows } = await database.pool.query<{ number: number }>(
      'select count(*)::integer as number from findings where monitor_key = $1',
      [monitor.key],
    )
    assert.equal(rows[0]?.number, 6_501)
  })

  it('of the same by two at once is one', async () => {
    const names = Array.from({ length: 4_000 }, (_, index) => `npm:shared-${index % 50} 2.0.${index}`)
    await publish(database, { id: 'CVE-2026-7031', product: 'npm:shared-7', stretches: [{}] })
    const monitor = await having()
    reportIn(await monitor.importing(...names))
    const counts = await Promise.all([compare(database), compare(database), compare(database)])
    assert.deepEqual([counts.reduce((sum, count) => sum + count), await unmatched()], [80, 0])
    const { findings, pending } = await monitor.report()
    assert.deepEqual([findings.length, pending], [80, false])
  })

  it('writes nothing that is as it was', async () => {
    await publish(database, { id: 'CVE-2026-7041', product: 'npm:same', stretches: [{}] })
    await having('npm:same 1.0.0')
    const rows = async () =>
      (
        await database.pool.query(
          `select xmin::text, xmax::text from component_findings where vulnerability = 'CVE-2026-7041'
          union all select xmin::text, xmax::text from findings where vulnerability = 'CVE-2026-7041'`,
        )
      ).rows
    const before = await rows()
    assert.equal(before.length, 2)
    assert.equal(await compare(database, () => new Date(Date.now() + 2 * 86_400_000)), 0)
    assert.deepEqual(await rows(), before)
  })

  it('takes what an entry kept of an earlier version, where it concerns this one no more', async () => {
    const product = 'npm:replaced'
    await publish(
      database,
      { id: 'CVE-2026-7051', product, stretches: [{ fixed: '2.0.0' }] },
      { id: 'CVE-2026-7052', product, stretches: [{ fixed: '3.0.0' }] },
    )
    const monitor = await having('npm:replaced 1.0.0')
    const kept = (await monitor.report()).findings.find(({ vuln_id: id }) => id === 'CVE-2026-7052')
    await monitor.importing('npm:replaced 2.0.0')
    assert.deepEqual(found(await monitor.report()).toSorted(), ['CVE-2026-7051', 'CVE-2026-7052'])
    await compare(database)
    const { findings } = await monitor.report()
    assert.deepEqual(
      findings.map(({ id, vuln_id: vulnerability }) => [id, vulnerability]),
      [[kept?.id, 'CVE-2026-7052']],
    )
  })
})

describe('a list that changes while an advisory is withdrawn', () => {
  it('is taken, and says nothing of it', async () => {
    const vulnerability = 'CVE-2026-7055'
    await publish(database, { id: vulnerability, product: 'npm:withdrawn', stretches: [{}] })
    const known = await having('npm:withdrawn 1.0.0')
    assert.deepEqual(found(await known.report()), [vulnerability])
    const monitor = await having()
    const changed = await database.transaction(async ({ client }) => {
      await client.query('delete from vulnerabilities where id = $1', [vulnerability])
      const imported = monitor.importing('npm:withdrawn 1.0.0')
      await waiting('insert into findings')
      return { done: imported }
    })
    assert.equal((await changed.done).status, 200)
    assert.deepEqual([found(await known.report()), found(await monitor.report())], [[], []])
  })
})

describe('what is found while somebody is told', () => {
  it('of a changed list is told afterwards', async () => {
    const product = 'npm:told-list'
    await publish(database, { id: 'CVE-2026-7061', product, stretches: [{}] })
    await having('npm:told-list 1.0.0')
    const monitor = await having()
    await note(monitor.key)
    await database.transaction(async (tx) => {
      await addTo(tx, monitor.key, product)
      assert.equal(await tell(database), 0)
    })
    assert.equal(await tell(database), 1)
  })

  it('of a comparison is told afterwards', async () => {
    const monitor = await having('npm:told-comparison 1.0.0')
    await note(monitor.key)
    await database.pool.query(
      `insert into vulnerabilities (id, aliases, source, severity) values ('CVE-2026-7071', '{}', 'osv', 'critical')`,
    )
    await database.transaction(async (tx) => {
      const at = new Date(Date.now() + 3 * 86_400_000)
      const components = (await holdUnmatched(tx, { staleBefore: at, limit: 100_000 })).filter(
        ({ product }) => product === 'npm:told-comparison',
      )
      const vulnerability = { vulnerability: 'CVE-2026-7071', versionKnown: true, fixedIn: null, fixVersion: null }
      const matches = components.map(({ key: componentKey }) => ({ componentKey, ...vulnerability }))
      assert.equal(await writeMatches(tx, { components, matches, at: new Date(), isLast: true }), 1)
      assert.equal(await tell(database), 0)
    })
    assert.equal(await tell(database), 1)
  })
})

describe('lists, advisories, comparisons, alerts and forgetting at once', () => {
  it('end with what is so', async () => {
    const products = Array.from({ length: 12 }, (_, index) => `npm:chaos-${index}`)
    const monitors = await Promise.all(Array.from({ length: 4 }, () => having()))
    const last = 3
    const round = (turn: number): Promise<unknown>[] => [
      ...monitors.map(({ importing }, index) =>
        importing(
          ...products.filter((_, at) => (at + turn + index) % 3 > 0).map((name) => `${name} ${turn + index}.0.0`),
        ),
      ),
      ...products.map((product, index) =>
        publish(database, {
          id: `CVE-2026-8${String(index).padStart(3, '0')}`,
          product,
          stretches: [{ fixed: `${(turn * 5 + index) % 9}.0.0` }],
          withdrawnAt: (turn + index) % 4 === 0 ? new Date() : null,
        }),
      ),
      compare(database),
      compare(database),
      forgetComponents(database),
      tell(database),
    ]
    for (let turn = 0; turn <= last; turn += 1) await Promise.all(round(turn))
    await until('nothing to be left', async () => {
      await compare(database)
      return (await Promise.all(monitors.map(({ report }) => report()))).every(({ pending }) => !pending)
    })
    for (const { report } of monitors) {
      const now = await report()
      const expected = now.software.flatMap(({ product, version }) => {
        const index = products.indexOf(product)
        const isOver = (last + index) % 4 === 0
        const isAffected = Number(version?.split('.')[0]) < (last * 5 + index) % 9
        return isAffected && !isOver ? [`CVE-2026-8${String(index).padStart(3, '0')}`] : []
      })
      assert.equal(listed(now).length, 8)
      assert.deepEqual(found(now).toSorted(), expected.toSorted())
    }
  })
})

async function addTo(tx: Transaction, monitorKey: string, product: string): Promise<void> {
  await lockSoftware(tx, monitorKey)
  await addByHand(tx, { monitorKey, product, name: product, version: '1.0.0', at: new Date() })
}

/** Adds a finding as an earlier comparison would have, with no alert sent yet. */
async function note(monitorKey: string): Promise<void> {
  await database.pool.query(
    `insert into finding_alerts (monitor_key, since, due_at) values ($1, '-infinity', '-infinity')`,
    [monitorKey],
  )
}

async function unmatched(): Promise<number> {
  const { rows } = await database.pool.query<{ number: number }>(
    'select count(*)::integer as number from components where matched_at is null',
  )
  return rows[0]?.number ?? 0
}
