// Short messages that cover nothing, and the frame of a page while it loads.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { httpServer } from '../support/http-server.ts'
import { until } from '../support/until.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'
import { holdAnswer } from './support/held-answers.ts'
import { callerOf } from './support/workspace-calls.ts'

const email = 'owner@example.com'

/** Names of what can be pressed and lies, even in part, below the message that is shown; null while none is. */
const covered = `(() => {
  const toast = [...document.querySelectorAll('[role=status] > p')].find((each) => each.checkVisibility() && each.className.includes('bg-text'))
  if (toast === undefined) return null
  const own = toast.getBoundingClientRect()
  const isBelow = (control) => {
    const box = control.getBoundingClientRect()
    const isApart = box.right <= own.left || box.left >= own.right || box.bottom <= own.top || box.top >= own.bottom
    return box.width > 0 && control.checkVisibility() && !isApart
  }
  const isWithin = own.top >= 0 && own.bottom <= innerHeight && own.left >= 0 && own.right <= innerWidth
  const names = [...document.querySelectorAll('a[href], button, input, select, textarea, summary')].filter(isBelow)
  return { isWithin, moved: toast.style.translate, names: names.map((each) => each.textContent || each.name) }
})()`

/** Scrolls until a button stands where the message begins, which goes up from there. */
const scrollBelow = `(() => {
  const toast = [...document.querySelectorAll('[role=status] > p')].find((each) => each.checkVisibility() && each.className.includes('bg-text'))
  const up = Number(/ -([0-9.]+)px/.exec(toast.style.translate)?.[1] ?? 0)
  const place = toast.getBoundingClientRect().top + up
  const tops = [...document.querySelectorAll('main button')].map((each) => each.getBoundingClientRect().top)
  scrollBy(0, Math.min(...tops.filter((top) => top >= place)) - place)
})()`

type Covered = { isWithin: boolean; moved: string; names: string[] } | null

describe('a short message', async () => {
  const service = await startConsole({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: password })
  const { visitor, complaints, linkTo } = service
  const { port } = await httpServer((_, response) => response.writeHead(503).end('Out of order'))
  const { page } = await visitor()
  await signIn(page, email)
  await see(page, 'Monitors')
  const call = callerOf(page)
  for (let index = 1; index <= 10; index += 1) {
    const input = { interval_seconds: 300, failure_threshold: 1, url: `http://127.0.0.1:${port}/${index}` }
    await call('POST', '/monitors', { name: `Shop ${index}`, ...input })
  }
  await page.goto('/incidents')
  const acknowledge = page.getByRole('button', { name: /^Acknowledge: / })
  await until('all are down', async () => (await acknowledge.count()) === 10, 60_000)

  const looks = [
    { what: 'a phone, light', width: 390, height: 844, colorScheme: 'light' },
    { what: 'a phone, dark', width: 390, height: 844, colorScheme: 'dark' },
    { what: 'a desk, light', width: 1280, height: 900, colorScheme: 'light' },
    { what: 'a desk, dark', width: 1280, height: 900, colorScheme: 'dark' },
  ] as const
  for (const { what, width, height, colorScheme } of looks)
    it(`covers no button of a long list: ${what}`, async () => {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await page.goto('/incidents')
      await acknowledge.first().waitFor()
      const buttons = await acknowledge.count()
      await acknowledge.first().click()
      // The list moves once more when the button of what is acknowledged goes.
      await until('the list shows it', async () => (await acknowledge.count()) === buttons - 1)
      const text = 'Acknowledged. The recovery alert is still sent.'
      const moved = await assertFree(page, text)
      if (width >= 768) return assert.equal(moved, '', 'a desk has room beside the page')
      await page.evaluate(scrollBelow)
      assert.notEqual(await assertFree(page, text), '', 'the list has a button where messages begin')
    })

  const forms: readonly { at: string; act: (of: Page) => Promise<void>; text: string }[] = [
    {
      at: '/settings/workspace',
      act: async (of) => {
        await fill(of, { 'Name of the workspace': `Acme ${Math.random()}` })
        await press(of, 'Save')
      },
      text: 'The workspace is renamed.',
    },
    {
      at: '/settings/account',
      act: async (of) => {
        await fill(of, { 'Your name': 'Olivia' })
        await press(of, 'Save')
      },
      text: 'Your name is changed.',
    },
  ]
  for (const { at, act, text } of forms)
    it(`covers no button of a form: ${at}`, async () => {
      for (const { width, height } of looks.slice(1, 3)) {
        await page.setViewportSize({ width, height })
        await page.goto(at)
        await act(page)
        await assertFree(page, text)
      }
    })

  it('covers no button before people are signed in', async () => {
    const { page: stranger } = await visitor()
    await stranger.setViewportSize({ width: 390, height: 480 })
    await stranger.goto('/sign-up')
    await fill(stranger, { 'Your name': 'Mia', Email: 'mia@example.com', Password: password })
    await press(stranger, 'Create the account')
    await see(stranger, 'Check your mail')
    await linkTo('mia@example.com', /Confirm your email/)
    await press(stranger, 'Send it once more')
    await assertFree(stranger, 'Sent once more.')
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))
})

describe('a page that loads', async () => {
  const { visitor } = await startConsole({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: password })
  const { page } = await visitor()
  await signIn(page, email)
  await see(page, 'Monitors')
  const boxes = page.locator('[aria-hidden=true].animate-pulse .bg-sunken')

  for (const { width, height } of [
    { width: 1280, height: 900 },
    { width: 390, height: 844 },
  ])
    it(`shows where everything will be, ${width} px`, async () => {
      await page.setViewportSize({ width, height })
      const workspaces = await holdAnswer(page, /\/api\/v1\/workspaces$/)
      await page.goto('/monitors')
      await workspaces.asked()
      await page.getByRole('status').getByText('Loading …').waitFor()
      const visible = await boxes.filter({ visible: true }).count()
      // A bar at its upper end on a phone, and the navigation at a desk.
      assert.ok(visible >= (width < 768 ? 3 : 10), String(visible))
      await workspaces.release()
      await see(page, 'Monitors')
    })

  it('keeps the navigation while a page comes', async () => {
    await page.setViewportSize({ width: 1280, height: 900 })
    const contacts = await holdAnswer(page, /\/api\/v1\/alert-channels$/)
    await page.goto('/contacts')
    await contacts.asked()
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    await boxes.first().waitFor()
    assert.equal(await page.getByRole('heading', { name: 'Contacts' }).count(), 0)
    await contacts.release()
    await see(page, 'Contacts')
  })
})

/** Waits for the message, and for the page below it to be at rest. */
async function assertFree(of: Page, text: string): Promise<string> {
  const message = of.getByRole('status').getByText(text)
  await message.waitFor()
  const seen: Covered[] = []
  await until(`nothing is below “${text}”`, async () => {
    seen.push(await of.evaluate<Covered>(covered))
    return seen.at(-1)?.names.length === 0
  })
  const { isWithin, moved } = seen.at(-1) ?? assert.fail(`“${text}” is gone`)
  assert.ok(isWithin, 'it is outside the window')
  return moved
}
