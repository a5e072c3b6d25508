// The rights of owners, members and viewers in a workspace, as its pages show them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import { fill, password, press, see, signIn, signUp, startConsole } from './support/console.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'

const workspacesSchema = z.object({ data: z.array(z.looseObject({ id: z.uuid() })) })

const ownerEmail = 'owner@example.com'

describe('workspaces', async () => {
  const service = await startConsole({ PERIGEE_OWNER_EMAIL: ownerEmail, PERIGEE_OWNER_PASSWORD: password })
  const { origin, visitor, inspect, linkTo, complaints } = service

  async function owner(): Promise<Page> {
    const { page } = await visitor()
    await signIn(page, ownerEmail)
    await see(page, 'Monitors')
    return page
  }

  async function invite(page: Page, email: string, role: string): Promise<string> {
    await page.goto('/settings/members')
    await press(page, 'Invite someone')
    await fill(page, { Email: email })
    await page.getByLabel('Role', { exact: true }).selectOption(role)
    await press(page, 'Send the invitation')
    await page.getByRole('list', { name: 'Invitations' }).getByText(email).waitFor()
    return linkTo(email, /invited/)
  }

  it('show a token once, take its programs in, and refuse them when it is revoked', async () => {
    const page = await owner()
    await page.goto('/settings/tokens')
    await see(page, 'API tokens')
    await press(page, 'Create a token')
    await press(page, 'Create')
    await page.getByRole('dialog').locator('[aria-invalid=true]').waitFor()
    await inspect(page, 'token, refused')
    await fill(page, { Name: 'Deployer' })
    await page.getByLabel('It may').selectOption('write')
    await press(page, 'Create')
    const token = (await page.getByLabel('Token', { exact: true }).textContent()) ?? ''
    await inspect(page, 'token, shown once')
    await press(page, 'Done')
    await page.getByRole('list', { name: 'Active tokens' }).getByText('Deployer').waitFor()
    await inspect(page, 'tokens')
    assert.doesNotMatch(await page.content(), new RegExp(token))

    assert.equal((await createMonitor(origin, token)).status, 201)
    await page.goto('/monitors')
    await page.getByRole('row', { name: /Down Shop/ }).waitFor()
    await inspect(page, 'monitors')

    await page.goto('/settings/tokens')
    await press(page, 'Revoke Deployer')
    await press(page, 'Revoke')
    await page.getByRole('list', { name: 'Ended tokens' }).getByText('Deployer').waitFor()
    assert.equal((await createMonitor(origin, token)).status, 401)
  })

  it('are joined by whoever was invited, who has no account yet', async () => {
    const page = await owner()
    const link = await invite(page, 'viewer@example.com', 'viewer')
    await inspect(page, 'members')
    const { page: guest } = await visitor()
    await guest.goto(link)
    await see(guest, /^Join /)
    await inspect(guest, 'invitation')
    await fill(guest, { 'Your name': 'Vera', Password: password })
    await press(guest, 'Create the account and join')
    await see(guest, 'Monitors')
    await guest.getByRole('row', { name: /Shop/ }).waitFor()

    const { page: late } = await visitor()
    await late.goto(link)
    await see(late, 'This invitation is no longer valid')
    await inspect(late, 'invitation, over')
  })

  it('let viewers read, and nothing else', async () => {
    const { page } = await visitor()
    await signIn(page, 'viewer@example.com')
    await see(page, 'Monitors')
    await page.getByRole('link', { name: 'Settings' }).click()
    await see(page, 'General')
    const navigation = page.getByRole('navigation', { name: 'Settings' })
    for (const [name, isShown] of [
      ['Members', true],
      ['API tokens', false],
      ['Agents', false],
      ['Audit log', false],
    ] as const)
      assert.equal(await navigation.getByRole('link', { name }).count(), isShown ? 1 : 0, name)
    await page.goto('/settings/tokens')
    await page.getByText(/^Only owners of .* see this page\.$/).waitFor()
    await inspect(page, 'for owners only')
    await page.goto('/settings/members')
    await page.getByRole('list', { name: 'Members' }).getByText('Vera').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Invite someone' }).count(), 0)

    // The service also refuses a viewer who calls the API past the pages.
    const headers = { Origin: origin, 'X-Perigee-Workspace': 'mine' }
    const listed = await page.request.get('/api/v1/workspaces', { headers })
    const [workspace] = workspacesSchema.parse(await listed.json()).data
    const answer = await page.request.post('/api/v1/api-tokens', {
      headers: { ...headers, 'X-Perigee-Workspace': workspace?.id ?? '' },
      data: { name: 'Sneaky', scope: 'write', expires_at: null },
    })
    assert.equal(answer.status(), 403, await answer.text())
  })

  it('are joined by somebody who has an account, and by nobody else', async () => {
    const { page } = await visitor()
    await signUp(page, service, { email: 'member@example.com', name: 'Max' })
    const link = await invite(await owner(), 'member@example.com', 'member')

    const { page: wrong } = await visitor()
    await signIn(wrong, 'viewer@example.com')
    await see(wrong, 'Monitors')
    await wrong.goto(link)
    await wrong.getByText('You are signed in as viewer@example.com. The invitation is for another address.').waitFor()
    await inspect(wrong, 'invitation, somebody else')

    const { page: outside } = await visitor()
    await outside.goto(link)
    await outside.getByRole('link', { name: 'Sign in' }).click()
    await fill(outside, { Email: 'member@example.com', Password: password })
    await press(outside, 'Sign in')
    await see(outside, /^Join /)
    await press(outside, 'Join')
    await see(outside, 'Monitors')
    await outside.getByRole('row', { name: /Shop/ }).waitFor()

    // The two workspaces, one after the other.
    await outside.getByRole('button', { name: /^Workspace: / }).click()
    await outside.getByRole('menuitemradio', { name: 'My workspace' }).click()
    await outside.getByText('Nothing is watched yet').waitFor()
  })

  it('change roles, and are never left without an owner', async () => {
    const page = await owner()
    await page.goto('/settings/members')
    const own = page.getByRole('button', { name: /^Change the role of owner$/ })
    await own.click()
    await page.getByLabel('Role', { exact: true }).selectOption('viewer')
    await press(page, 'Save')
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText(/needs at least one owner/)
      .waitFor()
    await inspect(page, 'last owner')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await press(page, 'Change the role of Max')
    await page.getByLabel('Role', { exact: true }).selectOption('owner')
    await press(page, 'Save')
    await page.getByRole('listitem').filter({ hasText: 'Max' }).getByText('Owner', { exact: true }).waitFor()
    const { page: removed } = await visitor()
    await signIn(removed, 'viewer@example.com')
    await removed.getByRole('row', { name: /Shop/ }).waitFor()
    await press(page, 'Remove Vera')
    await press(page, 'Remove')
    await page.getByRole('listitem').filter({ hasText: 'Vera' }).waitFor({ state: 'detached' })

    // Her page asks again by itself, and learns it.
    await see(removed, 'You are not in a workspace')
    await inspect(removed, 'no workspace')
    await fill(removed, { Name: 'Mine' })
    await press(removed, 'Create the workspace')
    await removed.getByRole('button', { name: 'Workspace: Mine' }).waitFor()
    await see(removed, 'Set up Mine')
  })

  it('are gone through on a phone by a menu, and by keyboard', async () => {
    const page = await owner()
    await page.setViewportSize({ width: 390, height: 844 })
    const settings = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Settings' })
    assert.equal(await settings.isVisible(), false)
    await press(page, 'Menu')
    await inspect(page, 'menu')
    await page.setViewportSize({ width: 390, height: 844 })
    await settings.click()
    await see(page, 'General')
    await settings.waitFor({ state: 'hidden' })
    await press(page, 'Settings · General')
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Members' }).click()
    await see(page, 'Members')
    await inspect(page, 'members, from a phone')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('navigation', { name: 'Shortcuts' }).getByRole('link', { name: 'Incidents' }).click()
    await see(page, 'Incidents')
    await page.goto('/settings/members')
    await see(page, 'Members')

    await page.reload()
    await see(page, 'Members')
    await page.keyboard.press('Tab')
    assert.equal(await page.locator(':focus').textContent(), 'To the page')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    assert.equal(await page.locator(':focus').textContent(), 'Invite someone')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await page.locator(':focus').textContent(), 'Invite someone')
  })

  it('are renamed, created and deleted', async () => {
    const page = await owner()
    await page.goto('/settings/workspace')
    await fill(page, { 'Name of the workspace': 'Head office' })
    await press(page, 'Save')
    await page.getByRole('button', { name: 'Workspace: Head office' }).waitFor()
    await inspect(page, 'workspace')
    await page.getByRole('button', { name: /^Workspace: / }).click()
    await inspect(page, 'workspace menu')
    await page.getByRole('menuitem', { name: 'Create a workspace' }).click()
    await fill(page, { Name: 'Branch' })
    await press(page, 'Create')
    await page.getByRole('button', { name: 'Workspace: Branch' }).waitFor()
    await see(page, 'Set up Branch')
    await page.getByRole('link', { name: 'Settings' }).click()
    await press(page, 'Delete …')
    await press(page, 'Delete permanently')
    await see(page, 'Monitors')
    await page.getByRole('button', { name: 'Workspace: Head office' }).waitFor()
    await page.goto('/settings/workspace')
    await press(page, 'Delete …')
    await press(page, 'Delete permanently')
    await page
      .getByRole('alert')
      .getByText(/cannot be deleted/)
      .waitFor()
  })

  it('are left by whoever wants to', async () => {
    const { page: guest } = await visitor()
    await guest.goto(await invite(await owner(), 'guest@example.com', 'viewer'))
    await fill(guest, { 'Your name': 'Gus', Password: password })
    await press(guest, 'Create the account and join')
    await guest.getByRole('row', { name: /Shop/ }).waitFor()
    await guest.goto('/settings/workspace')
    assert.equal(await guest.getByRole('button', { name: 'Delete …' }).count(), 0)
    await press(guest, 'Leave …')
    await inspect(guest, 'leave')
    await press(guest, 'Leave')
    // With open sign-up, a person without a workspace is offered to make one.
    await see(guest, 'You are not in a workspace')
    const page = await owner()
    await page.goto('/settings/members')
    await page.getByRole('list', { name: 'Members' }).getByText('Max').waitFor()
    assert.equal(await page.getByText('Gus').count(), 0)
  })

  it('are joined by no invitation that was revoked, or came too late', async () => {
    const page = await owner()
    const revoked = await invite(page, 'revoked@example.com', 'viewer')
    await press(page, 'Revoke the invitation of revoked@example.com')
    await press(page, 'Revoke')
    const waiting = page.getByRole('list', { name: 'Invitations' }).getByText('revoked@example.com')
    await waiting.waitFor({ state: 'detached' })
    const late = await invite(page, 'late@example.com', 'viewer')
    await service.change("update invitations set expires_at = now() where email = 'late@example.com'")
    const { page: guest } = await visitor()
    for (const link of [revoked, late]) {
      await guest.goto(link)
      await see(guest, 'This invitation is no longer valid')
    }
    await page.reload()
    await page.getByText('No open invitations.').waitFor()
  })

  it('log who did what, page by page', async () => {
    const page = await owner()
    await page.goto('/settings/audit-log')
    const log = page.getByRole('list', { name: 'Changes' })
    await log.getByText('renamed the workspace to').first().waitFor()
    await log.getByRole('listitem').filter({ hasText: 'changed the role of' }).filter({ hasText: 'Max' }).waitFor()
    await inspect(page, 'audit log')

    // More than two pages of fifty.
    const more = 101
    await service.change(
      `insert into audit_entries (id, workspace_id, at, actor_kind, actor_name, action, target_kind, target_name)
      select gen_random_uuid(), m.workspace_id, now(), 'operator', 'Test', 'count', 'workspace', 'Number ' || n
      from generate_series(1, ${more}) as n, members m
      join people."user" p on p.id = m.person_id and p.email = '${ownerEmail}'`,
    )
    await page.reload()
    const items = log.getByRole('listitem')
    await items.filter({ hasText: `Number ${more}` }).waitFor()
    assert.equal(await items.count(), 50)
    await press(page, 'Show older ones')
    await items.filter({ hasText: 'Number 2' }).first().waitFor()
    await items.nth(99).waitFor()
    await press(page, 'Show older ones')
    await items.nth(100).waitFor()
    const numbers = (await items.allTextContents()).flatMap((text) => /Number (\d+)/.exec(text)?.[1] ?? [])
    assert.deepEqual(
      numbers.map(Number),
      Array.from({ length: more }, (_, index) => more - index),
    )
    await log.getByText('renamed the workspace to').first().waitFor()
  })

  it('have a menu that opens at a press between the coming of its script and the next frame', async () => {
    const { page } = await visitor()
    await page.addInitScript(holdReact)
    await signIn(page, ownerEmail)
    await see(page, 'Monitors')
    const menu = page.getByRole('button', { name: /^Account of/ })
    await page.evaluate('react.hold()')
    await menu.hover()
    await page.waitForFunction('react.held.length > 0')
    await page.evaluate(`addEventListener('pointerdown', () => react.goOn(), { once: true })`)
    await page.mouse.down()
    await page.mouse.up()
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  })

  it('give no page anything to complain of', () => assert.deepEqual(complaints, []))

  it('leave no secret in the database nor in a log', () =>
    assertSecretsKept(service, ['password', 'cookie', 'token', 'API token']))
})

/** Lets a test hold what React draws later than at once: React has itself called by messages that it posts to itself. */
const holdReact = `
  const Channel = MessageChannel
  window.react = { held: [], isHeld: false, hold: () => { react.isHeld = true } }
  react.goOn = () => {
    react.isHeld = false
    for (const draw of react.held.splice(0)) draw()
  }
  window.MessageChannel = function () {
    const { port1, port2 } = new Channel()
    const post = port2.postMessage.bind(port2)
    port2.postMessage = (message) => (react.isHeld ? react.held.push(() => port1.onmessage()) : post(message))
    return { port1, port2 }
  }
`

/** Creates a monitor of a port that no process listens at. */
function createMonitor(origin: string, token: string): Promise<Response> {
  return fetch(`${origin}/api/v1/monitors`, {
    method: 'POST',
    headers: { 'X-API-Key': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Shop', kind: 'tcp', url: '127.0.0.1:1', interval_seconds: 10 }),
  })
}
