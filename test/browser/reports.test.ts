// Reports: made by a form, read as a page, printed, mailed as a test, and ended by the reader.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fill, press, see, signUp, startConsole } from './support/console.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'
import { callerOf } from './support/workspace-calls.ts'

const plans = { free: { slots: 200, minIntervalSeconds: 10 } }
const readerEmail = 'reader@example.com'

/** Sixty monitors with two weeks behind them, of which one was down for two hours, each of the others in turn slower. */
const past = `
insert into uptime_days (monitor_key, day, checks, up, down, restricted, latency_sum_ms, latency_count)
select
  m.key, day, 1440, 1440 - failed.down, failed.down, 0, (1440 - failed.down) * (50 + m.key * 5), 1440 - failed.down
from monitors m
cross join generate_series(current_date - 21, current_date - 1, interval '1 day') as day
cross join lateral (
  select case when m.name = 'Shop 01' and extract(isodow from day) = 3 then 120 else 0 end as down
) as failed;
update monitors set created_at = now() - interval '100 days';
insert into incidents (id, workspace_id, monitor_id, monitor_name, status, title, cause, started_at, resolved_at)
select
  gen_random_uuid(), workspace_id, id, name, 'resolved', 'Down: ' || name, 'The connection was refused.',
  day + interval '10 hours', day + interval '12 hours'
from monitors
cross join generate_series(current_date - 21, current_date - 1, interval '1 day') as day
where name = 'Shop 01' and extract(isodow from day) = 3`

/** Runs in the page. */
const looksOnPaper = `(() => {
  const look = (selector) => getComputedStyle(document.querySelector(selector))
  const { color, backgroundColor } = look('.paper')
  return { color, backgroundColor, breakInside: look('.paper tbody tr').breakInside, head: look('.paper thead').display }
})()`

describe('reports in the console', async () => {
  const service = await startConsole({ PERIGEE_PLANS: JSON.stringify(plans) })
  const { visitor, inspect, complaints, linkTo, change } = service
  const { page } = await visitor()
  const { page: phone } = await visitor()
  await signUp(page, service, { email: 'ops@example.com', name: 'Ops' })
  const call = callerOf(page)
  const paper = page.getByRole('article', { name: 'Report' })

  it('say so where there is none, and what they need first', async () => {
    await page.goto('/reports')
    await page.getByText('None yet.', { exact: false }).waitFor()
    await inspect(page, 'reports, none')
    await page.getByRole('link', { name: 'New report' }).click()
    await see(page, 'New report')
    await page.getByText('There is none yet.', { exact: false }).waitFor()
  })

  it('are made by a form, whose refusals stand at their fields', async () => {
    await call('POST', '/alert-channels', { kind: 'email', name: 'Reader', destination: readerEmail })
    await phone.goto(await linkTo(readerEmail, /Confirm/))
    await press(phone, 'Confirm')
    await see(phone, 'This address is confirmed')
    for (let number = 1; number <= 60; number += 1) {
      const name = `Shop ${String(number).padStart(2, '0')}`
      await call('POST', '/monitors', { name, kind: 'heartbeat', interval_seconds: 3600, tags: ['shop'] })
    }
    await change(past)
    await page.goto('/reports/new')
    await press(page, 'Create it')
    await page.getByText('Must name a contact.').waitFor()
    await fill(page, { Name: 'The shop', 'Uptime objective (%)': '99.95', 'Time zone': 'Europe/Sofia' })
    await page.getByLabel('Sent on').selectOption({ label: 'Tuesday' })
    await page.getByRole('radio', { name: 'Those with a tag, and chosen ones' }).check()
    await page.getByRole('checkbox', { name: /^Reader/ }).check()
    await press(page, 'Create it')
    await page.getByText('Must name a monitor, where there are no tags.', { exact: false }).waitFor()
    await fill(page, { Tags: 'shop' })
    await inspect(page, 'reports, new')
    await press(page, 'Create it')
    const list = page.getByRole('list', { name: 'Reports' })
    await list.getByText('Every Tuesday at 08:00 (Europe/Sofia)').waitFor()
    await list.getByText('monitors tagged shop · 1 recipient', { exact: false }).waitFor()
    await inspect(page, 'reports')
  })

  it('are changed', async () => {
    await page.getByRole('link', { name: 'Change The shop' }).click()
    await see(page, 'The shop')
    await page.getByLabel('At', { exact: true }).selectOption('9')
    await press(page, 'Save')
    await page.getByText('Every Tuesday at 09:00 (Europe/Sofia)').waitFor()
  })

  it('are read, period by period', async () => {
    await page.getByRole('link', { name: 'The shop', exact: true }).click()
    await paper.getByText('the objective of 99.95 % was', { exact: false }).waitFor()
    assert.equal(await paper.getByRole('table', { name: 'Monitors' }).getByRole('row').count(), 61)
    const [, first] = await paper.getByRole('table', { name: 'Monitors' }).getByRole('row').all()
    assert.match((await first?.textContent()) ?? '', /^Shop 01.*missed/)
    await paper.getByRole('table', { name: 'Slowest' }).waitFor()
    await inspect(page, 'reports, one')
    const week = page.getByText(/^Week \d+ of/)
    const shown = await week.textContent()
    await page.getByRole('link', { name: 'The period before' }).click()
    await page.getByRole('link', { name: 'The period after' }).click()
    await page.getByRole('link', { name: 'The period after' }).waitFor({ state: 'detached' })
    await paper.getByText('the objective of 99.95 % was', { exact: false }).waitFor()
    assert.equal(await week.textContent(), shown)
  })

  it('are printed without the frame of the console, in black on white', async () => {
    await paper.getByRole('table', { name: 'Monitors' }).waitFor()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    assert.equal(await page.getByRole('navigation', { name: 'Pages' }).isVisible(), false)
    assert.equal(await page.getByRole('button', { name: 'Print' }).isVisible(), false)
    const looks = await page.evaluate<unknown>(looksOnPaper)
    assert.deepEqual(looks, {
      color: 'rgb(0, 0, 0)',
      backgroundColor: 'rgba(0, 0, 0, 0)',
      breakInside: 'avoid',
      head: 'table-header-group',
    })
    for (const format of ['A4', 'Letter'] as const) {
      const printed = await page.pdf({ format, preferCSSPageSize: false })
      const pages = printed.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0
      assert.ok(pages >= 2 && pages <= 5, `${format} takes ${pages} pages`)
      const folder = process.env['PERIGEE_SCREENSHOTS']
      if (folder !== undefined) writeFileSync(join(folder, `report-${format}.pdf`), printed)
    }
    await page.emulateMedia({ media: null, colorScheme: null })
  })

  it('are mailed as a test, and ended by the reader with two presses', async () => {
    await press(page, 'Send a test')
    await page.getByText('It is on its way to all recipients.').waitFor()
    const link = await linkTo(readerEmail, /^Test: The shop: Week /, '/report-mail/unsubscribe/')
    await press(page, 'Send a test')
    await page.getByText('It was sent as a test within the last 5 minutes.', { exact: false }).waitFor()
    await phone.goto(link)
    await see(phone, 'Unsubscribe')
    await phone.getByText(`Stop sending the report “The shop” to ${readerEmail}?`, { exact: false }).waitFor()
    await inspect(phone, 'the page that ends a report')
    await press(phone, 'Unsubscribe')
    await see(phone, 'You are unsubscribed')
    await page.goto('/reports')
    await page.getByText('0 recipients', { exact: false }).waitFor()
  })

  it('are deleted', async () => {
    await press(page, 'Delete The shop')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('None yet.', { exact: false }).waitFor()
    await page.goto('/reports/5f0a8c1d-7f3b-4c62-8f5e-1d2b3c4a5e6f/print')
    await see(page, 'There is no such report')
  })

  it('leave nothing to complain about', async () => {
    await assertSecretsKept(service, ['password', 'cookie'])
    assert.deepEqual(complaints, [])
  })
})
