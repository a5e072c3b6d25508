// One monitor: the form that makes it, of each kind; what one check finds before it is saved; and its page.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { type KindName, kindNames } from '#core/monitors/kind-traits.ts'
import { type MonitorRecord, monitorSchema } from '#core/monitors/monitor.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { openDatabase } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { httpServer } from '../support/http-server.ts'
import { addIncident, addResults } from '../support/monitors.ts'
import { compare, publish } from '../support/software.ts'
import { until } from '../support/until.ts'
import { addBusyDay, forgetHours } from './support/busy-day.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'
import { type KindStory, kindStories } from './support/kind-stories.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'

const ownerEmail = 'owner@example.com'
const monitorsSchema = z.object({ data: z.array(monitorSchema) })
const workspacesSchema = z.object({ data: z.array(z.looseObject({ id: z.uuid() })) })

describe('a monitor in the console', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: ownerEmail,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'pro',
    PERIGEE_PAYMENTS: 'sandbox',
    PERIGEE_LOCATIONS: 'here=Here,there=There,yonder=Yonder',
  })
  const { visitor, inspect, complaints, dataFolder } = service
  const database = openDatabase({ connection: runningConnection(dataFolder), maxConnections: 2 })
  after(() => database.close())
  const seen: string[] = []
  const { port } = await httpServer((request, response) => {
    seen.push(`${request.method ?? ''} ${request.url ?? ''} ${String(request.headers['x-key'])}`)
    response.statusCode = request.url === '/broken' ? 500 : 200
    response.end('Green tea')
  })
  const target = `http://127.0.0.1:${port}`

  const { page } = await visitor()
  await signIn(page, ownerEmail)
  await see(page, 'Monitors')
  const headers = { 'X-Perigee-Workspace': await workspaceOf(page) }

  async function monitors(): Promise<MonitorRecord[]> {
    return monitorsSchema.parse(await (await page.request.get('/api/v1/monitors', { headers })).json()).data
  }

  async function monitorNamed(name: string): Promise<MonitorRecord> {
    return (await monitors()).find((monitor) => monitor.name === name) ?? assert.fail(`no monitor ${name}`)
  }

  async function tab(name: string): Promise<void> {
    await page.getByRole('navigation', { name: 'Of this monitor' }).getByRole('link', { name }).click()
  }

  async function begin(kind: KindName): Promise<void> {
    // A form restores what an earlier story typed, and stores it once more as its page is left.
    await page.goto('/contacts')
    await page.evaluate(forgetDrafts)
    await page.goto(`/monitors/new?kind=${kind}`)
    await see(page, /^New monitor: /)
  }

  it('shows what one check finds before it is saved, good or bad', async () => {
    await begin('http')
    await fill(page, { Name: 'Shop', Address: `${target}/tea` })
    await press(page, 'Check now')
    const result = page.getByRole('group', { name: 'Result of the check' })
    await result.getByText('Up', { exact: true }).waitFor()
    await result.getByText('from Here').waitFor()
    await inspect(page, 'check before saving, up')
    await fill(page, { Address: `${target}/broken` })
    await press(page, 'Check now')
    await result.getByText('Down', { exact: true }).waitFor()
    await result.getByText('Status 500', { exact: true }).waitFor()
    await inspect(page, 'check before saving, down')
    assert.deepEqual(await monitors(), [])
    // A prober that stood still on a busy machine makes a check again.
    assert.deepEqual([...new Set(seen)], ['GET /tea undefined', 'GET /broken undefined'])
  })

  it('says what is wrong at its field, as soon as it is left, and when it is sent', async () => {
    await begin('http')
    await press(page, 'Create the monitor')
    await problemAt(page, 'Name', 'This field is required.')
    await problemAt(page, 'Address', 'This field is required.')
    assert.equal(await page.evaluate<string>('document.activeElement.name'), 'name')
    await fill(page, { Name: 'Shop', Address: 'http://10.0.0.1/' })
    await page.getByLabel('Check every', { exact: true }).fill('5')
    await page.getByLabel('Check every, unit').selectOption({ label: 'seconds' })
    await problemAt(page, 'Check every', 'Must be at least 10.')
    await page.getByLabel('Check every', { exact: true }).fill('10')
    // The service's own word, before anything is sent.
    await page.getByLabel('Name', { exact: true }).focus()
    await problemAt(page, 'Address', /private or reserved/)
    await inspect(page, 'new monitor, refused')
    await fill(page, { Address: target })
    // What was wrong takes two lines, and all below moves up when they go: a click meanwhile would miss.
    await page.getByLabel('Name', { exact: true }).focus()
    await page.getByText(/private or reserved/).waitFor({ state: 'hidden' })
    // The form unfolds a closed section that holds a mistake.
    await page.getByText('What counts as up').click()
    await fill(page, { 'Locations that must agree': '2' })
    await page.getByText('What counts as up').click()
    await press(page, 'Create the monitor')
    await problemAt(page, 'Locations that must agree', 'More locations must agree than the monitor has.')
    assert.deepEqual(await monitors(), [])
  })

  for (const kind of kindNames)
    it(`is made of the kind ${kind} by its form`, async () => {
      const story: KindStory = kindStories[kind]
      await begin(kind)
      await fill(page, { Name: `My ${kind}`, ...story.values })
      await story.further?.(page)
      await inspect(page, `form, ${kind}`)
      await press(page, 'Create the monitor')
      await see(page, `My ${kind}`)
      const monitor = await monitorNamed(`My ${kind}`)
      const { check_options: options = {}, ...expected } = story.expected(await monitors())
      assert.deepEqual({ ...monitor, ...expected, kind }, monitor)
      assert.deepEqual({ ...monitor.check_options, ...options }, monitor.check_options)
    })

  it('is changed, and keeps the secrets that the form does not show', async () => {
    await begin('http')
    await fill(page, { Name: 'With a key', Address: `${target}/key` })
    await page.getByText('Request', { exact: true }).click()
    await press(page, 'Add to Request headers')
    await page.getByLabel('Name 1 of Request headers').fill('X-Key')
    await page.getByLabel('Value 1 of Request headers').fill('opensesame')
    await page.getByText('What counts as up').click()
    await fill(page, { 'Text in the response': 'tea' })
    await press(page, 'Create the monitor')
    await see(page, 'With a key')
    await page.getByRole('link', { name: 'Change', exact: true }).first().click()
    await see(page, 'Change With a key')
    assert.doesNotMatch(await page.content(), /opensesame/)
    await fill(page, { Name: 'With the same key' })
    await page.getByText('What counts as up').click()
    assert.equal(await page.getByLabel('Text in the response').inputValue(), 'tea')
    await fill(page, { 'Text in the response': '' })
    await inspect(page, 'change')
    seen.length = 0
    await press(page, 'Check now')
    await page.getByRole('group', { name: 'Result of the check' }).getByText('Up', { exact: true }).waitFor()
    assert.ok(seen.includes('GET /key opensesame'), seen.join())
    await press(page, 'Save')
    await see(page, 'With the same key')
    assert.equal((await monitorNamed('With the same key')).keyword, null)
    seen.length = 0
    await press(page, 'Check now')
    await press(page, 'Check')
    const result = page.getByRole('dialog').getByRole('group', { name: 'Result of the check' })
    await result.getByText('Up', { exact: true }).waitFor()
    await inspect(page, 'check now')
    assert.ok(seen.includes('GET /key opensesame'), seen.join())
  })

  it('shows its state, its history and what each location saw', async () => {
    await begin('http')
    await fill(page, { Name: 'Long watched', Address: target })
    await page.getByRole('checkbox', { name: 'There' }).check()
    await press(page, 'Create the monitor')
    await see(page, 'Long watched')
    await page.getByText(/^Uptime, watched for /).waitFor()
    const monitor = await monitorNamed('Long watched')
    await addPast(monitor)
    await page.reload()
    await page.getByText('Up', { exact: true }).first().waitFor()
    await page
      .getByRole('img', {
        name: /^Response time, Means of each quarter-hour.s checks that were not down, by location\. Here \d+ to/,
      })
      .waitFor()
    await page.getByRole('list', { name: 'Locations' }).getByText('There').waitFor()
    await page.getByText('Long watched is down').first().waitFor()
    await inspect(page, 'monitor')
    await press(page, 'Phases')
    await page.getByRole('img', { name: /Name \d+ to .* TLS \d+ to/ }).waitFor()
    await page.getByRole('group', { name: 'Range' }).getByRole('button', { name: '90 days' }).click()
    await page.getByRole('img', { name: /^Response time, Means of each day\./ }).waitFor()
    await inspect(page, 'monitor, phases of 90 days')
    await press(page, 'Response time')
    await page.getByRole('img', { name: /Median \d+ to \d+ ms, 95 % \d+ to \d+ ms, 99 % / }).waitFor()
    await press(page, 'All time')
    await inspect(page, 'monitor, all time')

    await tab('Results')
    const results = page.getByRole('list', { name: 'Results' })
    await results.getByText('Up', { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Failures' }).click()
    const failure = results.getByRole('listitem').filter({ hasText: 'Connection refused' }).first()
    await failure.locator('summary').click()
    await failure.getByText('UTC').waitFor()
    assert.equal(await results.getByText('Up', { exact: true }).count(), 0)
    await inspect(page, 'results')
    await tab('Incidents')
    await page.getByText('Long watched is down').waitFor()
    await page.getByText('lasted 1 h').waitFor()
    await inspect(page, 'incidents of a monitor')
    await tab('Settings')
    await page.getByText('every 5 minutes').waitFor()
    await page.getByText('when 1 of 2 locations say so').waitFor()
    await inspect(page, 'settings of a monitor')
  })

  it('shows 24 hours of what is checked every ten seconds, and each minute of the last one', async () => {
    await begin('http')
    await fill(page, { Name: 'Busy', Address: target })
    await press(page, 'Create the monitor')
    await see(page, 'Busy')
    const { id } = await monitorNamed('Busy')
    await addBusyDay(database, id)
    await addResults(database, id, [{ at: new Date(Date.now() - 9 * dayMs), location: 'here', latencyMs: 100 }])
    await page.reload()
    const chart = (words: RegExp) => page.getByRole('img', { name: words })
    // Only the first hour of the day has these.
    await chart(
      /quarter-hour.s checks that were not down, by location\. Here \d+ to 9\d\d ms, There .* Yonder .*, 90 failed checks$/,
    ).waitFor()
    // Beside the pointer stands what is under it: a quarter-hour, its mean and the slowest of it.
    await page.getByText('Failed checks').waitFor()
    await page.locator('.u-over').hover()
    await page.getByText(/:(00|15|30|45)(\s[AP]M)?\s–\s.*:(00|15|30|45)/).waitFor()
    await page.getByText(/^4\d\d ms, up to 4\d\d ms$/).waitFor()
    await inspect(page, 'monitor, checked every ten seconds')
    await press(page, 'Phases')
    await chart(/How the time of each quarter-hour.s checks was spent\. Name \d+ to/).waitFor()
    await page.getByText('Measured from Here.').waitFor()
    await inspect(page, 'monitor, phases of 24 hours')
    await press(page, '1 hour')
    await chart(/How the time of each minute.s checks was spent\. Name \d+ to/).waitFor()
    await press(page, 'Response time')
    await chart(/minute.s checks that were not down, by location\. Here \d+ to 1\d\d ms, There 2\d\d to /).waitFor()
    await inspect(page, 'monitor, one hour')
    await press(page, '7 days')
    await chart(
      /^Response time, Of each hour.s checks .* Median \d+ to .*, 95 % \d+ to .*, 99 % \d+ to \d+ ms, 90 f/,
    ).waitFor()
    await inspect(page, 'monitor, percentiles of 7 days')
    await service.change(forgetHours('Busy'))
    await page.reload()
    await press(page, '7 days')
    await chart(/ Median \d+ to .*, 99 % \d+ to \d+ ms, Mean \d+ to \d+ ms, 90 failed checks$/).waitFor()
    await page.getByText(/^Where the percentiles are not known, the chart shows the mean/).waitFor()
    await inspect(page, 'monitor, percentiles of some hours')
    await press(page, 'By location')
    await chart(/Means of each hour.s checks that were not down, by location\. Here \d+ to 9\d\d ms, There /).waitFor()
    await press(page, '30 days')
    await chart(/Means of the checks of every six hours .*, by location\. Here /).waitFor()
    await press(page, '24 hours')
    await chart(/Means of each quarter-hour.s checks/).waitFor()
  })

  it('shows its software, which is added, imported, ignored and removed', async () => {
    await page.goto(`/monitors/${(await monitorNamed('Long watched')).id}?tab=software`)
    await page.getByText('Its software is not followed').waitFor()
    await publish(database, {
      id: 'GHSA-1',
      product: 'npm:express',
      stretches: [{ fixed: '4.17.3' }],
      severity: 'high',
    })
    await page.goto(`/monitors/${(await monitorNamed('My repository')).id}?tab=software`)
    await page.getByText('There is no software in the list that could be compared.').waitFor()
    await press(page, 'Add')
    await fill(page, { Name: 'nonsense thing' })
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    await page.getByText(/Names nothing known/).waitFor()
    await fill(page, { Name: 'npm:express', Version: '4.0.0' })
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
    const list = page.getByRole('list', { name: 'Software' })
    await list.getByText('express 4.0.0').waitFor()
    await press(page, 'Import a list')
    await fill(page, { 'Or a list': 'nginx 1.25.3\nwhatever 7' })
    await inspect(page, 'import of software')
    await press(page, 'Import')
    await page.getByText('1 imported.').waitFor()
    await page.getByText('Not known: whatever 7').waitFor()
    await press(page, 'Done')
    await page.getByText(/^Not compared, because this installation does not read: npm, .*NVD/).waitFor()
    await inspect(page, 'software, not compared')
    await compare(database)
    const findings = page.getByRole('list', { name: 'Findings' })
    await findings.getByText('GHSA-1').waitFor()
    await inspect(page, 'findings')
    await press(page, 'Mark as fixed: GHSA-1')
    assert.equal(await page.getByLabel('Version of express now').inputValue(), '4.17.3')
    await inspect(page, 'finding, fixed')
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as fixed' }).click()
    await list.getByText('express 4.17.3').waitFor()
    await page.getByText('No problems are known.').waitFor()
    await database.pool.query(`update feeds set succeeded_at = now() - interval '3 days' where name = 'osv npm'`)
    await page.reload()
    await page.getByText(/^Compared with data of .*. No newer data was read from: npm\.$/).waitFor()
    await page.getByRole('button', { name: /^Ignore express/ }).click()
    await list.getByText('Ignored').waitFor()
    await inspect(page, 'software')
    await page.getByRole('button', { name: /^Remove express/ }).click()
    await until('it is gone', async () => (await list.getByText('express').count()) === 0)
  })

  it('that is called shows its address, how to call it, and gets another one', async () => {
    const { id } = await monitorNamed('My heartbeat')
    await page.goto(`/monitors/${id}`)
    const address = page.getByLabel('Address to call', { exact: true })
    const first = (await address.textContent()) ?? ''
    await inspect(page, 'monitor, heartbeat')
    assert.equal((await page.request.get(first)).status(), 200)
    await page.getByText('Up', { exact: true }).first().waitFor()
    // How long runs take is told by jobs that say when they start.
    const times = page.getByRole('heading', { name: 'Response time' })
    assert.equal(await times.count(), 0)
    assert.equal((await page.request.get(`${first}/start`)).status(), 200)
    assert.equal((await page.request.get(first)).status(), 200)
    await page.reload()
    await times.waitFor()
    await press(page, 'Replace')
    await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
    await until('another address', async () => ((await address.textContent()) ?? first) !== first)
    assert.equal((await page.request.get(first)).status(), 404)
    await page.getByRole('button', { name: 'cron' }).click()
    await page.getByLabel('How to call it').getByText('30 2 * * *').waitFor()
  })

  it('is paused, resumed and deleted', async () => {
    await page.goto(`/monitors/${(await monitorNamed('Long watched')).id}`)
    await press(page, 'Pause')
    await inspect(page, 'pause')
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused', { exact: true }).waitFor()
    assert.equal((await monitorNamed('Long watched')).status, 'paused')
    await press(page, 'Resume')
    await page.getByText('It is checked again.').waitFor()
    assert.equal((await monitorNamed('Long watched')).status, 'enabled')
    await press(page, 'Delete')
    await press(page, 'Delete permanently')
    await see(page, 'Monitors')
    assert.ok((await monitors()).every(({ name }) => name !== 'Long watched'))
    await page.goto('/monitors/00000000-0000-4000-8000-000000000000')
    await see(page, 'There is nothing here')
  })

  it('tells what it costs once the plan is full, and what is missing', async () => {
    await service.change(`update workspaces set plan = 'pay_as_you_go'`)
    await begin('http')
    await fill(page, { Name: 'One too many', Address: target })
    await page.getByLabel('It is paid').selectOption('monthly')
    await page.getByText('$0.01 for 30 days').waitFor()
    await page.getByText('$0.01 of credit is missing.').waitFor()
    await inspect(page, 'price')
    await page.getByRole('checkbox', { name: 'There' }).check()
    await page.getByLabel('It is paid').selectOption('lifetime')
    await page.getByText('$0.20 once, for life').waitFor()
    await press(page, 'Create the monitor')
    await page.getByRole('alert').waitFor()
    assert.ok((await monitors()).every(({ name }) => name !== 'One too many'))
    await page.getByRole('link', { name: 'Top up credit' }).click()
    // What was typed would be lost.
    await press(page, 'Leave')
    await see(page, 'Credit')
  })

  it('gives viewers its pages, and no buttons', async () => {
    await service.change(`update members set role = 'viewer'`)
    const { id } = await monitorNamed('My heartbeat')
    await page.goto(`/monitors/${id}`)
    await see(page, 'My heartbeat')
    for (const name of ['Pause', 'Delete', 'Check now', 'Replace', 'Show'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    assert.equal(await page.getByRole('link', { name: 'Change', exact: true }).count(), 0)
    await inspect(page, 'monitor, for a viewer')
    for (const path of ['/monitors/new', `/monitors/${id}/edit`]) {
      await page.goto(path)
      await page.getByText(/^Viewers of .* cannot change anything in it\.$/).waitFor()
    }
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))

  it('leaves no secret in the database nor in a log', () => assertSecretsKept(service, ['password', 'cookie']))

  async function addPast(monitor: MonitorRecord): Promise<void> {
    const now = Date.now()
    const phases = { dnsMs: 3, connectMs: 8, tlsMs: 21, ttfbMs: 60, transferMs: 4 }
    const days = Array.from({ length: 60 }, (_, index) => ({
      at: new Date(now - (60 - index) * dayMs),
      latencyMs: 80 + ((index * 37) % 60),
      phases,
    }))
    const minutes = Array.from({ length: 60 }, (_, index) => ({
      at: new Date(now - (70 - index) * 20 * 60_000),
      location: index % 2 === 0 ? 'here' : 'there',
      latencyMs: 90 + ((index * 23) % 70) + (index % 2) * 40,
      phases: { ...phases, ttfbMs: 50 + ((index * 23) % 70) },
    }))
    const failed = { status: 'down', statusCode: null, latencyMs: null, error: 'Connection refused' } as const
    const failures = [5, 6].map((count) => Object.assign({ at: new Date(now - count * dayMs - 3_600_000) }, failed))
    await addResults(database, monitor.id, [...days, ...failures, ...minutes])
    const [startedAt, resolvedAt] = [new Date(now - 5 * dayMs), new Date(now - 5 * dayMs + 3_600_000)]
    await addIncident(database, monitor, { startedAt: startedAt.toISOString(), resolvedAt: resolvedAt.toISOString() })
  }
})

const forgetDrafts = `Object.keys(localStorage)
  .filter((key) => key.startsWith('perigee.draft.'))
  .forEach((key) => localStorage.removeItem(key))`

async function workspaceOf(page: Page): Promise<string> {
  const answer = await page.request.get('/api/v1/workspaces', { headers: { 'X-Perigee-Workspace': 'mine' } })
  return workspacesSchema.parse(await answer.json()).data[0]?.id ?? assert.fail('no workspace')
}

/** The problem is part of the field's description, where a screen reader finds it. */
async function problemAt(page: Page, label: string, problem: string | RegExp): Promise<void> {
  const field = page.getByLabel(label, { exact: true })
  await until(`${String(problem)} at ${label}`, async () => {
    const ids = ((await field.getAttribute('aria-describedby')) ?? '')
      .split(' ')
      .filter((id) => id.endsWith('-problem'))
    const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()))
    return texts.some((text) => text !== null && (typeof problem === 'string' ? text === problem : problem.test(text)))
  })
}
