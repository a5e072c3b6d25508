import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { addMember } from '#store/people/members.ts'
import { openNet } from '../../test/support/net.ts'
import {
  type SamlBehaviour,
  type SamlForm,
  type TestSamlProvider,
  createSamlProvider,
} from '../../test/support/saml-provider.ts'
import { type Browser, codeOf, peopleApi, statusesOf } from '../../test/support/people.ts'
import { type Owner, arrive, post, proveDomain, setProvider, urlOf } from '../../test/support/single-sign-on.ts'

type Behaviour = SamlBehaviour & { from?: TestSamlProvider }

describe('signing in by a provider of SAML', async () => {
  const provider = createSamlProvider()
  const carriers = { net: openNet, sendMail: () => assert.fail('no mail') }
  const people = await peopleApi({ services: { carriers, signUp: 'invited' } })
  const { api } = people
  const settings = {
    protocol: 'saml',
    name: 'Login',
    issuer: provider.entityId,
    sign_on_url: provider.signOnUrl,
    certificates: [provider.certificate.pem],
  }

  /** An owner whose workspace has the provider, and a domain of its own. */
  async function shop(domain: string, more: Record<string, unknown> = {}): Promise<Owner> {
    const owner = await people.newcomer(`owner@${domain}`)
    const workspaceId = randomUUID()
    await api.database.pool.query(`insert into workspaces (id, name, plan) values ($1, 'Shop', 'pro')`, [workspaceId])
    const { personId } = owner
    await api.database.transaction((tx) => addMember(tx, { workspaceId, personId, role: 'owner', at: new Date() }))
    const made = { ...owner, workspaceId }
    await setProvider(made, { ...settings, ...more })
    await proveDomain(people, workspaceId, domain)
    return made
  }

  async function enter(owner: Owner, email: string, { from = provider, ...behaviour }: Behaviour) {
    const browser = people.browser()
    from.behave({ attributes: { email: [email] }, ...behaviour })
    const form = from.consent(await leave(email, browser))
    const answer = await post(people, owner.workspaceId, form)
    return { browser, form, answer: await arrive(browser, owner.workspaceId, answer) }
  }

  it('makes an account and a member of somebody new, and the same person of the same NameID', async () => {
    const groups = { group_roles: [{ group: 'sre', role: 'member' }] }
    const owner = await shop('new.example', groups)
    const attributes = { email: ['Ann@new.example'], displayName: ['Ann'], groups: ['staff', 'sre'] }
    const { browser, answer } = await enter(owner, 'ann@new.example', { nameId: 'ann', attributes })
    assert.deepEqual([answer.status, answer.body], [200, { returnTo: '/a', isLinked: false }], answer.text)
    assert.match((await browser.api('GET', '/workspaces')).text, /"role":"member"/)
    const again = await enter(owner, 'ann.smith@new.example', { nameId: 'ann' })
    assert.match((await again.browser.auth('GET', '/get-session')).text, /"name":"Ann","email":"ann@new.example"/)
    assert.match((await again.browser.api('GET', '/workspaces')).text, /"role":"viewer"/)
    const links = await again.browser.api('GET', '/provider-links')
    assert.match(links.text, new RegExp(`"issuer":"${provider.entityId}"`))
  })

  it('admits addresses of proved domains alone, and takes over no account', async () => {
    const owner = await shop('strict.example')
    await people.newcomer('bob@strict.example')
    for (const [email, code] of [
      ['ann@other.example', 'NOT_ADMITTED'],
      ['bob@strict.example', 'ACCOUNT_NOT_LINKED'],
    ] as const) {
      const { answer, browser } = await enter(owner, 'x@strict.example', {
        nameId: email,
        attributes: { email: [email] },
      })
      assert.deepEqual([answer.status, codeOf(answer)], [422, code])
      assert.equal((await browser.api('GET', '/workspaces')).status, 401)
    }
  })

  it('lets no workspace sign in people of another one by the name of its provider', async () => {
    const owner = await shop('bank.example')
    const { answer } = await enter(owner, 'ann@bank.example', { nameId: 'ann-of-bank' })
    assert.equal(answer.status, 200, answer.text)
    const own = createSamlProvider()
    assert.equal(own.entityId, provider.entityId)
    const evil = await shop('evil.example', { certificates: [own.certificate.pem] })
    const entered = await enter(evil, 'x@evil.example', { nameId: 'ann-of-bank', from: own })
    assert.equal(entered.answer.status, 200, entered.answer.text)
    assert.match((await entered.browser.auth('GET', '/get-session')).text, /"email":"x@evil.example"/)
  })

  it('belongs to the browser, the provider and the moment that it began with', async () => {
    const [owner, other] = [await shop('bound.example'), await shop('bound2.example')]
    const { workspaceId } = owner
    provider.behave({ nameId: 'carl', attributes: { email: ['carl@bound.example'] } })
    const browser = people.browser()
    const form = provider.consent(await leave('carl@bound.example', browser))
    const elsewhere = await post(people, other.workspaceId, form)
    assert.equal(elsewhere.get('state'), form.RelayState)
    const answer = await post(people, workspaceId, form)
    const thief = people.browser()
    await leave('carl@bound.example', thief)
    for (const stranger of [thief, people.browser()])
      assert.equal(codeOf(await arrive(stranger, workspaceId, answer)), 'OTHER_SIGN_IN')
    const answers = await Promise.all([1, 2, 3].map(() => arrive(browser, workspaceId, answer)))
    assert.deepEqual(statusesOf(answers), [200, 422, 422])
    await post(people, workspaceId, form)
    assert.equal(codeOf(await arrive(browser, workspaceId, answer)), 'OTHER_SIGN_IN', 'the same response again')
  })

  it('takes an assertion for no other sign-in, and none after ten minutes', async () => {
    const { workspaceId } = await shop('replay.example')
    provider.behave({ nameId: 'dan', attributes: { email: ['dan@replay.example'] } })
    const [victim, browser] = [people.browser(), people.browser()]
    const stolen = provider.consent(await leave('dan@replay.example', victim))
    const { RelayState } = provider.consent(await leave('dan@replay.example', browser))
    const replayed = await arrive(browser, workspaceId, await post(people, workspaceId, { ...stolen, RelayState }))
    assert.deepEqual([replayed.status, codeOf(replayed)], [422, 'PROVIDER_REFUSED'])
    assert.match(replayed.text, /InResponseTo/)
    await api.database.pool.query(`update people.verification set "expiresAt" = now() - interval '1 second'`)
    const late = await arrive(victim, workspaceId, await post(people, workspaceId, stolen))
    assert.equal(codeOf(late), 'OTHER_SIGN_IN')
  })

  it('begins here: what a provider sends by itself leads nowhere', async () => {
    const { workspaceId } = await shop('unasked.example')
    provider.behave({ attributes: { email: ['eva@unasked.example'] } })
    const browser = people.browser()
    const { SAMLResponse } = provider.consent(await leave('eva@unasked.example', browser))
    for (const RelayState of ['', 'https://evil.example/', 'x'.repeat(5_000)]) {
      const answer = await post(people, workspaceId, { SAMLResponse, RelayState })
      assert.equal(codeOf(await arrive(browser, workspaceId, answer)), 'OTHER_SIGN_IN', RelayState)
    }
  })

  it('tells what the provider did wrong', async () => {
    const owner = await shop('wrong.example')
    for (const [behaviour, message] of [
      [{ audience: 'https://other.example' }, /AudienceRestriction/],
      [{ nameId: 'x'.repeat(300) }, /too long a text/],
    ] as const) {
      const { answer } = await enter(owner, 'lea@wrong.example', behaviour)
      assert.deepEqual([answer.status, codeOf(answer)], [422, 'PROVIDER_REFUSED'])
      assert.match(answer.text, message)
    }
  })

  it('counts no answer of a provider that was replaced meanwhile', async () => {
    const owner = await shop('replaced.example')
    const { workspaceId } = owner
    const browser = people.browser()
    provider.behave({ nameId: 'kim', attributes: { email: ['kim@replaced.example'] } })
    const answer = await post(people, workspaceId, provider.consent(await leave('kim@replaced.example', browser)))
    await setProvider(owner, { ...settings, issuer: 'urn:another' })
    assert.equal(codeOf(await arrive(browser, workspaceId, answer)), 'OTHER_SIGN_IN')
  })

  it('is linked with an account by its person, who is signed in', async () => {
    const owner = await shop('link.example')
    provider.behave({ nameId: 'owner-1', attributes: { email: ['owner@link.example'] } })
    const url = urlOf(await owner.browser.auth('POST', '/provider/link', { returnTo: '/settings/security' }))
    const answer = await post(people, owner.workspaceId, provider.consent(url))
    const linked = await arrive(owner.browser, owner.workspaceId, answer)
    assert.deepEqual(linked.body, { returnTo: '/settings/security', isLinked: true }, linked.text)
    const { browser } = await enter(owner, 'owner@link.example', { nameId: 'owner-1' })
    assert.match((await browser.auth('GET', '/get-session')).text, new RegExp(owner.personId))
  })
})

describe('how often responses may be posted', async () => {
  const signIns = { perMinute: 3, passwordsPerQuarterHour: 4, mailsPerHour: 3 }
  const people = await peopleApi({ rates: { signIns } })
  const form: SamlForm = { SAMLResponse: '', RelayState: 'unknown' }

  it('is limited for an address', async () => {
    const { app } = people.api
    const path = `/saml/${randomUUID()}/acs`
    const send = (address: string) =>
      app.request(path, { method: 'POST', body: new URLSearchParams(form) }, { address })
    for (let tries = 0; tries < 3; tries += 1) assert.equal((await send('203.0.113.1')).status, 303)
    const refused = await send('203.0.113.1')
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await send('203.0.113.2')).status, 303)
  })
})

async function leave(email: string, browser: Browser): Promise<string> {
  return urlOf(await browser.auth('POST', '/provider/start', { email, returnTo: '/a' }))
}
