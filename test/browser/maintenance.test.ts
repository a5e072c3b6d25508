// Planned maintenance: planned, seen while it is on, ended, and what becomes of alerts meanwhile.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import { instantIn, localIn, offsetText } from '../../web/src/parts/zone-time.ts'
import { httpServer } from '../support/http-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { attributesOf } from './support/attributes.ts'
import { fill, press, see, signUp, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const plans = { free: { slots: 100, minIntervalSeconds: 10 } }

/** Far from now, whatever the time of day is, so that what is planned is not under way. */
const farHour = (new Date().getUTCHours() + 12) % 24
const farTime = `${String(farHour).padStart(2, '0')}:00`
/** Readers see a change within ten seconds. */
const readMs = 20_000
const mondays = `0 ${farHour} * * 1`

describe('planned maintenance in the console', async () => {
  const service = await startConsole({ PERIGEE_PLANS: JSON.stringify(plans) })
  const { visitor, inspect, complaints, change, origin } = service
  let status = 200
  const { port } = await httpServer((_, response) => response.writeHead(status).end('hello'))
  const receiver = await startReceiver()
  const { page, context } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })
  const call = callerOf(page)
  const steady = { interval_seconds: 10, failure_threshold: 1, recovery_threshold: 1, locations: ['local'] }
  const shop = await call('POST', '/monitors', { name: 'Web shop', url: `http://127.0.0.1:${port}/`, ...steady })
  const mail = await call('POST', '/monitors', { name: 'Mail', kind: 'heartbeat', interval_seconds: 3600 })
  await call('POST', '/alert-channels', { kind: 'webhook', name: 'Pager', destination: receiver.url })
  await call('POST', '/status-pages', {
    slug: 'acme',
    title: 'Acme',
    sections: [{ monitors: [{ monitor_id: shop.id, name: 'Our shop' }] }],
  })
  const reader = await (await newReader()).newPage()
  const planned = page.getByRole('list', { name: 'Planned' })
  const current = page.getByRole('list', { name: 'Under way' })
  const dialog = page.getByRole('dialog')

  async function newReader() {
    const browser = context.browser() ?? assert.fail('no browser')
    return browser.newContext({ baseURL: origin, javaScriptEnabled: false })
  }

  it('says so where nothing is planned', async () => {
    await page.goto('/maintenance')
    await page.getByText('None is planned.').waitFor()
    await inspect(page, 'maintenance, none')
  })

  it('is planned once, in a time zone of its own, and seen everywhere while alerts rest', async () => {
    await page.getByRole('link', { name: 'Plan maintenance' }).click()
    await see(page, 'Plan maintenance')
    const zone = 'Asia/Kolkata'
    await fill(page, { Name: 'New disks', Description: 'See https://example.com/disks', 'Time zone': zone })
    await page.getByText('Now UTC+5:30.').waitFor()
    const minute = 60_000
    await fill(page, {
      Starts: localIn(zone, new Date(Date.now() - 5 * minute)),
      Ends: localIn(zone, new Date(Date.now() + 55 * minute)),
    })
    await page.getByRole('radio', { name: 'These' }).check()
    await page.getByLabel('Monitors in maintenance').first().fill('shop 127.0')
    await page.getByRole('checkbox', { name: 'Mail' }).waitFor({ state: 'detached' })
    await page.getByRole('checkbox', { name: /^Web shop/ }).check()
    await page.getByText('1 chosen').waitFor()
    await page.getByText('In your time zone', { exact: true }).waitFor()
    await inspect(page, 'maintenance, new')
    await press(page, 'Plan it')
    await current.getByRole('link', { name: 'New disks' }).waitFor()
    await current.getByText('1 monitor', { exact: false }).waitFor()

    status = 503
    await page.goto('/monitors')
    await page.getByText('In maintenance (1 monitor): New disks', { exact: false }).waitFor()
    await page
      .getByRole('region', { name: 'Ongoing incidents' })
      .getByText('Web shop')
      .first()
      .waitFor({ timeout: 60_000 })
    await inspect(page, 'overview, in maintenance')
    await page.goto(`/monitors/${shop.id}`)
    await page.getByText('In maintenance: New disks', { exact: false }).waitFor()
    await inspect(page, 'monitor, in maintenance')
    await until(
      'the status page says so',
      async () => {
        await reader.goto('/status/acme')
        return (await reader.getByRole('heading', { name: 'Maintenance under way' }).count()) === 1
      },
      readMs,
    )
    await reader.getByRole('heading', { name: 'New disks' }).waitFor()
    await reader.getByRole('link', { name: 'https://example.com/disks' }).waitFor()
    await page.goto('/status/acme')
    await inspect(page, 'status page, in maintenance')
    assert.equal(alertsOf(receiver).length, 0)
  })

  it('ends before its time, and what is still down is told then', async () => {
    await page.goto('/maintenance')
    await current.getByRole('link', { name: 'New disks' }).waitFor()
    await inspect(page, 'maintenance')
    await press(page, 'End now: New disks')
    await inspect(page, 'maintenance, end')
    await dialog.getByRole('button', { name: 'End now' }).click()
    await page.getByRole('list', { name: 'Past' }).getByRole('link', { name: 'New disks' }).waitFor()
    await until('the outage is told', async () => alertsOf(receiver).includes('monitor.down'), 30_000)
    await until(
      'the status page has it in its history',
      async () => {
        await reader.goto('/status/acme/history')
        return (await reader.getByRole('heading', { name: 'Maintenance: New disks' }).count()) === 1
      },
      readMs,
    )
    await until(
      'the status page says no more of it',
      async () => {
        await reader.goto('/status/acme')
        return (await reader.getByRole('heading', { name: 'Maintenance under way' }).count()) === 0
      },
      readMs,
    )
  })

  it('repeats on days of the week, or as a cron expression says, and shows when before it is planned', async () => {
    await page.goto('/maintenance/new')
    await fill(page, { Name: 'Backups', 'Time zone': 'UTC' })
    await press(page, 'Every week')
    await press(page, 'Wednesday')
    await fill(page, { Starts: '04:30', 'Lasts (minutes)': '90' })
    await page.getByText('That is 1 h 30 min.').waitFor()
    const times = page.getByRole('list', { name: 'Next times' }).getByRole('listitem')
    await until('two days are previewed', async () => (await weekdaysOf(times)).size === 2)
    assert.deepEqual(await weekdaysOf(times), new Set([0, 3]))
    await inspect(page, 'maintenance, weekly')
    await press(page, 'By a cron expression')
    await fill(page, { 'Cron expression': 'every day' })
    await page.getByText('Must be a cron expression of five fields.').waitFor()
    await press(page, 'Plan it')
    await page.getByLabel('Cron expression').and(page.locator('[aria-invalid=true]')).waitFor()
    await inspect(page, 'maintenance, refused')
    await fill(page, { 'Cron expression': mondays })
    await until('Mondays are previewed', async () => [...(await weekdaysOf(times))].join() === '1')
    await press(page, 'Plan it')
    await planned.getByText(`Cron ${mondays} (UTC), for 1 h 30 min`).waitFor()
  })

  it('is changed, and deleted', async () => {
    await planned.getByRole('link', { name: 'Backups' }).click()
    await see(page, 'Backups')
    assert.equal(await page.getByLabel('Cron expression').inputValue(), mondays)
    await press(page, 'Every week')
    await page.getByLabel('Leave it out of uptime').check()
    await fill(page, { Name: 'Nightly backups', Starts: farTime })
    await press(page, 'Save')
    await planned.getByText(`Every Sunday at ${farTime} (UTC), for 1 h 30 min`).waitFor()
    await planned.getByText('not in uptime').waitFor()
    await press(page, 'Delete Nightly backups')
    await inspect(page, 'maintenance, delete')
    await press(page, 'Delete permanently')
    await page.getByText('None is planned.').waitFor()
    await page.goto('/maintenance/6f1d4c0a-94b5-4f5e-8f3e-0a6f5f1d2c22')
    await see(page, 'There is no such maintenance')
  })

  it('covers what has a tag, from the moment it has it', async () => {
    await page.goto('/maintenance/new')
    const starts = localIn('UTC', new Date(Date.now() - 60_000))
    const ends = localIn('UTC', new Date(Date.now() + 3_600_000))
    await fill(page, { Name: 'New tapes', 'Time zone': 'UTC', Starts: starts, Ends: ends, Tags: 'Quarterly' })
    await page.getByRole('radio', { name: 'These' }).check()
    await fill(page, { 'Monitors with a tag': 'Tapes, disks' })
    await inspect(page, 'maintenance, by tag')
    await press(page, 'Plan it')
    await current.getByRole('link', { name: 'New tapes' }).waitFor()
    await current.getByText('monitors tagged Tapes, disks', { exact: false }).waitFor()
    await current.getByText('Quarterly', { exact: true }).waitFor()
    await page.goto(`/monitors/${mail.id}`)
    await see(page, 'Mail')
    assert.equal(await page.getByText('In maintenance: New tapes', { exact: false }).count(), 0)
    await call('PATCH', `/monitors/${mail.id}`, { name: 'Mail', tags: ['tapes'] })
    await page.reload()
    await page.getByText('In maintenance: New tapes', { exact: false }).waitFor()
    await page.goto('/maintenance')
    await current.getByRole('link', { name: 'New tapes' }).click()
    await see(page, 'New tapes')
    assert.equal(await page.getByLabel('Monitors with a tag').inputValue(), 'Tapes, disks')
    await page.goto('/maintenance')
    await press(page, 'Delete New tapes')
    await press(page, 'Delete permanently')
    await current.waitFor({ state: 'detached' })
  })

  it('is only looked at by viewers', async () => {
    const starts = new Date(Date.now() + 86_400_000)
    const { id } = await call('POST', '/maintenance-windows', {
      name: 'Move',
      schedule: {
        type: 'once',
        starts_at: starts.toISOString(),
        ends_at: new Date(starts.getTime() + 3_600_000).toISOString(),
      },
    })
    await change(`update members set role = 'viewer'`)
    await page.goto('/maintenance')
    await planned.getByRole('link', { name: 'Move' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Plan maintenance' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Delete Move' }).count(), 0)
    await page.goto(`/maintenance/${id}`)
    await page.getByText('all, including future ones').waitFor()
    await inspect(page, 'maintenance, viewer')
    await page.goto('/maintenance/new')
    await page.getByText('Viewers cannot plan maintenance.').waitFor()
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})

describe('times of a zone', () => {
  for (const [name, zone, local, instant] of [
    ['a usual one', 'Europe/Berlin', '2026-07-01T12:00', '2026-07-01T10:00:00.000Z'],
    ['one that is left out in spring', 'Europe/Berlin', '2026-03-29T02:30', '2026-03-29T01:30:00.000Z'],
    ['one that comes twice in autumn', 'Europe/Berlin', '2026-10-25T02:30', '2026-10-25T00:30:00.000Z'],
    ['one after it came twice', 'Europe/Berlin', '2026-10-25T03:00', '2026-10-25T02:00:00.000Z'],
    ['one that comes twice west of Greenwich', 'America/New_York', '2026-11-01T01:30', '2026-11-01T05:30:00.000Z'],
    ['midnight', 'Asia/Kolkata', '2026-11-22T00:00', '2026-11-21T18:30:00.000Z'],
    ['none', 'UTC', '', undefined],
    ['no day', 'UTC', '2026-02-32T00:00', undefined],
  ] as const)
    it(`are read: ${name}`, () => assert.equal(instantIn(zone, local)?.toISOString(), instant))

  it('are written as fields take them', () => {
    assert.equal(localIn('Asia/Kolkata', new Date('2026-11-21T18:30:00Z')), '2026-11-22T00:00')
    assert.equal(offsetText('Asia/Kolkata', new Date('2026-11-21T18:30:00Z')), 'UTC+5:30')
    assert.equal(offsetText('America/St_Johns', new Date('2026-01-01T00:00:00Z')), 'UTC−3:30')
    assert.equal(offsetText('UTC', new Date('2026-01-01T00:00:00Z')), 'UTC')
  })
})

type Received = Awaited<ReturnType<typeof startReceiver>>

function alertsOf({ received }: Received): string[] {
  return received.map(({ body }) => /"type":"([^"]+)"/.exec(body)?.[1] ?? '')
}

/** 0 is Sunday, of the times at which they begin. */
async function weekdaysOf(times: Locator): Promise<Set<number>> {
  const begins = await attributesOf(times.locator('time:first-child'), 'datetime')
  return new Set(begins.map((text) => new Date(text).getUTCDay()))
}
