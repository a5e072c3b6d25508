// An owner lets checks reach the network that Perigee stands in: in the set-up, in the form, and where one was refused.
import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { after, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { z } from 'zod'
import { forbiddenAddress, forbiddenTarget } from '#core/monitors/forbidden-target.ts'
import { type MonitorRecord, monitorSchema } from '#core/monitors/monitor.ts'
import { openDatabase } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import {
  isOfOwnNetwork,
  isSurelyOfOwnNetwork,
  tellsOwnNetwork,
  wasRefusedOwnNetwork,
} from '../../web/src/parts/internal-names.ts'
import { httpServer } from '../support/http-server.ts'
import { addResults } from '../support/monitors.ts'
import { until } from '../support/until.ts'
import { fill, password, press, see, startConsole } from './support/console.ts'
import { check, goOn, join, phone, seeStep, watched } from './support/welcome.ts'
import { callerOf, workspaceIdOf } from './support/workspace-calls.ts'

describe('targets of the own network', () => {
  const own = [
    'http://10.0.0.1/',
    '172.31.255.254:22',
    '192.168.1.1',
    ' 192.168.1.1 ',
    'https://[fd12:3456::1]:8443/a',
    'fc00::1',
    'printer',
    'http://nas:5000/',
    'NAS.local',
    'router.lan',
    'db.corp.internal:5432',
    'tv.home.arpa',
  ]
  for (const target of own) it(`are such as ${target}`, () => assert.equal(isOfOwnNetwork(target), true))

  const others = [
    '',
    'http://',
    '127.0.0.1',
    'http://127.0.0.1:3000/',
    'localhost:3000',
    'app.localhost',
    '[::1]',
    '::1',
    '169.254.169.254',
    'http://[fe80::1]/',
    '100.64.0.1',
    '172.32.0.1',
    '192.0.2.1',
    '2001:db8::1',
    '1.1.1.1',
    '12345',
    'two words',
    'example.com',
    '10.example.com',
    'https://shop.example.com/nas.local',
  ]
  for (const target of others) it(`are not such as “${target}”`, () => assert.equal(isOfOwnNetwork(target), false))

  it('are not guessed from the beginning of a name', () => {
    assert.equal(isSurelyOfOwnNetwork('https://shop'), false)
    assert.equal(isSurelyOfOwnNetwork('nas:80'), false)
    assert.equal(isSurelyOfOwnNetwork('nas.lan'), true)
    assert.equal(isSurelyOfOwnNetwork('http://[fd00::1]/'), true)
  })

  it('are told by refusals, which name them', () => {
    assert.equal(tellsOwnNetwork(forbiddenTarget('[fd00::1]')), true)
    assert.equal(tellsOwnNetwork(forbiddenTarget('127.0.0.1')), false)
    assert.equal(tellsOwnNetwork(forbiddenAddress('nas.example.com', '169.254.169.254')), false)
    assert.equal(tellsOwnNetwork(forbiddenAddress('nas.example.com', null)), false)
    const error = forbiddenAddress('nas.example.com', '192.168.1.5')
    assert.equal(wasRefusedOwnNetwork({ error, details: {} }), true)
    assert.equal(wasRefusedOwnNetwork({ error, details: { redirects: 0 } }), true)
    assert.equal(wasRefusedOwnNetwork({ error, details: { redirects: 1 } }), false)
    assert.equal(wasRefusedOwnNetwork({ error: null, details: {} }), false)
  })
})

const address = privateAddress()
const skip = address === null ? 'this machine has no address of RFC 1918 or RFC 4193' : false

describe('the permission to reach the own network', { skip }, async () => {
  const service = await startConsole({ PERIGEE_SIGN_UP: 'invited' })
  const { perigee, visitor, inspect, complaints, dataFolder } = service
  const [link = ''] = await perigee.printed(/http:\S+\/set-up#token=\S+/)
  const host = address ?? '127.0.0.1'
  const seen: string[] = []
  const { port } = await httpServer(
    (request, response) => {
      seen.push(request.url ?? '')
      response.end('Green tea')
    },
    { host },
  )
  const target = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`
  const database = openDatabase({ connection: runningConnection(dataFolder), maxConnections: 1 })
  after(() => database.close())
  const { page } = await visitor()

  async function monitors(): Promise<MonitorRecord[]> {
    const headers = { 'X-Perigee-Workspace': await workspaceIdOf(page) }
    const answer = await page.request.get('/api/v1/monitors', { headers })
    return z.object({ data: z.array(monitorSchema) }).parse(await answer.json()).data
  }

  async function monitorAt(url: string): Promise<MonitorRecord> {
    return (await monitors()).find((each) => each.url === url) ?? assert.fail(`no monitor of ${url}`)
  }

  it('is asked for in the set-up before anything is refused, and for private addresses only', async () => {
    await page.goto(link)
    await fill(page, { 'Your name': 'Olivia', Email: 'olivia@example.com', Password: password })
    await press(page, "Create the owner's account")
    await seeStep(page, 'What to watch')
    await fill(page, { Addresses: 'localhost\n127.0.0.1:9\n169.254.0.1\nshop' })
    assert.equal(await box(page).count(), 0)
    await fill(page, { Addresses: target })
    await box(page).waitFor()
    assert.equal(await box(page).isChecked(), false)
    await inspect(page, 'welcome, a private address', phone)
  })

  it('is needed: without it the line is refused, and says so', async () => {
    await press(page, 'Check them')
    const line = page.getByRole('list', { name: 'What the checks say' }).getByRole('listitem')
    await line.getByText('a private or reserved address', { exact: false }).waitFor()
    await inspect(page, 'welcome, a private address refused', phone)
    assert.deepEqual(seen, [])
  })

  it('has the monitor come up, and goes to no other', async () => {
    await box(page).check()
    await check(page, [target, '127.0.0.1:9'])
    await page.getByText('1 of 2 answer.', { exact: false }).waitFor()
    for (const each of await page.getByRole('list', { name: 'What the checks say' }).getByRole('checkbox').all())
      await each.check()
    await press(page, 'Watch these 2')
    await seeStep(page, 'Who to alert')
    await goOn(page, 'Back')
    await watched(page).filter({ hasText: target }).getByText('Up').waitFor()
    assert.equal((await monitorAt(target)).allow_private_target, true)
    assert.equal((await monitorAt('127.0.0.1:9')).allow_private_target, false)
    assert.equal(await box(page).count(), 0)
    await goOn(page, 'Finish later')
  })

  it('is asked for in the form as soon as the target needs it, and tried before it is saved', async () => {
    await page.goto('/monitors/new?kind=http')
    await see(page, /^New monitor/)
    for (const other of ['http://localhost/', 'http://169.254.169.254/', 'http://[fe80::1]/', 'https://example.com']) {
      await fill(page, { Name: 'Gateway', Address: other })
      await page.getByLabel('Name', { exact: true }).focus()
      assert.equal(await box(page).count(), 0, other)
    }
    await fill(page, { Address: 'http://printer/' })
    assert.equal(await box(page).count(), 0)
    await page.getByLabel('Name', { exact: true }).focus()
    await box(page).waitFor()
    await fill(page, { Address: `${target}tea` })
    await press(page, 'Check now')
    await page.getByText('a private or reserved address', { exact: false }).waitFor()
    await box(page).check()
    await press(page, 'Check now')
    await page.getByRole('group', { name: 'Result of the check' }).getByText('Up', { exact: true }).waitFor()
    assert.ok(seen.includes('/tea'))
    await inspect(page, 'new monitor, of a private address')
    await press(page, 'Create the monitor')
    await see(page, 'Gateway')
    assert.equal((await monitorAt(`${target}tea`)).allow_private_target, true)
  })

  it('is asked for where a step leads there, and not where nothing is dialled', async () => {
    await page.goto('/monitors/new?kind=transaction')
    await fill(page, { Name: 'Sign in', Address: 'https://example.com' })
    await page.getByRole('group', { name: 'Steps', exact: true }).getByRole('textbox', { name: 'URL' }).fill('/sign-in')
    assert.equal(await box(page).count(), 0)
    await page.getByRole('group', { name: 'Steps', exact: true }).getByRole('textbox', { name: 'URL' }).fill(target)
    await box(page).waitFor()
    await page.goto('/monitors/new?kind=dns')
    await fill(page, { Name: 'Names', 'Domain name': 'nas.lan' })
    await page.getByLabel('Name', { exact: true }).focus()
    assert.equal(await box(page).count(), 0)
  })

  it('is not sent by members, who are not asked and may change the rest', async () => {
    const member = await join(service, page, 'member')
    const { id } = await monitorAt(`${target}tea`)
    await member.goto(`/monitors/${id}/edit`)
    await see(member, 'Change Gateway')
    assert.equal(await box(member).count(), 0)
    await fill(member, { Name: 'Router' })
    await press(member, 'Save')
    await see(member, 'Router')
    assert.equal((await monitorAt(`${target}tea`)).allow_private_target, true)
    await member.goto('/welcome?step=monitors')
    await check(member, [target])
    await member.getByText(`It is the monitor`, { exact: false }).waitFor()
    assert.equal(await box(member).count(), 0)
    await member.goto('/monitors/new?kind=http')
    await fill(member, { Name: 'Other', Address: target })
    await member.getByLabel('Name', { exact: true }).focus()
    await member.getByText('a private or reserved address', { exact: false }).waitFor()
    assert.equal(await box(member).count(), 0)
  })

  it('is taken back in the form', async () => {
    const { id } = await monitorAt(`${target}tea`)
    await page.goto(`/monitors/${id}/edit`)
    await see(page, 'Change Router')
    assert.equal(await box(page).isChecked(), true)
    await inspect(page, 'change, of a private address')
    await box(page).uncheck()
    await press(page, 'Save')
    await see(page, 'Router')
    await until('it is gone', async () => !(await monitorAt(`${target}tea`)).allow_private_target)
  })

  it('is offered where a check found that a name leads there', async () => {
    const url = 'http://printer.example.com/'
    const { id } = await callerOf(page)('POST', '/monitors', { name: 'Printer', url })
    await callerOf(page)('POST', `/monitors/${id}/pause`)
    const error = forbiddenAddress('printer.example.com', '192.168.1.7')
    const failed = { status: 'down', statusCode: null, latencyMs: null, error } as const
    await addResults(database, id, [{ at: new Date(), ...failed }])
    await page.goto(`/monitors/${id}`)
    const notice = page.getByText('its target leads to a private address', { exact: false })
    await notice.waitFor()
    await inspect(page, 'monitor, refused a private address')
    await page.getByRole('link', { name: 'Let them reach the network that Perigee runs in' }).click()
    await see(page, 'Change Printer')
    assert.equal(await box(page).isChecked(), false)
    await box(page).check()
    await press(page, 'Save')
    await see(page, 'Printer')
    await until('it may', async () => (await monitorAt(url)).allow_private_target)
    await notice.waitFor({ state: 'detached' })
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})

function box(page: Page): Locator {
  return page.getByRole('checkbox', { name: /^Let checks reach the network that Perigee runs in/ })
}

/** One of this machine's own, which is not its loopback. */
function privateAddress(): string | null {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return all.find(({ internal, address: each }) => !internal && isOfOwnNetwork(each))?.address ?? null
}
