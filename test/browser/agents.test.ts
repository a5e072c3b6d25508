// The claim page, with the example agent on the other side.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startIssuer } from '../support/issuer.ts'
import { until } from '../support/until.ts'
import { exampleAgents } from './support/agent.ts'
import { fill, password, press, see, signIn, signUp, startConsole } from './support/console.ts'
import { assertSecretsKept } from './support/kept-secrets.ts'

const email = 'owner@example.com'
const codeLabel = 'Code that the agent shows'

describe('the claim page', async () => {
  const issuer = await startIssuer('')
  const service = await startConsole({
    PERIGEE_OWNER_EMAIL: email,
    PERIGEE_OWNER_PASSWORD: password,
    PERIGEE_AGENT_ISSUERS: JSON.stringify([{ issuer: issuer.issuer, jwks_uri: issuer.jwksUri, name: 'Acme' }]),
  })
  const { visitor, inspect, complaints } = service
  const agents = exampleAgents(service)

  async function owner(): Promise<Page> {
    const { page } = await visitor()
    await signIn(page, email)
    await see(page, 'Monitors')
    return page
  }

  it('lets an anonymous agent in with its workspace, after signing in, until it is disconnected', async () => {
    const { child, said, asked } = agents.start(['anonymous', email])
    const { link, code, wrong } = await asked()
    const { page } = await visitor()
    await page.goto(link)
    await see(page, 'Sign in')
    await fill(page, { Email: email, Password: password })
    await press(page, 'Sign in')
    await see(page, /^Let .* in\?$/)
    await page.getByText('No one vouches for this agent').waitFor()
    await page.getByText('What the agent has created so far moves into your workspace').waitFor()
    await inspect(page, 'claim')
    await fill(page, { [codeLabel]: wrong })
    await press(page, 'Let it in')
    await page.getByText(/This is not the code that the agent shows/).waitFor()
    await page.getByText('4 tries are left.').waitFor()
    await inspect(page, 'claim, wrong code')
    await fill(page, { [codeLabel]: `${code.slice(0, 3)} ${code.slice(3)}` })
    await press(page, 'Let it in')
    await see(page, / is in$/)
    await inspect(page, 'claim, done')
    await said(/account \{"data":\{"plan":"pro"/)

    await page.goto(link)
    await see(page, 'This agent was let in before')
    await page.getByRole('link', { name: 'To your agents' }).click()
    await see(page, 'Agents')
    await page.getByRole('button', { name: /^Disconnect / }).waitFor()
    await inspect(page, 'agents')
    await disconnect(page)
    await said(/the token has ended\ndisconnected/)
    await until('the agent to end', async () => child.exitCode !== null)
    assert.equal(child.exitCode, 0)
  })

  it('asks once for an agent that a provider vouches for, which is let in at once from then on', async () => {
    const vouched = async (): Promise<{ ID_JAG: string }> => ({
      ID_JAG: await issuer.assertion(new Date(), { claims: { aud: service.origin, email } }),
    })
    const first = agents.start(['identity_assertion', email], await vouched())
    await first.said(/registered as reg_\w+ \(401, interaction_required\)/)
    const { link, code } = await first.asked()
    const page = await owner()
    await page.goto(link)
    await see(page, /^Let Acme .* in\?$/)
    await page.getByText('You have not let in an agent of this provider before.').waitFor()
    await inspect(page, 'claim, vouched for')
    await fill(page, { [codeLabel]: code })
    await press(page, 'Let it in')
    await see(page, / is in$/)
    await first.said(/account \{"data":\{"plan":"pro"/)

    const second = agents.start(['identity_assertion', email], await vouched())
    await second.said(/registered as reg_\w+ \(200\)[^]*account \{"data":\{"plan":"pro"/)

    await page.getByRole('link', { name: 'To your agents' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Acme' }).filter({ hasText: email }).waitFor()
    await disconnect(page)
    for (const { child, said } of [first, second]) {
      await said(/the token has ended\ndisconnected/)
      await until('the agent to end', async () => child.exitCode !== null)
    }
    const third = agents.start(['identity_assertion', email], await vouched())
    await third.said(/registered as reg_\w+ \(401, interaction_required\)/)
  })

  it('locks after five wrong codes', async () => {
    const { link, code, wrong } = await agents.start(['service_auth', email]).asked()
    const page = await owner()
    await page.goto(link)
    for (const left of ['4 tries are left.', '3 tries are left.', '2 tries are left.', 'One try is left.']) {
      await fill(page, { [codeLabel]: wrong })
      await press(page, 'Let it in')
      await page.getByText(left).waitFor()
    }
    await fill(page, { [codeLabel]: wrong })
    await press(page, 'Let it in')
    await see(page, 'This link is locked')
    await inspect(page, 'claim, locked')
    await page.reload()
    // The agent asks for another link as soon as it learns this, which ends the old one.
    await see(page, /^This link (?:is locked|has expired)$/)
    assert.notEqual(code, wrong)
  })

  it('tells somebody else nothing but that', async () => {
    const { link } = await agents.start(['service_auth', email]).asked()
    const { page } = await visitor()
    await signUp(page, service, { email: 'somebody@example.com', name: 'Sam' })
    await page.goto(link)
    await see(page, 'This link is for someone else')
    await inspect(page, 'claim, somebody else')
    await press(page, 'Sign in as someone else')
    await see(page, 'Sign in')
    await fill(page, { Email: email, Password: password })
    await press(page, 'Sign in')
    await see(page, /^Let .* in\?$/)
  })

  it('knows no link that nobody made', async () => {
    const page = await owner()
    await page.goto('/claim?claim_attempt_token=clt_unknown')
    await see(page, 'This link has expired')
    await inspect(page, 'claim, over')
  })

  it('gives no page anything to complain of', () => assert.deepEqual(complaints, []))

  it('leaves no secret in the database nor in a log', () =>
    assertSecretsKept(service, [
      'password',
      'cookie',
      'token',
      'claim token',
      'link of an agent',
      'code of an agent',
      'assertion',
      'access token',
    ]))
})

/** The only one. */
async function disconnect(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Disconnect / }).click()
  await press(page, 'Disconnect')
  await page.getByText('None.').waitFor()
}
