// How lines and tiles of the overview share their room between names and targets.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { see, signUp, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const plans = { free: { slots: 60, minIntervalSeconds: 10 } }

describe('the overview of many monitors', async () => {
  const service = await startConsole({ PERIGEE_PLANS: JSON.stringify(plans) })
  const { visitor, complaints } = service
  const { page } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })
  const call = callerOf(page)
  for (let number = 1; number <= 44; number += 1) {
    const name = number <= 20 ? `Blog ${number}` : `Nightly backup of warehouse ${number}`
    await call('POST', '/monitors', { name, kind: 'heartbeat', interval_seconds: 86_400 })
  }
  const url = `${service.origin}/${'long/'.repeat(30)}`
  await call('POST', '/monitors', { name: 'Checkout of the shop', kind: 'http', url, interval_seconds: 86_400 })

  it('has tiles of one height on a phone, whether a name takes one line or two', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/monitors?layout=wall')
    await see(page, 'Monitors')
    const tiles = page.getByRole('list', { name: 'Monitors' }).getByRole('link')
    await tiles.nth(44).waitFor()
    const heights = await page.evaluate<number[]>(tileHeights)
    assert.deepEqual([heights.length, new Set(heights).size], [await tiles.count(), 1])
  })

  it('shows names whole in dense lines, and cuts their targets', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto('/monitors?layout=dense')
    await page.getByRole('row').getByRole('link', { name: 'Checkout of the shop' }).waitFor()
    assert.equal(await page.evaluate<number>(cutNames), 0)
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})

/** Evaluated in the page, at one moment: a first result may change a tile while others are still measured. */
const tileHeights = `[...document.querySelectorAll('[aria-label=Monitors] a')].map((a) => a.getBoundingClientRect().height)`

/** Evaluated in the page: how many names have less room than they need. */
const cutNames = `[...document.querySelectorAll('[role=row] a')].filter((a) => a.scrollWidth > a.clientWidth).length`
