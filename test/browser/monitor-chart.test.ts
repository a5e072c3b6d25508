// The chart of a monitor: how its reader moves in time, and what it marks.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { dayMs } from '#core/language/utc-day.ts'
import { openDatabase } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { httpServer } from '../support/http-server.ts'
import { type Checked, addIncident, addResults } from '../support/monitors.ts'
import { until } from '../support/until.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'
import { addYear } from './support/long-year.ts'
import { callerOf } from './support/workspace-calls.ts'

const email = 'owner@example.com'
const hourMs = 3_600_000
const limitMs = 500
/** In pixels. */
const axisWidth = 72
const shortlyMs = 500

describe('the chart of a monitor', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: email,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'pro',
    PERIGEE_LOCATIONS: 'here=Here,there=There,yonder=Yonder',
    PERIGEE_RESULT_DAYS: '400',
  })
  const { visitor, inspect, complaints, dataFolder, change } = service
  const database = openDatabase({ connection: runningConnection(dataFolder), maxConnections: 2 })
  after(() => database.close())
  const target = await httpServer((_request, response) => response.end('Green tea'))
  const { page } = await visitor()
  await signIn(page, email)
  await see(page, 'Monitors')
  const { id } = await callerOf(page)('POST', '/monitors', {
    name: 'Tea house',
    kind: 'http',
    url: `http://127.0.0.1:${target.port}/`,
    interval_seconds: 3600,
    locations: ['here', 'there', 'yonder'],
    check_options: { max_latency_ms: limitMs },
  })
  await change(`update monitors set created_at = now() - interval '366 days' where id = '${id}'`)
  await addYear(database, id)
  const today = Math.floor(Date.now() / hourMs) * hourMs
  await addResults(database, id, lastDay(today))
  await change(`
    update results set in_maintenance = true
    where round_at >= to_timestamp(${(today - 6 * hourMs) / 1000}) and round_at < to_timestamp(${(today - 5 * hourMs) / 1000})`)
  const [startedAt, resolvedAt] = [today - 12 * hourMs, today - 11.5 * hourMs].map((ms) => new Date(ms).toISOString())
  await addIncident(database, { id, name: 'Tea house' }, { startedAt: startedAt ?? '', resolvedAt: resolvedAt ?? '' })
  const chart = (words: RegExp) => page.getByRole('img', { name: words })
  const range = page.getByRole('group', { name: 'Range' })

  it('marks what happened, and says what the marks mean', async () => {
    await page.goto(`/monitors/${id}`)
    await chart(/by location\. Here \d+ to \d+ ms, There .* Yonder .*, 9 failed checks$/).waitFor()
    const key = page.getByRole('list', { name: 'Key' })
    for (const word of ['Failed checks', 'Degraded checks', 'Degraded from 500 ms on', 'Incident', 'Maintenance'])
      await key.getByText(word, { exact: true }).waitFor()
    await inspect(page, 'monitor, chart with marks')
  })

  it('shows a time that is dragged over, keeps it in its address, and leads back', async () => {
    await page.goto(`/monitors/${id}`)
    const picture = chart(/^Response time/)
    await picture.waitFor()
    await page.getByRole('grid', { name: 'Response time by weekday and hour' }).waitFor()
    await picture.scrollIntoViewIfNeeded()
    const place = (await picture.boundingBox()) ?? assert.fail('no chart')
    // Beside the axis.
    const at = (part: number): number => place.x + axisWidth + (place.width - axisWidth) * part
    const y = place.y + place.height / 2
    await page.mouse.move(at(0.25), y)
    await page.mouse.down()
    await page.mouse.move(at(0.5), y, { steps: 4 })
    await page.mouse.up()
    await page.waitForURL(/since=.*until=/)
    await chart(/^Response time, From .* to .*\./).waitFor()
    const { since, until: end } = timesIn(page)
    const length = end - since
    assert.ok(length > 5.5 * hourMs && length < 7 * hourMs, String(length / hourMs))
    await inspect(page, 'monitor, chart zoomed')
    await page.reload()
    await chart(/^Response time, From/).waitFor()
    await press(page, 'Zoom out')
    await until('it is wider', async () => timesIn(page).until - timesIn(page).since > 2 * length)
    await page.goBack()
    await page.goBack()
    await chart(/Means of each quarter-hour/).waitFor()
    assert.ok(!page.url().includes('since'))
  })

  it('is walked through and zoomed by keyboard alone', async () => {
    const slider = page.getByRole('slider', { name: 'Time in the chart' })
    await slider.focus()
    await slider.press('Home')
    await slider.press('PageUp')
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /Here \d+ ms/)
    for (let count = 0; count < 8; count += 1) await slider.press('Shift+ArrowRight')
    await slider.press('Enter')
    await page.waitForURL(/since=.*until=/)
    const { since, until: end } = timesIn(page)
    assert.equal((end - since) / 60_000, 9 * 15)
    await range.getByRole('button', { name: '24 hours' }).click()
    await chart(/Means of each quarter-hour/).waitFor()
  })

  it('takes two moments, and says what is wrong with them', async () => {
    await press(page, 'Custom')
    await fill(page, { From: '2026-01-02T10:00', To: '2026-01-02T09:00' })
    await press(page, 'Show this time')
    await page.getByText('The end must be later than the start.').waitFor()
    await inspect(page, 'monitor, custom range refused')
    const local = `${new Date(today - 40 * dayMs).toISOString().slice(0, 10)}T00:00`
    await fill(page, { From: local, To: local.replace('T00', 'T23') })
    await press(page, 'Show this time')
    await page.waitForURL(/since=/)
    await chart(/^Response time, From .* 2026.*\. Median \d+ to /).waitFor()
  })

  it('draws a year of three locations at once', async (context) => {
    await page.goto(`/monitors/${id}`)
    await range.getByRole('button', { name: '1 year' }).click()
    await chart(/^Response time, Of each day.s checks .* Median \d+ to \d+ ms, 95 % .* 99 % /).waitFor()
    await inspect(page, 'monitor, a year')
    await press(page, 'By location')
    await chart(/Means of each day.s checks that were not down, by location\. Here .* There .* Yonder /).waitFor()
    const took = await page.evaluate(() => performance.getEntriesByName('perigee chart', 'measure').at(-1)?.duration)
    context.diagnostic(`A year of three locations was drawn in ${took?.toFixed(1) ?? '?'} ms.`)
    assert.ok(took !== undefined)
    await inspect(page, 'monitor, a year by location')
    await press(page, 'Phases')
    await page.getByRole('img', { name: /Means of each day\. Name \d+ to \d+ ms, .*Wait \d+ to \d+ ms/ }).waitFor()
    await inspect(page, 'monitor, phases of a year')
  })

  it('shows at what hour of the week it is slow', async () => {
    await page.goto(`/monitors/${id}`)
    const map = page.getByRole('grid', { name: 'Response time by weekday and hour' })
    await map.waitFor()
    assert.equal(await map.getByRole('gridcell').count(), 7 * 24)
    await page.getByText(/^Slowest: .*, \d+ ms$/).waitFor()
    await map.getByRole('gridcell').filter({ hasText: 'ms' }).first().hover()
    await page.getByText(/: \d+ ms on average of \d+ checks?$/).waitFor()
    await inspect(page, 'monitor, hours of the week')
  })

  it('ends the figures over bars, chart and hours of the week with Escape, until something else is pointed at', async () => {
    await page.goto(`/monitors/${id}`)
    await page.getByRole('grid', { name: 'Response time by weekday and hour' }).waitFor()
    const bars = page.getByRole('slider', { name: /^The last 90 days/ })
    const map = page.getByRole('grid', { name: 'Response time by weekday and hour' })
    const cell = (place: number) => map.getByRole('gridcell').filter({ hasText: 'ms' }).nth(place)
    await endsWithEscape(bars.locator('> span'), async (step) =>
      bars.hover({ position: { x: 100 + step * 60, y: 20 } }),
    )
    await endsWithEscape(page.getByText('Click to open, drag to zoom'), async (step) =>
      page.locator('.u-over').hover({ position: { x: 100 + step * 60, y: 90 } }),
    )
    await endsWithEscape(page.getByText(/: \d+ ms on average of/), async (step) => cell(step).hover())
    await page.mouse.move(0, 0)
    await endsWithEscape(bars.locator('> span'), async (step) => bars.press(step === 0 ? 'Home' : 'ArrowRight'))
    const slider = page.getByRole('slider', { name: 'Time in the chart' })
    await endsWithEscape(page.getByText('Click to open, drag to zoom'), async (step) =>
      slider.press(step === 0 ? 'Home' : 'ArrowRight'),
    )
    await slider.press('Shift+ArrowRight')
    await slider.press('Escape')
    assert.ok(await page.getByText('Click to open, drag to zoom').isVisible(), 'the first ends what was chosen')
    await endsWithEscape(page.getByText(/: \d+ ms on average of/), async (step) => cell(step).focus())
  })

  it('lets the pointer onto the figures over bars and below the hours of the week', async () => {
    await page.goto(`/monitors/${id}`)
    const map = page.getByRole('grid', { name: 'Response time by weekday and hour' })
    await map.waitFor()
    const bars = page.getByRole('slider', { name: /^The last 90 days/ })
    await staysUnderPointer(bars.locator('> span'), bars)
    const cell = map.getByRole('row').last().getByRole('gridcell').filter({ hasText: 'ms' }).first()
    await staysUnderPointer(page.getByText(/: \d+ ms on average of/), cell)
    await page.goto('/monitors')
    const row = page.getByRole('img', { name: /^Days of Tea house/ })
    await staysUnderPointer(row.locator('> span'), row)
    await page.keyboard.press('Escape')
    await row.locator('> span').waitFor({ state: 'detached' })
  })

  /** `show` points at the first thing, then at another. */
  async function endsWithEscape(figures: Locator, show: (step: number) => Promise<void>): Promise<void> {
    await show(0)
    await figures.waitFor()
    await page.keyboard.press('Escape')
    await figures.waitFor({ state: 'hidden' })
    await show(1)
    await figures.waitFor()
    await page.keyboard.press('Escape')
    await figures.waitFor({ state: 'hidden' })
    await show(0)
    await figures.waitFor()
  }

  /** Points at a place of `over`, and goes straight up or down from there onto its figures. */
  async function staysUnderPointer(figures: Locator, over: Locator): Promise<void> {
    await until('its figures stay while the pointer goes onto them', async () => {
      // What is above may still come, and move both.
      await page.mouse.move(0, 0)
      await over.scrollIntoViewIfNeeded()
      const place = (await over.boundingBox()) ?? assert.fail('nothing to point at')
      const x = place.x + Math.min(20, place.width / 2)
      await page.mouse.move(x, place.y + place.height / 2)
      const text = await textNow(figures)
      const box = text === null ? null : await figures.boundingBox({ timeout: shortlyMs }).catch(() => null)
      if (box === null) return false
      await page.mouse.move(x, box.y + box.height / 2, { steps: 20 })
      return (await textNow(figures)) === text
    })
  }

  it('stands above what a location saw last that has been silent for long', async () => {
    const silent = await callerOf(page)('POST', '/monitors', {
      name: 'Far away',
      kind: 'http',
      url: `http://127.0.0.1:${target.port}/far`,
      interval_seconds: 3600,
      locations: ['here', 'there'],
    })
    const ofMonitor = `monitor_key = (select key from monitors where id = '${silent.id}')`
    await until('both locations have checked it', async () => {
      const { rows } = await database.pool.query(`select distinct location from results where ${ofMonitor}`)
      return rows.length === 2
    })
    await callerOf(page)('POST', `/monitors/${silent.id}/pause`)
    await change(`delete from results where ${ofMonitor}`)
    const now = Date.now()
    const newest = Array.from({ length: 110 }, (_, index) => ({
      at: new Date(now - (index + 1) * 60_000),
      location: 'here',
      latencyMs: 90,
    }))
    const oldest = { at: new Date(now - 3 * dayMs), location: 'there', latencyMs: 123 }
    await addResults(database, silent.id, [...newest, oldest])
    await page.goto(`/monitors/${silent.id}`)
    await page.getByRole('list', { name: 'Locations' }).getByText('3 days ago · 123 ms').waitFor()
  })

  it('opens the time of a point, with what each location saw and who was told', async () => {
    await page.goto(`/monitors/${id}?since=${isoAt(today - 14 * hourMs)}&until=${isoAt(today - 10 * hourMs)}`)
    const slider = page.getByRole('slider', { name: 'Time in the chart' })
    await slider.focus()
    await slider.press('Home')
    for (let count = 0; count < 8; count += 1) await slider.press('ArrowRight')
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /failed checks?, Tea house is down$/)
    await slider.press('Enter')
    await see(page, /^Tea house, /)
    const lanes = page.getByRole('list', { name: 'Locations' })
    for (const name of ['Here', 'There', 'Yonder']) await lanes.getByRole('heading', { name, exact: true }).waitFor()
    await lanes
      .getByText(/^1 check · 1 failed$/)
      .first()
      .waitFor()
    await page.getByText('1 incident in this time.').waitFor()
    await page.getByRole('link', { name: 'Tea house is down' }).waitFor()
    await page.getByText('No one was alerted.').waitFor()
    await page.getByRole('list', { name: 'Results' }).getByText('Connection refused').first().waitFor()
    await inspect(page, 'time of a monitor, failed')
    await page.getByRole('link', { name: 'In the chart' }).click()
    await chart(/^Response time, From/).waitFor()
    await page.locator('.u-over').click()
    await see(page, /^Tea house, /)
    await page.goto(`/monitors/${id}/time?since=x`)
    await page.getByText('There is nothing here').first().waitFor()
  })

  it('opens a day by its bar', async () => {
    await page.goto(`/monitors/${id}`)
    const bars = page.getByRole('slider', { name: /^The last 90 days/ })
    await bars.press('Home')
    await bars.press('Enter')
    await see(page, /^Tea house, /)
    const { since, until: end } = timesIn(page)
    assert.equal(end - since, dayMs)
    await page.getByRole('list', { name: 'Locations' }).getByText('288 checks').first().waitFor()
    await inspect(page, 'time of a monitor, a day')
    await page.getByRole('link', { name: 'Earlier' }).click()
    await until('the day before', async () => timesIn(page).until === since)
    await page.getByText('There was no incident in this time, so no one was alerted.').waitFor()
  })

  it('lists results of a state, a place and a time, and saves them', async () => {
    await page.goto(`/monitors/${id}?tab=results`)
    const results = page.getByRole('list', { name: 'Results' })
    await results
      .getByText(/:\d\d:01/)
      .first()
      .waitFor()
    await inspect(page, 'results in columns')
    await press(page, 'Failures')
    await until('failures alone', async () => (await results.getByRole('listitem').count()) === 9)
    await page.getByRole('group', { name: 'Location' }).getByRole('button', { name: 'There' }).click()
    await until('those of one place', async () => (await results.getByRole('listitem').count()) === 3)
    await page.reload()
    await until('the same', async () => (await results.getByRole('listitem').count()) === 3)
    await page.getByRole('group', { name: 'Location' }).getByRole('button', { name: 'All locations' }).click()
    await page.getByRole('button', { name: 'Degraded', exact: true }).click()
    await until('degraded ones', async () => (await results.getByRole('listitem').count()) === 7)
    const lines = (await saved('Export as CSV')).trimEnd().split('\r\n')
    assert.equal(lines.length, 8)
    assert.match(lines[1] ?? '', /,yonder,degraded,.*,"'=1\+1, ""slow""",/)
    const told: unknown = JSON.parse(await saved('Export as JSON'))
    assert.ok(Array.isArray(told) && told.length === 7)
    await page.getByText('7 results').waitFor()
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await press(page, 'Show older ones')
    await until('two pages', async () => (await results.getByRole('listitem').count()) === 200)
  })

  async function saved(button: string): Promise<string> {
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, button)])
    assert.match(download.suggestedFilename(), /^Tea-house-results\.(csv|json)$/)
    return readFile(await download.path(), 'utf8')
  }

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})

/** Every quarter-hour of 24 hours: degraded from Yonder in the third, all failed in three in a row after twelve hours. */
function lastDay(end: number): Checked[] {
  return Array.from({ length: 95 }, (_, index) => index + 1).flatMap((quarter) =>
    ['here', 'there', 'yonder'].map((location, place): Checked => {
      const at = new Date(end - quarter * 15 * 60_000 + 1000)
      if (quarter > 45 && quarter < 49)
        return { at, location, status: 'down', statusCode: null, latencyMs: null, error: 'Connection refused' }
      const latencyMs = 120 + place * 90 + ((quarter * 23) % 60)
      if (location === 'yonder' && quarter < 80 && quarter > 72)
        return { at, location, status: 'degraded', latencyMs: latencyMs + limitMs, error: '=1+1, "slow"' }
      return { at, location, latencyMs }
    }),
  )
}

function isoAt(ms: number): string {
  return new Date(ms).toISOString()
}

function timesIn(page: Page): { since: number; until: number } {
  const { searchParams } = new URL(page.url())
  const read = (name: string): number => Date.parse(String(searchParams.get(name)).replaceAll('"', ''))
  return { since: read('since'), until: read('until') }
}

/** Null where nothing has it now. */
async function textNow(figures: Locator): Promise<string | null> {
  return figures.textContent({ timeout: shortlyMs }).catch(() => null)
}
