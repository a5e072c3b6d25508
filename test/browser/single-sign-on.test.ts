// People who sign in by the identity provider of their workspace, and the owner who sets it up.
import { describe, it } from 'node:test'
import { httpServer } from '../support/http-server.ts'
import { startOpenIdProvider } from '../support/openid-provider.ts'
import { createSamlProvider } from '../support/saml-provider.ts'
import { fill, press, see, signOut, signUp, startConsole } from './support/console.ts'

describe('single sign-on', async () => {
  const provider = await startOpenIdProvider()
  const service = await startConsole()
  const { visitor, inspect, change } = service
  const owner = await visitor()

  it('is set up by an owner, who is told whether the provider answers', async () => {
    const { page } = owner
    await signUp(page, service, { email: 'olga@shop.example', name: 'Olga' })
    await page.goto('/settings/single-sign-on')
    await see(page, 'Single sign-on')
    await inspect(page, 'single sign-on, none')
    await fill(page, {
      Name: 'Login',
      Issuer: provider.issuer,
      'Client ID': provider.clientId,
      'Client secret': provider.clientSecret,
      'Groups whose people are members': 'sre',
    })
    await press(page, 'Save and try')
    await page.getByText('Saved. The provider answers.').waitFor()
    await fill(page, { Domain: 'shop.example' })
    await press(page, 'Add')
    await press(page, 'Prove shop.example')
    await page.getByRole('alert').waitFor()
    await inspect(page, 'single sign-on, a domain that is not proved')
    // The name servers of this machine know nothing of the domain.
    await change(`update sign_in_domains set proven_at = now()`)
    await page.reload()
    await page.getByText('Proved', { exact: true }).waitFor()
    await inspect(page, 'single sign-on, set up')
  })

  it('lets somebody new in, who begins with an address', async () => {
    provider.behave({ claims: { sub: 'ann', email: 'ann@shop.example', name: 'Ann', groups: ['sre'] } })
    const { page } = await visitor()
    await page.goto('/settings/account')
    await see(page, 'Sign in')
    await page.getByRole('link', { name: 'Single sign-on' }).click()
    await see(page, 'Single sign-on')
    await inspect(page, 'single sign-on, the address')
    await fill(page, { Email: 'ann@shop.example' })
    await press(page, 'Continue')
    await see(page, 'Account')
    await owner.page.goto('/settings/members')
    await owner.page.getByText('ann@shop.example').waitFor()
  })

  it('says why somebody is not let in, and where there is no single sign-on', async () => {
    provider.behave({ claims: { sub: 'eve', email: 'olga@shop.example' }, userInfo: { sub: 'eve' } })
    const { page } = await visitor()
    await page.goto('/sign-in/single-sign-on')
    await fill(page, { Email: 'x@elsewhere.example' })
    await press(page, 'Continue')
    await page.getByText('There is no single sign-on for addresses of this domain').waitFor()
    await fill(page, { Email: 'olga@shop.example' })
    await press(page, 'Continue')
    await see(page, 'You are not signed in')
    await page.getByText('Your address has an account here that is not linked with Login').waitFor()
    await inspect(page, 'single sign-on, refused')
  })

  it('is linked with an account, and is the only way for members where the owner says so', async () => {
    provider.behave({ claims: { sub: 'olga', email: 'olga@shop.example' }, userInfo: { sub: 'olga' } })
    const { page } = owner
    await page.goto('/settings/security')
    await press(page, 'Link')
    await see(page, 'Security')
    await page.getByText(provider.issuer).waitFor()
    await inspect(page, 'security, linked with single sign-on')
    await page.goto('/settings/single-sign-on')
    await page.getByLabel('Members come to the workspace', { exact: true }).selectOption('yes')
    await press(page, 'Save and try')
    await page.getByText('Saved. The provider answers.').waitFor()
    await signOut(page)
  })

  it('is asked for in a workspace that asks for it', async () => {
    const { page } = await visitor()
    await signUp(page, service, { email: 'bea@shop.example', name: 'Bea' })
    await change(
      `insert into members (workspace_id, person_id, role, joined_at)
      select workspace_id, (select id from people."user" where email = 'bea@shop.example'), 'viewer', '2026-01-01'
      from sign_in_domains`,
    )
    await change(`delete from members where person_id = (select id from people."user" where email = 'bea@shop.example')
      and role = 'owner'`)
    await page.goto('/monitors')
    await see(page, 'My workspace asks for single sign-on')
    await inspect(page, 'a workspace that asks for single sign-on')
    await page.goto('/settings/account')
    await see(page, 'Account')
  })

  it('may be by SAML, where the provider posts its response from another site', async () => {
    const saml = createSamlProvider()
    const { port } = await httpServer(({ url = '' }, response) => {
      const { SAMLResponse, RelayState } = saml.consent(`http://localhost${url}`)
      const consumer = saml.consumerOf(`http://localhost${url}`)
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end(
          `<form method="post" action="${consumer}"><input name="SAMLResponse" value="${SAMLResponse}">` +
            `<input name="RelayState" value="${RelayState}"></form><script>document.forms[0].submit()</script>`,
        )
    })
    const chief = await visitor()
    await signUp(chief.page, service, { email: 'sam@saml.example', name: 'Sam' })
    await chief.page.goto('/settings/single-sign-on')
    await chief.page.getByLabel('Protocol', { exact: true }).selectOption('saml')
    await fill(chief.page, {
      Name: 'Login',
      'Entity ID of the provider': saml.entityId,
      'Sign-on address': `http://localhost:${port}/sso`,
      'Certificates for signing': saml.certificate.pem,
    })
    await inspect(chief.page, 'single sign-on, by SAML')
    await press(chief.page, 'Save and try')
    await chief.page.getByText('Saved. Sign in once to try it.').waitFor()
    await fill(chief.page, { Domain: 'saml.example' })
    await press(chief.page, 'Add')
    await chief.page.getByText('Not proved').waitFor()
    await change(`update sign_in_domains set proven_at = now() where domain = 'saml.example'`)
    saml.behave({ nameId: 'pat', attributes: { email: ['pat@saml.example'], displayName: ['Pat'] } })
    const { page } = await visitor()
    await page.goto('/sign-in/single-sign-on')
    await fill(page, { Email: 'pat@saml.example' })
    await press(page, 'Continue')
    await page.waitForURL((url) => url.pathname === '/' || url.pathname === '/monitors')
    await chief.page.goto('/settings/members')
    await chief.page.getByText('pat@saml.example').waitFor()
  })
})
