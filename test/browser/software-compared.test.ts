// What the console says of software that was not compared, or in part, or with old data.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { noteFeedsOff } from '#store/software/comparisons.ts'
import { replaceSoftware } from '#store/software/software.ts'
import { openDatabase } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { holdComparison, readFeeds } from '../support/software.ts'
import { until } from '../support/until.ts'
import { password, see, signIn, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const email = 'owner@example.com'

describe('the software of a monitor', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: email,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'pro',
  })
  const { visitor, inspect, complaints, dataFolder } = service
  const database = openDatabase({ connection: runningConnection(dataFolder), maxConnections: 4 })
  after(() => database.close())
  const { page } = await visitor()
  await signIn(page, email)
  await see(page, 'Monitors')
  const call = callerOf(page)
  const { id } = await call('POST', '/monitors', {
    name: 'Shop',
    kind: 'repository',
    url: 'https://git.example.com/acme/shop',
  })
  await database.transaction(async (tx) => {
    const { rows } = await tx.client.query<{ key: string }>('select key from monitors where id = $1', [id])
    const part = { monitorKey: rows[0]?.key ?? '', source: 'import', label: 'list' } as const
    const found = [{ product: 'npm:left-pad', name: 'left-pad', version: '1.3.0', evidence: null }]
    await replaceSoftware(tx, part, { found, at: new Date() })
  })
  await until('its comparison', async () => {
    const { rows } = await database.pool.query('select from components where matched_at is not null')
    return rows.length === 1
  })

  /** What the page says now; `unsaid` is on no part of it. */
  async function says(lines: readonly (string | RegExp)[], unsaid: RegExp): Promise<void> {
    await page.goto(`/monitors/${id}?tab=software`)
    for (const line of lines) await page.getByText(line).first().waitFor()
    assert.equal(await page.getByText(unsaid).count(), 0)
  }

  const clean = /^No problems are known\.$/
  const anyDate = /^Compared with data of/

  it('was not compared while nothing that it needs was read', async () => {
    const unread = /^Not compared, because this installation does not read: npm\W.*CISA\)\.$/
    const nothing = 'It was not compared, so its problems are not known.'
    await says([unread, nothing], clean)
    await says([nothing], anyDate)
    await noteFeedsOff(database, [])
    await says(['Not compared yet, because nothing was read so far from: npm', nothing], clean)
  })

  it('was compared in part while only some was read', async () => {
    await readFeeds(database)
    await database.pool.query(`update feeds set succeeded_at = null where name = 'exploited'`)
    const unread = 'Not compared yet, because nothing was read so far from: known exploited vulnerabilities (CISA).'
    await says(
      [unread, 'Nothing was found in the data it was compared with.', /^Compared with data of [^;]*\.$/],
      clean,
    )
  })

  it('has nothing wrong, by data of a time, once all was read and compared', async () => {
    await database.pool.query(`update feeds set succeeded_at = now() where name = 'exploited'`)
    await says([clean, /^Compared with data of [^;]*\.$/], /^(?:Being|Not) compared/)
    await inspect(page, 'software, compared')
  })

  it('is being compared while an entry waits for it', async () => {
    const release = await holdComparison(database, 'npm:left-pad')
    const waiting = 'Being compared: known problems are listed when it is done.'
    await says(['Being compared, entries left: 1.', waiting], clean)
    await says([waiting], anyDate)
    await inspect(page, 'software, being compared')
    await release()
    await says([clean], /^Being compared/)
  })

  it('says which data are old', async () => {
    await database.pool.query(`update feeds set succeeded_at = now() - interval '3 days' where name = 'osv npm'`)
    await says([/^Compared with data of .*. No newer data was read from: npm\.$/, clean], /^(?:Being|Not) compared/)
    await inspect(page, 'software, old data')
  })

  it('complained of nothing', () => assert.deepEqual(complaints, []))
})
