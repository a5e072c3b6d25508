// What the console says of vulnerabilities that are known to be exploited.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { openDatabase } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { addExposure } from '../support/software.ts'
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

  it('complained of nothing', () => assert.deepEqual(complaints, []))
})
