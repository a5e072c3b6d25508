// Where nothing is, where something is on its way, and where something was just done: the frame stays what it is.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { until } from '../support/until.ts'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'
import { holdAnswer } from './support/held-answers.ts'

const email = 'owner@example.com'

describe('a page of the console', async () => {
  const service = await startConsole({ PERIGEE_OWNER_EMAIL: email, PERIGEE_OWNER_PASSWORD: password })
  const { visitor, inspect, complaints } = service
  const { page } = await visitor()

  it('stands at a mistyped address, which programs are refused as before', async () => {
    const answer = await page.goto('/monitros/42')
    assert.equal(answer?.status(), 404)
    await see(page, 'There is nothing here')
    await inspect(page, 'a mistyped address')
    const program = await page.request.get('/monitros/42', { headers: { Accept: '*/*' } })
    assert.deepEqual([program.status(), program.headers()['content-type']], [404, 'application/json; charset=utf-8'])
    await page.getByRole('link', { name: 'To the monitors' }).click()
    await see(page, 'Sign in')
  })

  it('has its name once where a monitor is missing', async () => {
    await signIn(page, email)
    await see(page, 'Monitors')
    await page.goto('/monitors/00000000-0000-4000-8000-000000000000')
    await see(page, 'There is nothing here')
    assert.equal(await page.getByText('Perigee', { exact: true }).and(page.locator('p, header')).count(), 1)
    assert.equal(await page.locator('main').count(), 1)
    await inspect(page, 'a missing monitor')
  })

  it('keeps its frame while it is read', async () => {
    await page.goto('/contacts')
    await see(page, 'Contacts')
    const answer = await holdAnswer(page, /\/api\/v1\/maintenance/)
    await page.getByRole('link', { name: 'Maintenance' }).click()
    await answer.asked()
    await page.getByText('Loading …').waitFor()
    assert.equal(await page.getByRole('navigation', { name: 'Pages' }).isVisible(), true)
    await answer.release()
    await see(page, 'Maintenance')
  })

  it('says what is done where nothing is covered', async () => {
    await page.goto('/settings/account')
    await see(page, 'Account')
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 })
      await fill(page, { 'Your name': `Owner at ${width}` })
      await press(page, 'Save')
      await page.getByText('Your name is changed.').waitFor()
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      assert.deepEqual(await page.evaluate(covered), [], `${width} px`)
      await until('it is gone again', async () => (await page.getByText('Your name is changed.').count()) === 0)
    }
  })

  it('gives nobody anything to complain of', () => assert.deepEqual(complaints, []))
})

/** What can be pressed and is seen, but lies below the message. */
const covered = `(() => {
  const message = [...document.querySelectorAll('[role=status] p')].find((each) => each.textContent.includes('changed'))
  const box = message.getBoundingClientRect()
  return [...document.querySelectorAll('a, button, input, select')]
    .filter((each) => {
      const own = each.getBoundingClientRect()
      const isSeen = own.width > 1 && own.bottom > 0 && own.top < innerHeight
      return isSeen && own.left < box.right && own.right > box.left && own.top < box.bottom && own.bottom > box.top
    })
    .map((each) => each.textContent)
})()`
