// How a monitor is made: the kind by a look, a word or an address; the form beside what it comes to.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { kindNames } from '#core/monitors/kind-traits.ts'
import { type MonitorRecord, monitorSchema } from '#core/monitors/monitor.ts'
import { httpServer } from '../support/http-server.ts'
import { until } from '../support/until.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'
import { callerOf, workspaceIdOf } from './support/workspace-calls.ts'

const ownerEmail = 'owner@example.com'
const monitorsSchema = z.object({ data: z.array(monitorSchema) })

describe('the form of a monitor', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: ownerEmail,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_OWNER_PLAN: 'pro',
    PERIGEE_LOCATIONS: 'here=Here,there=There,yonder=Yonder',
  })
  const { visitor, inspect, complaints } = service
  const { port } = await httpServer((_request, response) => {
    response.end('Green tea')
  })
  const { page } = await visitor()
  await signIn(page, ownerEmail)
  await see(page, 'Monitors')
  const call = callerOf(page)

  const search = page.getByLabel('Search the kinds, or paste an address')
  const cards = page.getByRole('main').getByRole('listitem')

  it('begins with a card for each kind, and one for the three of steps', async () => {
    await page.goto('/monitors/new')
    await see(page, 'A new monitor')
    assert.equal(await cards.count(), kindNames.length - 2)
    for (const group of ['Web', 'Network', 'Names and certificates', 'Mail', 'Jobs and groups'])
      await page.getByRole('heading', { level: 2, name: group, exact: true }).waitFor()
    await inspect(page, 'kinds')
  })

  it('asks on that card for how many steps it is', async () => {
    const card = cards.filter({ hasText: 'Transaction' })
    assert.equal(await card.getByRole('link').count(), 3)
    await card.getByRole('link', { name: 'Transaction of up to 10 steps' }).click()
    await see(page, 'New monitor: Long transaction')
    for (const kind of ['micro_transaction', 'transaction', 'extended_transaction']) {
      await page.goto(`/monitors/new?kind=${kind}`)
      await see(page, /^New monitor: .*ransaction$/)
    }
  })

  const words: [typed: string, kind: string][] = [
    ['ssl', 'Certificate'],
    ['x402', 'Endpoint that sells'],
    ['cron', 'Heartbeat'],
    ['push', 'Heartbeat'],
    ['imap', 'Mailbox (IMAP)'],
    ['ping', 'Ping'],
    ['postgres', 'PostgreSQL'],
    ['mongodb', 'TCP port'],
    ['port udp', 'UDP service'],
    ['mail server', 'Mail server (SMTP)'],
    ['whois', 'Domain registration'],
  ]
  for (const [typed, kind] of words)
    it(`finds a kind by "${typed}", without a mouse`, async () => {
      await page.goto('/monitors/new')
      await search.focus()
      await page.keyboard.type(typed)
      await page.getByText(/Enter chooses/).waitFor()
      await page.keyboard.press('Enter')
      await see(page, `New monitor: ${kind}`)
    })

  it('goes through the cards by arrows', async () => {
    await page.goto('/monitors/new')
    await search.focus()
    await page.keyboard.press('ArrowDown')
    await focused(page, /^Website/)
    await page.keyboard.press('ArrowRight')
    await focused(page, /^HTTP API/)
    await page.keyboard.press('ArrowDown')
    await focused(page, /^(?:Page|3|Transaction|Cloud)/)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    assert.equal(await page.evaluate<string>('document.activeElement.type'), 'search')
    await page.keyboard.type('nothing like this')
    await page.getByText('No kind matches these words.').waitFor()
    await inspect(page, 'kinds, none found')
  })

  it('takes an address that is pasted, and fills the form with it', async () => {
    await page.goto('/monitors/new')
    await search.fill(` 127.0.0.1:${port}/ `)
    await page.getByText(/^Ways to watch 127/).waitFor()
    await inspect(page, 'kinds for an address')
    await search.fill('db.example.com:5432')
    await search.press('Enter')
    await see(page, 'New monitor: TCP port')
    assert.equal(await page.getByLabel('Host and port').inputValue(), 'db.example.com:5432')
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'db.example.com:5432')
    await page.goto('/monitors/new')
    await search.fill('https://www.example.com/shop')
    await page.getByRole('link', { name: /^Certificate/ }).click()
    await see(page, 'New monitor: Certificate')
    assert.equal(await page.getByLabel('Host', { exact: true }).inputValue(), 'www.example.com')
  })

  it('keeps what is pasted out of its own address, also when it is loaded anew', async () => {
    const pasted = 'https://www.example.com/in/topsecret?key=topsecret'
    const assertFilled = async (): Promise<void> => {
      await see(page, 'New monitor: Website')
      assert.equal(await page.getByLabel('Address', { exact: true }).inputValue(), pasted)
      assert.equal(new URL(page.url()).search, '?kind=http')
    }
    await page.goto('/monitors/new')
    await search.fill(pasted)
    await search.press('Enter')
    await assertFilled()
    await page.reload()
    await assertFilled()
    await page.goBack()
    await see(page, 'A new monitor')
    await page.goForward()
    await assertFilled()
  })

  it('takes an address as the set-up does, whatever stands around it', async () => {
    await page.goto('/monitors/new?kind=http')
    await fill(page, { Name: 'Local', Address: `  127.0.0.1:${port} ` })
    await page.getByLabel('Name', { exact: true }).focus()
    const address = `http://127.0.0.1:${port}`
    await until(
      'the address is whole',
      async () => (await page.getByLabel('Address', { exact: true }).inputValue()) === address,
    )
    await press(page, 'Check now')
    const result = page.getByRole('group', { name: 'Result of the check' })
    await result.getByText('Up', { exact: true }).waitFor()
    await fill(page, { Address: `127.0.0.1:${port}/` })
    await page.keyboard.press('Enter')
    await see(page, 'Local')
    const [made] = await monitors()
    assert.equal(made?.url, `http://127.0.0.1:${port}/`)
  })

  it('says beside the fields what will happen, as they are typed', async () => {
    await page.goto('/monitors/new?kind=http')
    await page.getByText('It is checked every 5 minutes from Here.').waitFor()
    await page.getByText('An incident opens after one failed round.').waitFor()
    await page.getByText('No one is alerted yet: the workspace has no contacts.').last().waitFor()
    await page.getByRole('checkbox', { name: 'Yonder' }).check()
    await page.getByLabel('Check every', { exact: true }).fill('1')
    await page.getByText('It is checked every minute from Here and Yonder.').waitFor()
    await page.getByText('What counts as up').click()
    await fill(page, { 'Failed rounds before an incident opens': '2', 'Locations that must agree': '2' })
    await page
      .getByText(/^An incident opens after 2 failed rounds in a row\. A round .* when 2 of 2 locations/)
      .waitFor()
    await page.getByText('Alerts', { exact: true }).click()
    await page.getByLabel('Alerts go to', { exact: true }).last().selectOption('none')
    await page.getByText('No one is alerted.', { exact: true }).last().waitFor()
    // What is left empty has its default, and the field says so.
    await page.getByLabel('Check every', { exact: true }).fill('')
    await page.getByText('It is checked every 5 minutes from Here and Yonder.').waitFor()
    await page.getByText('If you choose nothing, every 5 minutes.').waitFor()
    assert.equal(await page.getByLabel('Accepted status codes').getAttribute('placeholder'), 'Default: 200-399')
    await inspect(page, 'form, all unfolded')
  })

  it('takes the accepted status codes in one field, and refuses what is no code at it', async () => {
    await page.goto('/monitors/new?kind=api')
    await fill(page, { Name: 'Codes', Address: `http://127.0.0.1:${port}/` })
    await page.getByText('What counts as up').click()
    const codes = page.getByLabel('Accepted status codes')
    assert.equal(await codes.inputValue(), '200-399')
    await codes.fill('200-299, ok')
    await press(page, 'Create the monitor')
    await page.getByText('Must be codes and ranges between 100 and 599, such as 200, 401 or 200-399.').waitFor()
    assert.equal(await page.evaluate<string>('document.activeElement.name'), 'expected_status')
    await inspect(page, 'form, refused status codes')
    await codes.fill('2xx, 300')
    await press(page, 'Create the monitor')
    await see(page, 'Codes')
    const made = (await monitors()).find(({ name }) => name === 'Codes')
    assert.deepEqual([made?.expected_status_min, made?.expected_status_max], [200, 300])
    await page.goto(`/monitors/${made?.id ?? ''}/edit`)
    await page.getByText('What counts as up').click()
    assert.equal(await codes.inputValue(), '200-300')
    await codes.fill('200-299, 404')
    await press(page, 'Save')
    await page.getByText('The monitor is changed.').waitFor()
    const listed = (await monitors()).find(({ name }) => name === 'Codes')
    assert.deepEqual([listed?.expected_status_max, listed?.expected_statuses], [404, ['200-299', '404']])
    await page.goto(`/monitors/${made?.id ?? ''}/edit`)
    await page.getByText('What counts as up').click()
    assert.equal(await codes.inputValue(), '200-299, 404')
    // Emptied, it is the default again.
    await codes.fill('')
    await press(page, 'Save')
    await page.getByText('The monitor is changed.').waitFor()
    const changed = (await monitors()).find(({ name }) => name === 'Codes')
    assert.deepEqual([changed?.expected_status_min, changed?.expected_status_max], [200, 399])
    assert.equal(changed?.expected_statuses, null)
  })

  it('asks for what a way to sign in, or a proxy, needs once it is chosen, and sends nothing else', async () => {
    await page.goto('/monitors/new?kind=http')
    await fill(page, { Name: 'Signed in', Address: `http://127.0.0.1:${port}/` })
    await page.getByText('Request', { exact: true }).click()
    const way = page.getByLabel('Sign in', { exact: true })
    const labels = ['Sign in as', 'Token endpoint', 'Region of AWS', 'Service of AWS', 'User at the proxy']
    const shown = async (): Promise<string[]> => {
      const seen = await Promise.all(labels.map((label) => page.getByLabel(label, { exact: true }).isVisible()))
      return labels.filter((_, index) => seen[index])
    }
    const become = (wanted: string[]): Promise<unknown> =>
      until(`${wanted.join(', ')} are shown`, async () => (await shown()).join() === wanted.join())
    await become([])
    await inspect(page, 'form, no way to sign in')
    await way.selectOption('aws')
    await become(['Sign in as', 'Region of AWS', 'Service of AWS'])
    await fill(page, { 'Sign in as': 'shop', 'Region of AWS': 'eu-central-1', 'Service of AWS': 's3' })
    await inspect(page, 'form, signing in to AWS')
    await way.selectOption('oauth2')
    await become(['Sign in as', 'Token endpoint'])
    await fill(page, { 'Token endpoint': `http://127.0.0.1:${port}/token`, Proxy: `http://127.0.0.1:${port}` })
    await become(['Sign in as', 'Token endpoint', 'User at the proxy'])
    await inspect(page, 'form, signing in with a token by a proxy')
    await fill(page, { 'User at the proxy': 'ann', Proxy: '' })
    await press(page, 'Create the monitor')
    await see(page, 'Signed in')
    const made = (await monitors()).find(({ name }) => name === 'Signed in')
    const token = { sign_in: 'oauth2', sign_in_name: 'shop', token_url: `http://127.0.0.1:${port}/token` }
    assert.deepEqual(made?.check_options, { ...made?.check_options, ...token })
    for (const option of ['aws_region', 'proxy_name']) assert.ok(!(option in (made?.check_options ?? {})), option)
    await page.goto(`/monitors/${made?.id ?? ''}/edit`)
    await page.getByText('Request', { exact: true }).click()
    await become(['Sign in as', 'Token endpoint'])
    await way.selectOption('')
    await become([])
    await press(page, 'Save')
    await page.getByText('The monitor is changed.').waitFor()
    const changed = (await monitors()).find(({ name }) => name === 'Signed in')
    for (const option of Object.keys(token)) assert.ok(!(option in (changed?.check_options ?? {})), option)
  })

  it('keeps the codes of a step that says one end alone', async () => {
    const steps = [
      { url: '/', expected_status_min: 201 },
      { url: '/a', expected_status_max: 250 },
    ]
    const input = { kind: 'transaction', name: 'Steps', url: `http://127.0.0.1:${port}/`, check_options: { steps } }
    const { id } = await call('POST', '/monitors', input)
    await page.goto(`/monitors/${id}/edit`)
    await see(page, 'Change Steps')
    await fill(page, { Name: 'Same steps' })
    await press(page, 'Save')
    await page.getByText('The monitor is changed.').waitFor()
    const kept = (await monitors()).find((monitor) => monitor.id === id)
    assert.deepEqual(kept?.check_options['steps'], steps)
  })

  it('has two columns on a wide screen, where the right one stays in sight, and one on a phone', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto('/monitors/new?kind=http')
    const save = page.getByRole('button', { name: 'Create the monitor' })
    await page.getByText('What counts as up').click()
    await page.getByText('Alerts', { exact: true }).click()
    const [name, beside] = [await boxOf(page, 'name'), await save.boundingBox()]
    assert.ok((beside?.x ?? 0) > name.x + name.width, 'the button stands beside the fields')
    await page.getByText('More', { exact: true }).last().scrollIntoViewIfNeeded()
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await until('the button is in sight', async () => {
      const box = await save.boundingBox()
      return box !== null && box.y > 0 && box.y < 900
    })
    await page.setViewportSize({ width: 390, height: 844 })
    const [narrow, below] = [await boxOf(page, 'name'), await save.boundingBox()]
    assert.ok((below?.y ?? 0) > narrow.y && (below?.x ?? 400) < 100, 'the button stands below the fields')
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  it('is filled in and saved without a mouse', async () => {
    await page.goto('/monitors/new')
    await search.focus()
    await page.keyboard.type(`http://127.0.0.1:${port}/tea`)
    await page.keyboard.press('Enter')
    await see(page, 'New monitor: Website')
    await page.getByLabel('Name', { exact: true }).focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('Tea by keys')
    await tabTo(page, 'summary', 'What counts as up')
    await page.keyboard.press('Enter')
    await tabTo(page, 'input', 'expected_status')
    await page.keyboard.type('200')
    await tabTo(page, 'button', 'Check now')
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'Result of the check' }).getByText('Up', { exact: true }).waitFor()
    // The result has the focus once it arrives; before it stand the two buttons.
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    await focused(page, /^Create the monitor/)
    await page.keyboard.press('Enter')
    await see(page, 'Tea by keys')
  })

  it('keeps a time zone that is typed on a slow machine while the form is still being drawn', async () => {
    const processor = await page.context().newCDPSession(page)
    await processor.send('Emulation.setCPUThrottlingRate', { rate: 12 })
    await page.goto('/monitors/new?kind=heartbeat')
    await see(page, 'New monitor: Heartbeat')
    for (const zone of ['Europe/Vienna', 'Asia/Tokyo', 'UTC', 'Europe/Berlin', 'America/Lima', 'Asia/Seoul']) {
      await fill(page, { 'Schedule, in place of the interval': `2 2 * * ${zone.length % 7}` })
      await fill(page, { 'Time zone of the schedule': zone })
      assert.equal(await page.getByLabel('Time zone of the schedule').inputValue(), zone)
    }
    await processor.detach()
  })

  it('hears a press below a field whose problem comes, or goes, when it is left', async () => {
    await page.goto('/monitors/new?kind=http')
    await see(page, /^New monitor: /)
    await fill(page, { Name: 'Tea', Address: `http://127.0.0.1:${port}` })
    await page.getByText('Alerts', { exact: true }).click()
    await page.getByText('Which alerts, and when').click()
    const critical = page.getByRole('checkbox', { name: /^Critical/ })
    const problem = page.getByText('Must be at most 720.')
    /** Holds the button down on the box until what the field above it says has been judged. */
    const hold = async (minutes: string): Promise<void> => {
      await fill(page, { 'Alert about an outage once it has lasted (minutes)': minutes })
      await critical.scrollIntoViewIfNeeded()
      const { x, y } = (await critical.boundingBox()) ?? assert.fail('it is not shown')
      await page.mouse.move(x + 4, y + 4)
      const judged = page.waitForResponse(/\/quote$/)
      await page.mouse.down()
      await judged
      await drawnTwice(page)
    }
    for (const [minutes, isRefused] of [
      ['721', true],
      ['3', false],
    ] as const) {
      await hold(minutes)
      await page.mouse.up()
      assert.equal(await critical.isChecked(), isRefused)
      await problem.waitFor({ state: isRefused ? 'visible' : 'hidden' })
    }
    await hold('721')
    assert.equal(await problem.isVisible(), false)
    // The pointer was let go unheard, as over the list of a select.
    await page.evaluate(`window.dispatchEvent(new PointerEvent('pointermove', { buttons: 0 }))`)
    await problem.waitFor()
    await page.mouse.up()
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))

  it('leaves no secret in the database nor in a log', () => assertSecretsKept(service, ['password', 'cookie']))

  async function monitors(): Promise<MonitorRecord[]> {
    const headers = { 'X-Perigee-Workspace': await workspaceIdOf(page) }
    return monitorsSchema.parse(await (await page.request.get('/api/v1/monitors', { headers })).json()).data
  }
})

async function focused(page: Page, words: RegExp): Promise<void> {
  const text = await page.evaluate<string>('document.activeElement.textContent')
  assert.match(text, words)
}

type Box = { x: number; y: number; width: number }

async function boxOf(page: Page, name: string): Promise<Box> {
  return (await page.locator(`[name="${name}"]`).boundingBox()) ?? assert.fail(`no field ${name}`)
}

const mostSteps = 60

/** Presses Tab until the focus is on this element: a field by its name, anything else by its words. */
async function tabTo(page: Page, tag: string, words: string): Promise<void> {
  for (let step = 0; step < mostSteps; step += 1) {
    await page.keyboard.press('Tab')
    const at = await page.evaluate<string[]>(
      '[document.activeElement.localName, document.activeElement.name ?? "", document.activeElement.textContent]',
    )
    if (at[0] === tag && (at[1] === words || at[2]?.startsWith(words) === true)) return
  }
  assert.fail(`Tab does not reach ${words}`)
}

/** As long as a person takes to let a button go, at least for what the page does meanwhile. */
async function drawnTwice(page: Page): Promise<void> {
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))')
}
