// From the link of the first start to a workspace that watches, tells and shows.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { httpServer } from '../support/http-server.ts'
import { rawServer } from '../support/raw-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { proposedAddresses } from '../../web/src/pages/welcome/addresses.ts'
import { showsInternalAddress } from '../../web/src/parts/internal-names.ts'
import { linesOf } from '../../web/src/pages/welcome/lines.ts'
import { type Wish, sameness, wishOf } from '../../web/src/parts/targets.ts'
import { fill, password, press, see, startConsole } from './support/console.ts'
import { holdAnswer } from './support/held-answers.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'
import { check, goOn, goTo, join, phone, seeStep, watched } from './support/welcome.ts'
import { callerOf } from './support/workspace-calls.ts'

function website(url: string, name: string, otherwise: string | null = null): Wish {
  return { kind: 'http', url, name, otherwise }
}

function server(kind: Wish['kind'], url: string): Wish {
  return { kind, url, name: url, otherwise: null }
}

function areSame(one: string, other: string): boolean {
  return sameness(wishOf(one)) === sameness(wishOf(other))
}

describe('what a line means', () => {
  const cases: [text: string, wish: Wish][] = [
    ['example.com', website('https://example.com', 'example.com', 'http://example.com')],
    ['localhost', website('https://localhost', 'localhost', 'http://localhost')],
    ['example.com/a/?b', website('https://example.com/a/?b', 'example.com/a', 'http://example.com/a/?b')],
    ['example.com:8080/a', website('https://example.com:8080/a', 'example.com:8080/a', 'http://example.com:8080/a')],
    ['https://www.example.com/', website('https://www.example.com/', 'www.example.com')],
    ['HTTP://Example.com', website('HTTP://Example.com', 'example.com')],
    ['https://ann:secret@example.com/?key=1', website('https://ann:secret@example.com/?key=1', 'example.com')],
    ['ftp://example.com', website('ftp://example.com', 'example.com')],
    ['two words', website('https://two words', 'https://two words', 'http://two words')],
    ['example.com:443', website('https://example.com', 'example.com')],
    ['example.com:80', website('http://example.com', 'example.com')],
    ['db.example.com:5432', server('tcp', 'db.example.com:5432')],
    ['[2001:db8::1]:5432', server('tcp', '[2001:db8::1]:5432')],
    ['example.com:22', server('ssh', 'example.com:22')],
    ['example.com:465', server('smtp', 'example.com:465')],
    ['example.com:587', server('smtp', 'example.com:587')],
    ['example.com:993', server('imap', 'example.com:993')],
    ['example.com:995', server('pop', 'example.com:995')],
    ['192.0.2.1', server('ping', '192.0.2.1')],
    ['2001:db8::1', server('ping', '2001:db8::1')],
    ['[2001:db8::1]', server('ping', '2001:db8::1')],
  ]
  for (const [text, wish] of cases) it(text, () => assert.deepEqual(wishOf(text), wish))

  it('empty lines say nothing, and spaces around a line neither', () => {
    assert.deepEqual(
      linesOf('\n  a.example \r\n\n\tb.example').map(({ text }) => text),
      ['a.example', 'b.example'],
    )
  })

  it('names are no longer than a monitor has them', () => {
    assert.equal(wishOf(`https://example.com/${'a'.repeat(300)}`).name.length, 160)
    assert.equal(wishOf(`${'a'.repeat(300)}:1`).name.length, 160)
  })

  it('addresses that are checked alike are the same', () => {
    assert.ok(areSame('example.com', 'https://EXAMPLE.com/'))
    assert.ok(areSame('DB.example.com:1', 'db.example.com:1'))
    assert.ok(!areSame('https://example.com', 'http://example.com'))
    assert.ok(!areSame('https://example.com/a', 'https://example.com/A'))
  })
})

describe('addresses that are proposed for a status page', () => {
  const cases: [name: string, best: string | undefined][] = [
    ['Acme', 'acme'],
    ['Café Ñandú & Co.', 'cafe-nandu-co'],
    ['X', 'x-status'],
    ['東京', undefined],
    ['', undefined],
    ['a'.repeat(200), 'a'.repeat(56)],
    [`${'a'.repeat(55)} b`, 'a'.repeat(55)],
  ]
  for (const [name, best] of cases) it(`“${name}”`, () => assert.equal(proposedAddresses(name)[0], best))

  it('none is too long for the service', () => {
    for (const slug of proposedAddresses('a'.repeat(200))) assert.match(slug, /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/)
  })
})

describe('names that a status page is not offered', () => {
  const cases: [name: string, url: string | null, isInternal: boolean][] = [
    ['127.0.0.1:4311/health', 'http://127.0.0.1:4311/health', true],
    ['127.0.0.1:9', '127.0.0.1:9', true],
    ['192.168.1.1', '192.168.1.1', true],
    ['172.31.0.1', '172.31.0.1', true],
    ['172.32.0.1', '172.32.0.1', false],
    ['100.64.0.1:22', '100.64.0.1:22', true],
    ['fd00::1', 'fd00::1', true],
    ['[fe80::1]:22', '[fe80::1]:22', true],
    ['2001:db8::1', '2001:db8::1', false],
    ['localhost:3000', 'https://localhost:3000', true],
    ['NAS.local', 'http://nas.local/', true],
    ['printer', 'https://printer/', true],
    ['The printer', 'https://printer/', false],
    ['Shop', 'http://10.0.0.8/', false],
    ['10.example.com', 'https://10.example.com', false],
    ['example.com', 'https://example.com', false],
    ['db.example.com:5432', 'db.example.com:5432', false],
    ['Backups', null, false],
  ]
  for (const [name, url, isInternal] of cases)
    it(`“${name}” at ${url}`, () => assert.equal(showsInternalAddress({ name, url }), isInternal))
})

describe('the set-up of the first start', async () => {
  const service = await startConsole({ PERIGEE_SIGN_UP: 'invited' })
  const { perigee, visitor, inspect, linkTo, complaints, origin } = service
  const [link = ''] = await perigee.printed(/http:\S+\/set-up#token=\S+/)
  const shop = await httpServer((_request, response) => response.end('Green tea'))
  const database = await rawServer(() => {})
  const receiver = await startReceiver()
  const { page, context } = await visitor()
  const email = 'olivia@example.com'
  const shopUrl = `http://127.0.0.1:${shop.port}/`
  const list = page.getByRole('list', { name: 'What the checks say' }).getByRole('listitem')

  it('begins with what to watch, right behind the link', async () => {
    await page.goto(link)
    await fill(page, { 'Your name': 'Olivia', Email: email, Password: password })
    await press(page, "Create the owner's account")
    await see(page, 'Set up Perigee')
    await seeStep(page, 'What to watch')
    assert.match(await page.title(), /^Step 1 of 5: What to watch/)
    await inspect(page, 'welcome, watch', phone)
  })

  it('takes a name for the workspace at any time', async () => {
    await goTo(page, 'Your workspace')
    await inspect(page, 'welcome, name', phone)
    await fill(page, { 'Name of the workspace': '' })
    await press(page, 'Save and continue')
    await page.getByLabel('Name of the workspace').and(page.locator('[aria-invalid=true]:focus')).waitFor()
    await inspect(page, 'welcome, name refused', phone)
    await fill(page, { 'Name of the workspace': 'Acme' })
    await press(page, 'Save and continue')
    await seeStep(page, 'Done')
    await see(page, 'Set up Acme')
    await goTo(page, 'What to watch')
  })

  it('says which lines are wrong, and watches the others', async () => {
    await press(page, 'Check them')
    await page.getByText('Enter at least one address.').waitFor()
    await check(
      page,
      Array.from({ length: 11 }, (_, index) => `${index}.example.com`),
    )
    await page.getByText('These are 11 lines. Enter at most 10 at once.').waitFor()
    const terms = await holdAnswer(page, /\/api\/v1\/account\/plan$/)
    await check(page, [shopUrl, 'two words', `127.0.0.1:${database.port}`, 'ftp://files.example.com'])
    const problem = 'Cannot be watched, for the reasons below: “two words”, “ftp://files.example.com”.'
    await page.getByText(problem).waitFor()
    await page.getByLabel('Addresses').and(page.locator('[aria-invalid=true]:focus')).waitFor()
    await list.filter({ hasText: 'two words' }).getByText('Must be a URL with its scheme', { exact: false }).waitFor()
    await list.filter({ hasText: 'ftp:' }).getByText('Must begin with https:// or http://.').waitFor()
    await page.getByText('2 of 2 answer.').waitFor()
    // The form stays while the terms of the plan, which come with what was found, are still being read.
    await terms.release()
    await page
      .getByText(
        'Each is checked every 5 minutes, from This machine. You can change both in the settings of the monitor.',
      )
      .waitFor()
    assert.equal(await list.getByText('Cannot be watched').count(), 2)
    assert.equal(await list.getByRole('checkbox', { checked: true }).count(), 2)
    await inspect(page, 'welcome, two of four are wrong', phone)
    // A second press finds nothing to do.
    await page.getByRole('button', { name: 'Watch these 2' }).dblclick()
    await watched(page)
      .filter({ hasText: `127.0.0.1:${database.port}` })
      .getByText('Up')
      .waitFor()
    await watched(page).filter({ hasText: shopUrl }).getByText('Up').waitFor()
    assert.equal(await watched(page).count(), 2)
    assert.equal(await page.getByLabel('Addresses').inputValue(), 'two words\nftp://files.example.com')
    await inspect(page, 'welcome, watched', phone)
  })

  it('asks twice before something that is down is watched, and watches nothing twice', async () => {
    await check(page, [shopUrl, '127.0.0.1:9', '127.0.0.1:9'])
    await page.getByText('0 of 1 answer. You can still watch what is down: tick it.').waitFor()
    await list.filter({ hasText: shopUrl }).getByText(`It is the monitor 127.0.0.1:${shop.port}.`).waitFor()
    assert.equal(await list.count(), 2)
    assert.equal(await list.getByRole('checkbox', { checked: true }).count(), 0)
    await press(page, 'Watch')
    await page.getByRole('alert').getByText('Tick at least one.').waitFor()
    await list.getByRole('checkbox').check()
    await inspect(page, 'welcome, watch what is down', phone)
    await press(page, 'Watch it')
    await seeStep(page, 'Who to alert')
    await page.getByRole('link', { name: 'Watch more' }).click()
    await seeStep(page, 'What to watch')
    assert.equal(await page.getByLabel('Addresses').inputValue(), '')
    await watched(page).filter({ hasText: '127.0.0.1:9' }).getByText('Down').waitFor()
    assert.equal(await watched(page).count(), 3)
  })

  it('takes a bare name for a website, without TLS where there is none', async () => {
    await check(page, [`localhost:${shop.port}/tea`])
    await list.getByText(`http://localhost:${shop.port}/tea`).waitFor()
    await list.getByText('Up').waitFor()
    await press(page, 'Watch it')
    await seeStep(page, 'Who to alert')
    await goOn(page, 'Back')
    await watched(page)
      .filter({ hasText: `localhost:${shop.port}/tea` })
      .getByText('Up')
      .waitFor()
  })

  it('adds the own address, which agrees by a real mail, and tests it', async () => {
    await goOn(page, 'Next')
    await seeStep(page, 'Who to alert')
    assert.equal(await page.getByLabel('Address', { exact: true }).inputValue(), email)
    await inspect(page, 'welcome, tell', phone)
    await press(page, 'Add')
    await seeStep(page, 'Show it')
    await page.getByRole('status').getByText(`A mail is on its way to ${email}`, { exact: false }).waitFor()
    await inspect(page, 'welcome, went on to the page', phone)
    await goOn(page, 'Back')
    await page.getByText(`Open the link in the mail to ${email}`, { exact: false }).waitFor()
    await inspect(page, 'welcome, waits for its reader', phone)
    const reader = await context.newPage()
    await reader.goto(await linkTo(email, /confirm/i))
    await press(reader, 'Confirm')
    await reader.getByText('This address is confirmed').first().waitFor()
    await reader.close()
    await page.reload()
    await page.getByText('Works', { exact: true }).waitFor()
    await press(page, 'Test Olivia')
    await page
      .getByRole('status')
      .getByText(/^The test alert was accepted/)
      .waitFor()
    await linkTo(email, /test/i)
  })

  it('adds a webhook, whose secret is told once', async () => {
    await page.getByRole('radio', { name: 'Webhook' }).check()
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Webhook')
    await fill(page, { Name: 'On call', URL: 'http://alerts.example.com' })
    await press(page, 'Add and send a test')
    await page.getByLabel('URL', { exact: true }).and(page.locator('[aria-invalid=true]')).waitFor()
    await inspect(page, 'welcome, contact refused', phone)
    await fill(page, { URL: receiver.url })
    await press(page, 'Add and send a test')
    await page.getByLabel('Signing secret', { exact: true }).waitFor()
    await page.getByText('On call', { exact: true }).waitFor()
    await page.getByText('On call gets alerts from now on', { exact: false }).waitFor()
    // What is shown once stays while a person goes on in this step.
    await press(page, 'Add another contact')
    await page.getByLabel('Signing secret', { exact: true }).waitFor()
    await inspect(page, 'welcome, told', phone)
  })

  it('publishes a page, which is read without scripts', async () => {
    await goOn(page, 'Next')
    await seeStep(page, 'Show it')
    assert.equal(await page.getByLabel('Address', { exact: true }).inputValue(), 'acme')
    await page.getByText('0 chosen').waitFor()
    await page.getByText('4 monitors are named after addresses of your network', { exact: false }).waitFor()
    for (const box of await page.getByRole('list', { name: 'Monitors on the page' }).getByRole('checkbox').all())
      await box.check()
    await page.getByText('4 chosen').waitFor()
    await inspect(page, 'welcome, show', phone)
    await fill(page, { Title: '' })
    await press(page, 'Publish the page')
    await page.getByLabel('Title').and(page.locator('[aria-invalid=true]:focus')).waitFor()
    await fill(page, { Title: 'Acme' })
    await press(page, 'Publish the page')
    const address = `${origin}/status/acme`
    await seeStep(page, 'Done')
    await page.getByRole('status').getByLabel('Address of Acme').waitFor()
    assert.equal(await page.getByLabel('Address of Acme').textContent(), address)
    await inspect(page, 'welcome, shown', phone)
    const browser = context.browser() ?? assert.fail('no browser')
    const reader = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    await reader.goto(address)
    await reader.getByRole('heading', { name: `127.0.0.1:${shop.port}`, exact: true }).waitFor()
  })

  it('ends with how things are, live, and what else there is', async () => {
    await seeStep(page, 'Done')
    assert.equal(await watched(page).count(), 4)
    await page.getByText(`claude mcp add --transport http perigee ${origin}/mcp`, { exact: false }).waitFor()
    assert.equal(await page.getByText('Skipped so far').count(), 0)
    await inspect(page, 'welcome, done', phone)
    await callerOf(page)('POST', '/monitors', { name: 'Added elsewhere', url: shopUrl })
    await watched(page).filter({ hasText: 'Added elsewhere' }).getByText('Up').waitFor()
  })

  it('comes back to where something is open, and to any step', async () => {
    await page.goto('/welcome')
    await seeStep(page, 'Done')
    await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Your workspace (done)' }).click()
    await seeStep(page, 'Your workspace')
    await page.goBack()
    await seeStep(page, 'Done')
    await page.goto('/welcome?step=nowhere')
    await seeStep(page, 'Done')
    await page.getByRole('link', { name: 'To the monitors' }).click()
    await see(page, 'Monitors')
  })

  it('asks members nothing that they may not do', async () => {
    const member = await join(service, page, 'member')
    await member.goto('/welcome')
    await seeStep(member, 'Done')
    const steps = member.getByRole('navigation', { name: 'Steps' }).getByRole('listitem')
    assert.equal(await steps.count(), 4)
    assert.equal(await steps.getByText('Your workspace').count(), 0)
    await member.getByRole('link', { name: /^Maintenance Planned work/ }).waitFor()
    for (const name of [/^Invite others/, /^API tokens/])
      assert.equal(await member.getByRole('link', { name }).count(), 0)
    await inspect(member, 'welcome, member', phone)
    await member.goto('/welcome?step=workspace')
    await seeStep(member, 'Done')
    await steps.getByRole('link', { name: /^What to watch/ }).click()
    await seeStep(member, 'What to watch')
  })

  it('tells viewers that they change nothing', async () => {
    const viewer = await join(service, page, 'viewer')
    await viewer.goto('/welcome')
    await viewer.getByText('Viewers of Acme cannot change anything in it.').waitFor()
    await inspect(viewer, 'welcome, viewer', phone)
  })

  it('is offered for every new workspace, and can be left out whole', async () => {
    await page.getByRole('button', { name: /^Workspace: / }).click()
    await page.getByRole('menuitem', { name: 'Create a workspace' }).click()
    await fill(page, { Name: 'Branch' })
    await press(page, 'Create')
    await see(page, 'Set up Branch')
    // Its name was chosen a moment ago.
    await seeStep(page, 'What to watch')
    for (const next of ['Who to alert', 'Show it', 'Done']) {
      await goOn(page, 'Skip this step')
      await seeStep(page, next)
    }
    const open = page.getByRole('region', { name: 'Skipped so far' }).getByRole('link')
    assert.deepEqual(await open.allTextContents(), ['What to watch', 'Who to alert', 'Show it'])
    await inspect(page, 'welcome, nothing done', phone)
    await goOn(page, 'To the monitors')
    await page.getByRole('heading', { name: 'Nothing is watched yet' }).waitFor()
    await goOn(page, 'Set up step by step')
    await seeStep(page, 'What to watch')
    await page.goto('/welcome?step=status-page')
    await page.getByText('There is nothing to show yet.', { exact: false }).waitFor()
    await inspect(page, 'welcome, nothing to show', phone)
  })

  it('is offered again where something is watched and nobody told, until that is meant', async () => {
    await page.goto('/welcome?step=monitors')
    await check(page, [shopUrl])
    await press(page, 'Watch it')
    await seeStep(page, 'Who to alert')
    await goOn(page, 'Finish later')
    await page.getByText('No contact is alerted yet when a monitor goes down.').waitFor()
    await inspect(page, 'monitors, nobody is told', phone)
    await goOn(page, 'Continue the set-up')
    await seeStep(page, 'Who to alert')
    await goOn(page, 'Finish later')
    await press(page, 'Leave as is')
    await page.reload()
    await see(page, 'Monitors')
    await page.getByRole('row', { name: /127/ }).waitFor()
    assert.equal(await page.getByText('No contact is alerted yet').count(), 0)
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))

  it('leaves no secret in the database nor in a log', () => {
    service.collected.note(link)
    return assertSecretsKept(service, ['password', 'cookie', 'token'])
  })
})
