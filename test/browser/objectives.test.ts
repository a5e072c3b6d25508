// Service level objectives: added, seen with their budgets, told when they burn, changed and deleted.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { httpServer } from '../support/http-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { fill, press, see, signUp, startConsole } from './support/console.ts'
import { callerOf } from './support/workspace-calls.ts'

const plans = { free: { slots: 100, minIntervalSeconds: 10 } }
/** A budget is looked at every thirty seconds. */
const lookMs = 90_000

describe('objectives in the console', async () => {
  const service = await startConsole({ PERIGEE_PLANS: JSON.stringify(plans) })
  const { visitor, inspect, complaints, change } = service
  const { port } = await httpServer((_, response) => response.end('hello'))
  const receiver = await startReceiver()
  const { page } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })
  const call = callerOf(page)
  const often = { interval_seconds: 10, recovery_threshold: 1, locations: ['local'] }
  const url = `http://127.0.0.1:${port}/`
  const shop = await call('POST', '/monitors', { name: 'Web shop', url, tags: ['production'], ...often })
  const pager = await call('POST', '/alert-channels', { kind: 'webhook', name: 'Pager', destination: receiver.url })
  const steps = [{ after_minutes: 0, contact_ids: [pager.id] }]
  await call('POST', '/escalation-policies', {
    name: 'Operations',
    steps: [...steps, { ...steps[0], after_minutes: 5 }],
  })
  const dialog = page.getByRole('dialog')
  const rows = page.getByRole('list', { name: 'Objectives' }).getByRole('listitem')

  it('says so where there is none', async () => {
    await page.goto('/objectives')
    await see(page, 'Objectives')
    await page.getByText('None yet. An objective says what you promise').waitFor()
    await inspect(page, 'objectives, none')
  })

  it('is added, refused where it is wrong', async () => {
    await press(page, 'Add an objective')
    await fill(page, { Name: 'Checkout', 'Objective (percent)': '100' })
    await press(page, 'Add')
    await dialog.getByText(/99\.999/).waitFor()
    await inspect(page, 'add an objective, refused')
    await fill(page, { 'Objective (percent)': '99.9' })
    await dialog.getByRole('checkbox', { name: /Web shop/ }).check()
    await dialog.getByLabel('Escalation policy').selectOption('Operations')
    await inspect(page, 'add an objective')
    await press(page, 'Add')
    await dialog.waitFor({ state: 'detached' })
    await rows.getByText(/over 30 days · 1 monitor$/).waitFor()
  })

  it('shows what is left of its budget, and which monitor took it', async () => {
    await page.goto(`/monitors/${shop.id}`)
    await page.getByText('Up', { exact: true }).first().waitFor()
    await change(`update monitors set created_at = now() - interval '60 days'`)
    await change('delete from monitor_gaps where ended_at is not null')
    await change(`insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, started_at, resolved_at)
      select gen_random_uuid(), workspace_id, id, name, 'resolved', 'Web shop is down', now() - interval '11 minutes',
        now() - interval '15 seconds'
      from monitors`)
    await page.goto('/objectives')
    const meter = page.getByRole('meter', { name: 'Error budget of Checkout' })
    await meter.waitFor()
    await page.getByText(/^75\.\d+ % left: 32 min/).waitFor()
    await page.getByText(/^99\.97\d+ % of 99\.9 % over 30 days/).waitFor()
    await inspect(page, 'objectives')
    await page.getByRole('link', { name: 'Checkout' }).click()
    await see(page, 'Checkout')
    const took = page.getByRole('table', { name: 'Monitors' }).getByRole('row', { name: /Web shop/ })
    await took.getByText(/^24\.\d+ %$/).waitFor()
    await inspect(page, 'an objective')
  })

  it('tells contacts that it burns', async () => {
    await until('the contact is told', async () => receiver.received.length > 0, lookMs)
    const told = z.looseObject({
      type: z.string(),
      data: z.looseObject({ slo: z.looseObject({ name: z.string(), reason: z.string() }) }),
    })
    const { type, data } = told.parse(JSON.parse(receiver.received[0]?.body ?? ''))
    assert.deepEqual([type, data.slo.name, data.slo.reason], ['slo.burning', 'Checkout', 'burning'])
    await page.reload()
    await page.getByText('burns too fast').waitFor()
    await page.getByText(/alerted since/).waitFor()
    await inspect(page, 'an objective that burns')
  })

  it('has an alarm that is acknowledged, and says by whom', async () => {
    await press(page, 'Acknowledge')
    await page.getByText(/^acknowledged by ops/i).waitFor()
    await page.getByRole('button', { name: 'Acknowledge' }).waitFor({ state: 'detached' })
    await inspect(page, 'an objective whose alarm is acknowledged')
  })

  it('is changed to monitors with a tag', async () => {
    await press(page, 'Change')
    await dialog.getByRole('radio', { name: 'Those with a tag, including future ones' }).check()
    await fill(page, { Tags: 'Production', 'Window (days)': '7' })
    await dialog.getByRole('radio', { name: 'These', exact: true }).last().check()
    await dialog.getByRole('checkbox', { name: 'Pager' }).check()
    await inspect(page, 'change an objective')
    await press(page, 'Save')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/over 7 days$/).waitFor()
    await page.getByText('Production', { exact: true }).waitFor()
  })

  it('is deleted', async () => {
    await press(page, 'Delete')
    await press(page, 'Delete permanently')
    await see(page, 'Objectives')
    await page.getByText('None yet. An objective says what you promise').waitFor()
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})
