// The chart and the map of hours under fingers, and by keys.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Locator } from 'playwright-core'
import { dayMs } from '#core/language/utc-day.ts'
import { openDatabase } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { createResultPartitions } from '#store/results/result-partitions.ts'
import { httpServer } from '../support/http-server.ts'
import { addResults } from '../support/monitors.ts'
import { until } from '../support/until.ts'
import { password, press, see, signIn, startConsole } from './support/console.ts'
import { type Point, fingersOn } from './support/fingers.ts'
import { callerOf } from './support/workspace-calls.ts'

const email = 'owner@example.com'
const hourMs = 3_600_000

describe('the chart of a monitor, by hand', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: email,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_LOCATIONS: 'here=Here',
    PERIGEE_RESULT_DAYS: '40',
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
  })
  await change(`update monitors set created_at = now() - interval '40 days' where id = '${id}'`)
  for (let days = 0; days < 32; days += 8) await createResultPartitions(database, new Date(Date.now() - days * dayMs))
  const now = Math.floor(Date.now() / hourMs) * hourMs
  const quarters = Array.from({ length: 96 }, (_, index) => now - (index + 1) * 900_000)
  const earlier = Array.from({ length: 27 * 24 }, (_, index) => now - (index + 25) * hourMs)
  await addResults(
    database,
    id,
    [...quarters, ...earlier].map((ms, index) => ({
      at: new Date(ms + 1000),
      location: 'here',
      latencyMs: 100 + (index % 7) * 20,
    })),
  )
  const grid = page.getByRole('grid', { name: 'Response time by weekday and hour' })
  const over = page.locator('.u-over')
  const select = page.locator('.u-select')

  /** The plot, in the middle of the screen. */
  async function shown(): Promise<(part: number, y?: number) => Point> {
    await page.goto(`/monitors/${id}`)
    await over.waitFor()
    await grid.waitFor()
    await page.evaluate(`document.querySelector('.u-over').scrollIntoView({ block: 'center' })`)
    const box = (await over.boundingBox()) ?? assert.fail('no chart')
    return (part, y = 0.5) => ({ x: box.x + box.width * part, y: box.y + box.height * y })
  }

  function chosenHours(): number {
    const { searchParams } = new URL(page.url())
    const read = (name: string): number => Date.parse(searchParams.get(name) ?? '')
    return (read('until') - read('since')) / hourMs
  }

  for (const { name, width, height } of [
    { name: 'a phone', width: 390, height: 844 },
    { name: 'a desk', width: 1280, height: 900 },
  ])
    describe(`under fingers, on ${name}`, async () => {
      const fingers = await fingersOn(page)

      it('shows what two fingers hold between them', async () => {
        await page.setViewportSize({ width, height })
        const at = await shown()
        await fingers.down(at(0.45), at(0.55))
        await fingers.move([at(0.45), at(0.55)], [at(0.25), at(0.5)])
        assert.ok((await widthOf(select)) > 30, 'nothing is marked')
        assert.ok(!page.url().includes('since'), 'it zooms before the fingers are gone')
        await fingers.up()
        await page.waitForURL(/since=.*until=/)
        const hours = chosenHours()
        assert.ok(hours > 5 && hours < 8, String(hours))
        await page.goBack()
      })

      it('shows what a finger is drawn over once it was held', async () => {
        const at = await shown()
        await fingers.down(at(0.3))
        await until('the beginning is marked', async () => (await widthOf(select)) > 0)
        // Down as well, which would scroll the page otherwise.
        await fingers.move([at(0.3)], [at(0.6, 0.9)])
        const before = await page.evaluate('scrollY')
        await fingers.up()
        await page.waitForURL(/since=.*until=/)
        assert.equal(before, await page.evaluate('scrollY'))
        const hours = chosenHours()
        assert.ok(hours > 6 && hours < 9, String(hours))
        await page.goBack()
      })

      it('reads values under a finger that moves along', async () => {
        const at = await shown()
        await fingers.down(at(0.3))
        await fingers.move([at(0.3)], [at(0.7)])
        await page.getByText('Tap to open, hold and drag to zoom').waitFor()
        await fingers.up()
        assert.ok(!page.url().includes('since'))
        assert.equal(await widthOf(select), 0)
      })

      it('lets the page scroll under one finger', async () => {
        const at = await shown()
        const before = Number(await page.evaluate('scrollY'))
        await fingers.down(at(0.5, 0.9))
        await fingers.move([at(0.5, 0.9)], [at(0.5, -0.6)])
        await fingers.up()
        await until('the page has scrolled', async () => Number(await page.evaluate('scrollY')) > before + 50)
        assert.ok(!page.url().includes('since'))
        assert.equal(await widthOf(select), 0)
      })

      it('opens a point and an hour of the week by a tap', async () => {
        const at = await shown()
        await fingers.down(at(0.4))
        await fingers.up()
        await see(page, /^Tea house, /)
        await shown()
        const cell = grid.getByRole('gridcell').nth(50)
        await cell.scrollIntoViewIfNeeded()
        const { x, y, width: cellWidth, height: cellHeight } = (await cell.boundingBox()) ?? assert.fail('no cell')
        await fingers.down({ x: x + cellWidth / 2, y: y + cellHeight / 2 })
        await fingers.up()
        await page.getByRole('list', { name: 'Times' }).waitFor()
      })
    })

  it('goes through the hours of the week by keys, and opens the times of one', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto(`/monitors/${id}`)
    await grid.waitFor()
    assert.equal(await grid.locator('[role=gridcell][tabindex="0"]').count(), 1)
    await grid.locator('[role=gridcell][tabindex="0"]').focus()
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowDown')
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await page.getByText(/^Tuesday, 2 AM: \d+ ms on average of \d+ checks?$/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Tuesday, 2 AM' }).and(page.locator(':focus')).waitFor()
    const times = page.getByRole('list', { name: 'Times' }).getByRole('listitem')
    assert.equal(await times.count(), 4)
    await inspect(page, 'monitor, times of an hour of the week')
    await page.getByLabel('Weekday', { exact: true }).focus()
    await page.getByLabel('Weekday', { exact: true }).selectOption('Friday')
    await page.getByRole('heading', { name: 'Friday, 2 AM' }).waitFor()
    await page.getByLabel('Weekday', { exact: true }).and(page.locator(':focus')).waitFor()
    const since = await times.first().getByRole('link').getAttribute('href')
    await times.first().getByRole('link').press('Enter')
    await see(page, /^Tea house, /)
    const { searchParams } = new URL(since ?? '', page.url())
    const from = new Date(searchParams.get('since') ?? '')
    const told = await page.evaluate((ms) => [new Date(ms).getDay(), new Date(ms).getHours()], from.getTime())
    assert.deepEqual(told, [5, 2])
    await page
      .getByRole('list', { name: 'Locations' })
      .getByText(/\d+ checks?/)
      .first()
      .waitFor()
  })

  it('leads back into the map, and from its slowest hour', async () => {
    await page.goto(`/monitors/${id}`)
    await press(page, 'Show the slowest hour')
    await page.getByRole('list', { name: 'Times' }).waitFor()
    await press(page, 'Close')
    await page.getByRole('list', { name: 'Times' }).waitFor({ state: 'detached' })
    await grid.locator('[role=gridcell]:focus').waitFor()
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})

async function widthOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.width ?? 0
}
