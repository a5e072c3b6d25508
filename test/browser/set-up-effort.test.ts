// How little the set-up asks of a person.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { httpServer } from '../support/http-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { proposedName } from '../../web/src/pages/people/proposed-name.ts'
import { proposedTitle } from '../../web/src/pages/welcome/addresses.ts'
import { type CountedPerson, countEffort } from './support/counted.ts'
import { password, press, see, startConsole } from './support/console.ts'
import { phone, seeStep } from './support/welcome.ts'
import { callerOf } from './support/workspace-calls.ts'

describe('a name that is proposed for an account', () => {
  const cases: [email: string, name: string][] = [
    ['olivia@example.com', 'Olivia'],
    ['olivia.park@example.com', 'Olivia Park'],
    [' jean-luc@example.com ', 'Jean Luc'],
    ['olivia+perigee@example.com', 'Olivia'],
    ['zoë@example.com', 'Zoë'],
    ['op17@example.com', ''],
    ['olivia', ''],
    ['olivia@example', ''],
    ['', ''],
    ['@example.com', ''],
  ]
  for (const [email, name] of cases) it(`“${email}”`, () => assert.equal(proposedName(email), name))
})

describe('a title that is proposed for a status page', () => {
  const shop = { url: 'https://www.shop.example/health' }
  const cases: [name: string, shown: { url: string | null }[], title: string][] = [
    ['Acme', [shop], 'Acme'],
    ['Perigee', [shop], 'shop.example'],
    ['My workspace', [{ url: null }, { url: 'db.example.com:5432' }, shop], 'shop.example'],
    ['Perigee', [], 'Perigee'],
  ]
  for (const [name, shown, title] of cases)
    it(`${title} of ${name}`, () => assert.equal(proposedTitle(name, shown), title))
})

describe('the set-up, counted', async () => {
  const service = await startConsole({ PERIGEE_SIGN_UP: 'invited' })
  const { perigee, visitor, inspect, complaints, origin } = service
  const [link = ''] = await perigee.printed(/http:\S+\/set-up#token=\S+/)
  service.collected.note(link)
  const shop = await httpServer((_request, response) => response.end('Green tea'))
  const receiver = await startReceiver()
  const shopUrl = `http://127.0.0.1:${shop.port}/`
  const { page } = await visitor()
  const person = await countEffort(page)
  const field = (label: string) => page.getByLabel(label, { exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  it('has the first monitor after three clicks', async () => {
    await page.goto(link)
    await person.type(field('Email'), 'olivia.park@example.com')
    assert.equal(await field('Your name').inputValue(), 'Olivia Park')
    await person.type(field('Password'), password)
    await person.click(button("Create the owner's account"))
    await seeStep(page, 'What to watch')
    await person.type(field('Addresses'), shopUrl)
    await person.click(button('Check them'))
    await person.click(button('Watch it'))
    await seeStep(page, 'Who to alert')
    await page.getByRole('status').getByText('1 monitor is watched.').waitFor()
    await assertEffort(person, 3, 3)
    await inspect(page, 'welcome, went on to contacts', phone)
  })

  it('has a tested contact and a published page after nine clicks and four fields', async () => {
    await person.click(page.getByRole('radio', { name: 'Webhook' }))
    await person.type(field('URL'), receiver.url)
    await person.click(button('Add and send a test'))
    await page.getByText('Webhook gets alerts from now on: a test alert was accepted there with 204.').waitFor()
    assert.equal(receiver.received.length, 1)
    await page.getByText('Works', { exact: true }).waitFor()
    assert.match((await field('Signing secret').textContent()) ?? '', /^whsec_/)
    await inspect(page, 'welcome, a webhook and its secret', phone)
    await person.click(page.getByRole('link', { name: 'Next', exact: true }))
    await seeStep(page, 'Show it')
    await person.click(page.getByRole('checkbox', { name: `127.0.0.1:${shop.port}` }))
    await person.click(button('Publish the page'))
    await seeStep(page, 'Your workspace')
    const address = (await page.getByRole('status').getByLabel('Address of Perigee').textContent()) ?? ''
    assert.ok(address.startsWith(`${origin}/status/perigee`), address)
    assert.equal((await fetch(address)).status, 200)
    await assertEffort(person, 9, 4)
    await inspect(page, 'welcome, went on to the name', phone)
  })

  it('asks for the name of the workspace last', async () => {
    await person.type(field('Name of the workspace'), 'Acme')
    await person.click(button('Save and continue'))
    await seeStep(page, 'Done')
    await page.getByRole('status').getByText('The name of the workspace is Acme.').waitFor()
    assert.equal(await page.getByText('Skipped so far').count(), 0)
  })

  it('is done on a phone, in the dark, by keyboard alone', async () => {
    const { id } = await callerOf(page)('POST', '/workspaces', { name: 'Branch' })
    await page.evaluate((chosen) => localStorage.setItem('perigee.workspace', chosen), id)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.goto('/welcome')
    await seeStep(page, 'What to watch')
    const reach = async (what: string, isThere: () => Promise<boolean>): Promise<void> => {
      for (let step = 0; step < 80; step += 1) {
        if (await isThere()) return
        await page.keyboard.press('Tab')
      }
      assert.fail(`Tab never comes to ${what}`)
    }
    const reachIn = (target: ReturnType<typeof field>, what: string): Promise<void> =>
      reach(what, async () => (await target.and(page.locator(':focus')).count()) > 0)
    await reachIn(field('Addresses'), 'the addresses')
    await page.keyboard.type(shopUrl)
    await reachIn(button('Check them'), 'the button that checks')
    await page.keyboard.press('Enter')
    await button('Watch it').waitFor()
    await reachIn(button('Watch it'), 'the button that watches')
    await page.keyboard.press('Enter')
    await seeStep(page, 'Who to alert')
    await reachIn(page.getByRole('radio', { name: 'Email' }), 'the kinds')
    await page.keyboard.press('ArrowDown')
    await reachIn(field('URL'), 'the URL')
    await page.keyboard.type(receiver.url)
    await page.keyboard.press('Enter')
    await page.getByText('a test alert was accepted there with 204.', { exact: false }).waitFor()
    await until('the focus is on what was added', async () =>
      ((await page.locator('div:focus').textContent()) ?? '').startsWith('Webhook gets alerts'),
    )
    await reachIn(page.getByRole('link', { name: 'Next', exact: true }), 'the way on')
    await page.keyboard.press('Enter')
    await seeStep(page, 'Show it')
    await reachIn(button('Publish the page'), 'the button that publishes')
    await page.keyboard.press('Enter')
    await seeStep(page, 'Done')
    await page.getByRole('status').getByLabel('Address of Branch').waitFor()
  })

  it('stays where a test fails, and sends it again', async () => {
    const gone = await startReceiver()
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.goto('/welcome?step=contacts')
    await page.getByRole('radio', { name: 'Slack' }).check()
    await field('URL').fill(`${gone.url}/services/T/B/secret`)
    gone.react(() => ({ status: 404 }))
    await press(page, 'Add and send a test')
    await page.getByText('The test alert did not arrive at Slack.', { exact: false }).waitFor()
    await seeStepStill('Who to alert')
    await inspect(page, 'welcome, a test failed', phone)
    gone.react(() => ({ status: 204 }))
    await press(page, 'Send it again')
    await seeStep(page, 'Done')
    await page.getByRole('status').getByText('Slack gets alerts from now on', { exact: false }).waitFor()
    await see(page, 'Set up Branch')
  })

  async function seeStepStill(title: string): Promise<void> {
    const present = page.getByRole('navigation', { name: 'Steps' }).locator('[aria-current=step]')
    assert.match((await present.textContent()) ?? '', new RegExp(title))
  }

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})

async function assertEffort({ effort }: CountedPerson, clicks: number, fields: number): Promise<void> {
  const spent = await effort()
  assert.ok(spent.clicks > 0 && spent.clicks <= clicks, `${spent.clicks} clicks instead of ${clicks}`)
  assert.ok(spent.fields > 0 && spent.fields <= fields, `${spent.fields} fields instead of ${fields}`)
}
