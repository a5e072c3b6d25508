// Programs that know an address and nothing else, and the page on which their person lets them in.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { fill, password, press, see, signIn, startConsole } from './support/console.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'
import { type ConnectedProgram, withClient, withFormerClient } from './support/oauth-clients.ts'

const email = 'owner@example.com'

describe('the page on which a program is let in', async () => {
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: email,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_PAYMENTS: 'sandbox',
  })
  const { visitor, inspect, complaints, origin, collected } = service
  const { note } = collected
  const address = `${origin}/mcp/connect`

  it('is where a program of version 1 of the SDK sends its person, who signs in first', async () => {
    const tools = await withFormerClient({
      address,
      note,
      visit: async (url) => {
        const { page } = await visitor()
        await page.goto(url)
        await see(page, 'Sign in')
        await fill(page, { Email: email, Password: password })
        await press(page, 'Sign in')
        await see(page, 'Let Editor in?')
        await page.getByText('The program calls itself “Editor”').waitFor()
        await page.getByText(/^a program on this computer \(127\.0\.0\.1:\d+\)$/).waitFor()
        await inspect(page, 'connect')
        await press(page, 'Let it in')
        await see(page, 'You may close this page')
      },
    })
    assert.ok(tools.includes('create_monitor') && tools.includes('delete_monitor'))
  })

  it('gives a program of version 2 of the SDK what its person chose, until it is disconnected', async () => {
    const { page } = await visitor()
    await signIn(page, email)
    await see(page, 'Monitors')
    const tools = await withClient({
      address,
      note,
      visit: async (url) => {
        await page.goto(url)
        await page.getByLabel('It may', { exact: true }).selectOption({ label: 'read everything' })
        await press(page, 'Let it in')
        await see(page, 'You may close this page')
      },
    })
    assert.ok(tools.includes('list_monitors') && !tools.includes('delete_monitor'))
    await page.goto(`${origin}/settings/agents`)
    await see(page, 'Agents')
    await page.getByText('reads only').waitFor()
    await page.getByText(address).waitFor()
    await inspect(page, 'agents with programs')
  })

  it('is no last word on the budget: an owner changes it where the programs are listed', async () => {
    const { page } = await visitor()
    await signIn(page, email)
    await see(page, 'Monitors')
    await page.goto(`${origin}/settings/agents`)
    await page.getByText('spent $0.00 of $0.00').waitFor()
    await page.getByRole('button', { name: /^Change the budget of Editor/ }).click()
    await inspect(page, 'budget of a program')
    await fill(page, { 'Credit that it may spend in all, in dollars': 'much' })
    await press(page, 'Save')
    await page.getByText('Must be an amount in dollars, such as 5 or 12.50.').waitFor()
    await fill(page, { 'Credit that it may spend in all, in dollars': '12.50' })
    await press(page, 'Save')
    await page.getByText('spent $0.00 of $12.50').waitFor()
    await page.getByRole('button', { name: /^Change the budget of Editor/ }).click()
    await fill(page, { 'Credit that it may spend in all, in dollars': '' })
    await press(page, 'Save')
    await page.getByText(/^spent/).waitFor({ state: 'detached' })
  })

  it('sends a person back who does not agree, and tells the program so', async () => {
    const { page } = await visitor()
    await signIn(page, email)
    await see(page, 'Monitors')
    const left = await leave(page)
    assert.equal(left.searchParams.get('error'), 'access_denied')
    assert.equal(left.searchParams.get('iss'), origin)
  })

  it('sends nobody anywhere for a program that it does not know', async () => {
    const { page } = await visitor()
    await signIn(page, email)
    await see(page, 'Monitors')
    const query = new URLSearchParams({ client_id: 'unknown', redirect_uri: 'https://evil.example/' })
    await page.goto(`${origin}/oauth2/authorize?${query.toString()}`)
    await see(page, 'This program cannot be let in')
    await page.getByRole('link', { name: 'To the console' }).waitFor()
    assert.equal(await page.locator('a[href*="evil.example"]').count(), 0)
    await inspect(page, 'connect, refused')
  })

  it('lets in a program without a browser by the code that it shows', async () => {
    const send = async (path: string, body: Record<string, string>): Promise<Record<string, unknown>> => {
      const answer = await fetch(origin + path, { method: 'POST', body: new URLSearchParams(body) })
      return Object(await answer.json())
    }
    const grantType = 'urn:ietf:params:oauth:grant-type:device_code'
    const registered = await fetch(`${origin}/oauth2/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_name: 'Television', grant_types: [grantType] }),
    })
    const client = { client_id: String(Object(await registered.json()).client_id) }
    const started = await send('/oauth2/device_authorization', client)
    const { page } = await visitor()
    await signIn(page, email)
    await see(page, 'Monitors')
    await page.goto(String(started['verification_uri']))
    await see(page, 'Connect a program')
    await inspect(page, 'device')
    await fill(page, { Code: 'bcdf ghjk' })
    await press(page, 'Continue')
    await see(page, 'There is no such code')
    await page.getByRole('link', { name: 'Type it again' }).click()
    await fill(page, { Code: String(started['user_code']).toLowerCase() })
    await press(page, 'Continue')
    await see(page, 'Let Television in?')
    await inspect(page, 'device, asked')
    await press(page, 'Let it in')
    await see(page, 'The program is in')
    const grant = { grant_type: grantType, ...client }
    const granted = await send('/oauth2/token', { ...grant, device_code: String(started['device_code']) })
    note(JSON.stringify(granted))
    assert.equal(granted['scope'], 'read write')
  })

  it('keeps every secret, and complains of nothing', async () => {
    // The one place to which the page leads that is not ours is where the program waits.
    const others = complaints.filter((complaint) => !/^asked http:\/\/127\.0\.0\.1:\d+\/callback\?/.test(complaint))
    assert.deepEqual(others, [])
    await assertSecretsKept(service, ['password', 'cookie', 'access token', 'refresh token', 'one-time code'])
  })

  /** Follows the link that refuses, and gives the address to which it leads. */
  async function leave(page: Page): Promise<URL> {
    let href = ''
    const program: ConnectedProgram = withClient
    await assert.rejects(
      program({
        address,
        note,
        visit: async (url) => {
          await page.goto(url)
          href = (await page.getByRole('link', { name: 'Do not let it in' }).getAttribute('href')) ?? ''
          throw new Error('refused')
        },
      }),
      /refused/,
    )
    return new URL(href)
  }
})
