// What the console says of vulnerabilities that are known to be exploited.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { openDatabase } from '#store/database/database.ts'
import { replaceExploited } from '#store/software/advisory-catalogs.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { addExposure, publish } from '../support/software.ts'
import { until } from '../support/until.ts'
import { password, see, signIn, startConsole } from './support/console.ts'
import { callerOf, workspaceIdOf } from './support/workspace-calls.ts'

const email = 'owner@example.com'
const open = `select from exposures where vulnerability = 'CVE-2026-7' and closed_at is null`

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

  it('has a clock for what is exploited, and is verified by a press', async () => {
    const url = 'http://127.0.0.1:9/'
    const { id } = await call('POST', '/monitors', { name: 'Shop', url, vulnerability_alerts: true })
    const exposure = await addExposure(database, { monitorId: id })
    await database.pool.query(
      `update exposures set opened_at = now() - interval '76 hours', closed_at = now(), outcome = 'updated' where id = $1`,
      [exposure],
    )
    await page.goto(`/monitors/${id}?tab=software`)
    await page.getByText('CVE-2026-1001 · nginx 1.25.3').waitFor()
    await page.getByText(/^lasted 3 d 4 h · another version is listed/).waitFor()
    await page.getByRole('button', { name: 'Verify the fix: CVE-2026-1001' }).click()
    await page.getByText(/: could not look/).waitFor()
    await inspect(page, 'exposures')
  })

  const named = async (name: string): Promise<string> =>
    (await call('POST', '/monitors', { name, url: 'http://127.0.0.1:9/', vulnerability_alerts: true })).id

  it('leads to the exposures of all monitors, the open ones first', async () => {
    const [blog, wiki] = [await named('Blog'), await named('Wiki')]
    await publish(database, { id: 'CVE-2026-7', product: 'npm:shop', stretches: [{ fixed: '1.2.0' }] })
    await database.transaction((tx) => replaceExploited(tx, [{ cve: 'CVE-2026-7', addedOn: '2026-11-10', name: null }]))
    const imported = await page.request.post(`/api/v1/monitors/${blog}/software/import`, {
      headers: { 'X-Perigee-Workspace': await workspaceIdOf(page), Origin: new URL(page.url()).origin },
      data: { content: 'npm:shop 1.0.0', name: 'list' },
    })
    assert.equal(imported.status(), 200, await imported.text())
    await until('the exposure', async () => (await database.pool.query(open)).rowCount === 1, 60_000)
    const gone = await addExposure(database, { monitorId: wiki })
    await database.pool.query(
      `update exposures set closed_at = now(), outcome = 'monitor_deleted', monitor_key = null where id = $1`,
      [gone],
    )
    await page.getByRole('link', { name: 'Exposures of all monitors' }).click()
    await see(page, 'Exposures')
    const rows = page.getByRole('list', { name: 'Exposures' }).getByRole('listitem')
    await page.getByText('Blog · CVE-2026-7 · shop 1.0.0').waitFor()
    assert.equal(await rows.count(), 1)
    await inspect(page, 'exposures of all monitors')
    await page.getByRole('button', { name: 'Ended' }).click()
    await page.getByText('Wiki · CVE-2026-1001').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Wiki' }).count(), 0, 'its page is gone')
    assert.match(page.url(), /status=closed/)
    await page.getByRole('link', { name: 'Shop' }).click()
    await page.getByText('Known to be exploited').first().waitFor()
    await page.goto('/exposures?status=nonsense')
    await page.getByText('Blog · CVE-2026-7').waitFor()
  })

  it('complained of nothing', () => assert.deepEqual(complaints, []))
})
