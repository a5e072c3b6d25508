// Public status pages as their readers see them, without scripts and with.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../support/until.ts'
import { press, see, signUp, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

describe('a public status page', async () => {
  const service = await startConsole()
  const { origin, visitor, inspect, linkTo, complaints, change } = service
  const owner = await visitor()
  await signUp(owner.page, service, { email: 'olivia@example.com', name: 'Olivia' })
  const call = callerOf(owner.page)
  const shop = await call('POST', '/monitors', { name: 'Shop', kind: 'heartbeat', interval_seconds: 3600 })
  const site = await call('POST', '/monitors', { name: 'Site', kind: 'heartbeat', interval_seconds: 3600 })
  await change(past(shop.id))
  const monitors = [{ monitor_id: shop.id, name: 'Our shop' }, { monitor_id: site.id }]
  const { id } = await call('POST', '/status-pages', {
    slug: 'acme',
    title: 'Acme',
    description: 'How we are doing.',
    sections: [{ name: 'Systems', monitors }],
  })
  await call('POST', `/status-pages/${id}/announcements`, { title: 'We moved', body: 'To https://example.com/new' })
  const { context, page: reading } = await visitor()
  const plain = await context.browser()?.newContext({ baseURL: origin, javaScriptEnabled: false })
  assert.ok(plain)

  it('is read without scripts', async () => {
    const reader = await plain.newPage()
    await reader.goto('/status/acme')
    await see(reader, 'Acme')
    await reader.getByRole('heading', { name: 'The system is down' }).waitFor()
    await reader.getByText('Down since').waitFor()
    await reader.getByText('99.30 % uptime').click()
    await reader.getByText('10 of 1,440 failed').first().waitFor()
    await reader.getByRole('link', { name: 'All incidents' }).click()
    await reader.getByText('Our shop was down').waitFor()
    await reader.getByRole('link', { name: 'Current status' }).click()
    await reader.getByLabel('Email address').fill('reader@example.com')
    await press(reader, 'Subscribe')
    await see(reader, 'Check your mailbox')
    await reader.goto(await linkTo('reader@example.com', /Confirm updates/))
    await press(reader, 'Confirm')
    await see(reader, 'You are subscribed')
  })

  it('is as accessible and as wide as it should be in every look', async () => {
    await reading.goto('/status/acme')
    await see(reading, 'Acme')
    await inspect(reading, 'status page')
    await reading.getByText('99.30 % uptime').click()
    await inspect(reading, 'status page, days open')
    await reading.goto('/status/acme/history')
    await inspect(reading, 'status page, history')
    await reading.goto('/status/acme/embed')
    await inspect(reading, 'status page, embedded')
    await reading.goto('/status/none')
    await inspect(reading, 'status page, none')
  })

  it('shows times in the zone of its reader, with UTC at hand', async () => {
    await reading.goto('/status/acme')
    const time = reading.locator('main time').first()
    assert.match((await time.getAttribute('title')) ?? '', /UTC$/)
    assert.doesNotMatch((await time.textContent()) ?? '', /UTC/)
  })

  it('says that a system is under maintenance, and not that it is down', async () => {
    const [starts_at, ends_at] = [-1, 1].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString())
    const schedule = { type: 'once', starts_at, ends_at }
    const window = await call('POST', '/maintenance-windows', { name: 'New disks', schedule, monitor_ids: [shop.id] })
    await until('the change is seen', async () =>
      (await (await fetch(`${origin}/status/acme`)).text()).includes('The system is under maintenance'),
    )
    // The browser of before may still show what it keeps.
    const { page } = await visitor()
    await page.goto('/status/acme')
    await see(page, 'Acme')
    await page.getByRole('heading', { name: 'The system is under maintenance' }).waitFor()
    await page.getByText('Under maintenance', { exact: true }).waitFor()
    assert.equal(await page.getByText('Down since').count(), 0)
    await inspect(page, 'status page, maintenance', 375)
    await page.goto('/status/acme/embed')
    await inspect(page, 'status page, embedded, maintenance', 375)
    await call('DELETE', `/maintenance-windows/${window.id}`)
  })

  it('asks for its password', async () => {
    await call('PATCH', `/status-pages/${id}`, { visibility: 'password', password: 'open sesame' })
    await until('the change is seen', async () => (await fetch(`${origin}/status/acme`)).status === 403)
    // The browser of before may still show what it keeps.
    const { page } = await visitor()
    await page.goto('/status/acme')
    await see(page, 'This page asks for a password')
    await inspect(page, 'status page, password')
    await page.getByLabel('Password').fill('not this one')
    await press(page, 'Open')
    await page.getByRole('alert').waitFor()
    await inspect(page, 'status page, wrong password')
    await page.getByLabel('Password').fill('open sesame')
    await press(page, 'Open')
    await see(page, 'Acme')
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})

/** A monitor that is down, with a month of days behind it on five of which something failed, and an incident. */
function past(monitorId: string): string {
  return `
  insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
  select m.key, (now() at time zone 'UTC')::date - back, 1440, 1430, 10, 0, 0, 0
  from monitors m, generate_series(1, 5) as back
  where m.id = '${monitorId}';
  update monitor_state set current_status = 'down' where monitor_key = (select key from monitors where id = '${monitorId}');
  insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at, resolved_at)
  select gen_random_uuid(), workspace_id, id, name, 'open', 'Down', now() - interval '3 minutes', null
  from monitors where id = '${monitorId}';
  insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at, resolved_at)
  select gen_random_uuid(), workspace_id, id, name, 'resolved', 'Down', now() - interval '30 minutes', now() - interval '9 minutes'
  from monitors where id = '${monitorId}'`
}
