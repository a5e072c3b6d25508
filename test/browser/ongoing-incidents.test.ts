// Several incidents at once, above the list of monitors.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../support/until.ts'
import { press, see, signUp, startConsole } from './support/console.ts'
import { workspaceIdOf } from './support/workspace-calls.ts'

/** Monitors that are down, each with its incident, the oldest first; each in turn is acknowledged. */
const outages = (workspaceId: string): string => `
with monitor as (
  select id, key, name, row_number() over (order by name) as place
  from monitors
  where workspace_id = '${workspaceId}' and name like 'Shop %'
), incident as (
  insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, cause, started_at)
  select
    gen_random_uuid(), '${workspaceId}', id, name, case when place = 1 then 'acknowledged' else 'open' end,
    name || ' is down', 'The connection was refused.', now() - (7 - place) * interval '1 hour'
  from monitor
  returning id, monitor_id
)
update monitor_state set current_status = 'down', incident_id = incident.id, round_at = now()
from incident
join monitor on monitor.id = incident.monitor_id
where monitor_key = monitor.key`

describe('ongoing incidents above the list', async () => {
  const service = await startConsole()
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })
  const workspaceId = await workspaceIdOf(page)
  await page.evaluate(async (workspace) => {
    for (const name of ['Shop 1', 'Shop 2', 'Shop 3', 'Shop 4', 'Shop 5', 'Blog'])
      await fetch('/api/v1/monitors', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Perigee-Workspace': workspace },
        body: JSON.stringify({ name, kind: 'heartbeat', interval_seconds: 86_400 }),
      })
  }, workspaceId)
  await service.change(outages(workspaceId))
  const band = page.getByRole('region', { name: 'Ongoing incidents' })
  const lines = band.getByRole('listitem')
  const one = lines.getByRole('button', { name: /^Acknowledge: / })

  it('are three lines, those that wait for a person first, and the others on demand', async () => {
    await page.goto('/monitors')
    await band.getByRole('heading', { name: '5 ongoing incidents' }).waitFor()
    assert.equal(await lines.count(), 3)
    assert.equal(await lines.filter({ hasText: 'Acknowledged' }).count(), 0)
    await inspect(page, 'overview, ongoing incidents')
    const more = band.getByRole('button', { name: 'Show 2 more' })
    assert.equal(await more.getAttribute('aria-expanded'), 'false')
    await more.press('Enter')
    assert.equal(await lines.count(), 5)
    await lines.filter({ hasText: 'Shop 1 is down' }).getByText('Acknowledged').waitFor()
    await band.getByRole('button', { name: 'Show fewer' }).press('Enter')
    assert.equal(await lines.count(), 3)
  })

  it('are those of the monitors that a search leaves', async () => {
    const search = page.getByRole('searchbox', { name: 'Search monitors' })
    await search.fill('shop 4')
    await lines.filter({ hasText: 'Shop 5 is down' }).waitFor({ state: 'detached' })
    assert.deepEqual(await lines.count(), 1)
    await search.fill('blog')
    await band.waitFor({ state: 'detached' })
    await search.fill('')
    await band.getByRole('heading', { name: '5 ongoing incidents' }).waitFor()
  })

  it('stand above the dense list and the wall, too', async () => {
    const layout = page.getByRole('group', { name: 'Layout' })
    await layout.getByRole('button', { name: 'Dense' }).press('Enter')
    const row = page.getByRole('row').filter({ hasText: 'Shop 4' })
    const box = await row.boundingBox()
    assert.ok(box !== null && box.height < 40)
    await inspect(page, 'overview, dense')
    await layout.getByRole('button', { name: 'Wall' }).press('Enter')
    await page.getByText('5 down, 1 pending').waitFor()
    assert.match(page.url(), /layout=wall$/)
    const tiles = page.getByRole('list', { name: 'Monitors' }).getByRole('listitem')
    assert.equal(await tiles.count(), 6)
    await inspect(page, 'overview, wall')
    await press(page, 'Full screen')
    await page.getByRole('button', { name: 'Leave full screen' }).press('Enter')
    await page.getByRole('button', { name: 'Full screen' }).waitFor()
    await tiles.getByRole('link', { name: /Shop 4/ }).press('Enter')
    await see(page, 'Shop 4')
    await page.goto('/monitors')
    await band.waitFor()
  })

  it('are acknowledged together, and counted as they were when that was asked for', async () => {
    // The page learns of the first ones while others are still under way.
    let asked = 0
    await page.route('**/acknowledge', async (route) => {
      asked += 1
      if (asked === 3) await until('two are left', async () => (await one.count()) === 2)
      await route.continue()
    })
    await press(page, 'Show 2 more')
    await band.getByRole('button', { name: 'Acknowledge all' }).press('Enter')
    await page.getByText('4 incidents acknowledged. The recovery alerts are still sent.').waitFor()
    await band.getByRole('button', { name: 'Acknowledge all' }).waitFor({ state: 'detached' })
    assert.equal(await lines.filter({ hasText: 'Acknowledged' }).count(), 5)
    assert.deepEqual(complaints, [])
  })
})
