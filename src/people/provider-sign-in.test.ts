import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { addMember } from '#store/people/members.ts'
import type { Answer } from '../../test/support/api.ts'
import { openNet } from '../../test/support/net.ts'
import { type Behaviour, startOpenIdProvider } from '../../test/support/openid-provider.ts'
import { type Browser, codeOf, password, peopleApi, signIn, statusesOf } from '../../test/support/people.ts'
import { quickPasswords } from '../../test/support/passwords.ts'
import { type Owner, arrive, proveDomain, setProvider, urlOf } from '../../test/support/single-sign-on.ts'

const listed = z.object({ data: z.array(z.object({ id: z.uuid(), email: z.string(), role: z.string() })) })

describe('signing in by a provider', async () => {
  const provider = await startOpenIdProvider()
  const carriers = { net: openNet, sendMail: () => assert.fail('no mail') }
  // Where sign-up is by invitation, the provider is the invitation.
  const people = await peopleApi({ services: { carriers, signUp: 'invited' } })
  const { api } = people
  const own = { name: 'Login', issuer: provider.issuer, client_id: provider.clientId }
  const settings = { ...own, client_secret: provider.clientSecret }

  /** An owner whose workspace has the provider, and a domain of its own. */
  async function shop(domain: string, more: Record<string, unknown> = {}): Promise<Owner> {
    const owner = await people.newcomer(`owner@${domain}`)
    const workspaceId = randomUUID()
    await api.database.pool.query(`insert into workspaces (id, name, plan) values ($1, 'Shop', 'pro')`, [workspaceId])
    const { personId } = owner
    const at = new Date()
    await api.database.transaction((tx) => addMember(tx, { workspaceId, personId, role: 'owner', at }))
    const made = { ...owner, workspaceId }
    await setProvider(made, { ...settings, ...more })
    await proveDomain(people, workspaceId, domain)
    return made
  }

  async function enter(email: string, behaviour: Behaviour, browser = people.browser()) {
    provider.behave(behaviour)
    const url = urlOf(await depart(browser, email))
    const { pathname } = new URL(new URL(url).searchParams.get('redirect_uri') ?? '')
    return { browser, answer: await arrive(browser, pathname.split('/').at(-1) ?? '', provider.consent(url)) }
  }

  it('makes an account and a viewer of somebody new, and the same person of the same subject', async () => {
    const owner = await shop('new.example')
    const { browser, answer } = await enter('ann@new.example', as('ann', 'Ann@new.example', { name: 'Ann' }))
    assert.deepEqual([answer.status, answer.body], [200, { returnTo: '/a', isLinked: false }], answer.text)
    assert.match((await browser.api('GET', '/workspaces')).text, /"role":"viewer"/)
    assert.equal(await roleIn(owner, 'ann@new.example'), 'viewer')
    const again = await enter('whoever@new.example', as('ann', 'ann.smith@new.example'))
    assert.equal(again.answer.status, 200)
    assert.equal((await membersOf(owner)).length, 2, 'the address plays no part in it')
    assert.match((await again.browser.auth('GET', '/get-session')).text, /"email":"ann@new.example"/)
    const { text } = await owner.browser.api('GET', '/audit-entries', { workspace: owner.workspaceId })
    assert.equal(text.match(/"action":"join_by_provider"/g)?.length, 1)
    assert.equal(text.match(/"action":"sign_in_by_provider"/g)?.length, 2)
  })

  it('tells nobody whether an address has an account, and where there is no provider says so', async () => {
    await shop('known.example')
    const [there, nobody] = [
      await depart(people.browser(), 'owner@known.example'),
      await depart(people.browser(), 'x@known.example'),
    ]
    assert.deepEqual([there.status, nobody.status], [200, 200])
    for (const email of ['ann@unknown.example', 'owner@sub.known.example', 'owner@known.example.evil.example']) {
      const answer = await depart(people.browser(), email)
      assert.deepEqual([answer.status, codeOf(answer)], [404, 'NO_SINGLE_SIGN_ON'], email)
    }
    assert.equal((await depart(people.browser(), 'no address')).status, 400)
  })

  it('takes over nobody’s account by its address', async () => {
    const owner = await shop('taken.example')
    await people.newcomer('bob@taken.example')
    const { browser, answer } = await enter('bob@taken.example', as('bob', 'bob@taken.example'))
    assert.deepEqual([answer.status, codeOf(answer)], [422, 'ACCOUNT_NOT_LINKED'])
    assert.equal((await browser.api('GET', '/workspaces')).status, 401)
    assert.equal(await roleIn(owner, 'bob@taken.example'), null)
    assert.equal((await enter('owner@taken.example', as('eve', 'owner@taken.example'))).answer.status, 422)
  })

  const notAdmitted: [string, Record<string, unknown>][] = [
    ['of a domain that the workspace has not proved', { email: 'ann@other.example' }],
    ['of a domain below its own', { email: 'ann@sub.strict.example' }],
    ['that the provider has not verified', { email_verified: false }],
    ['that the provider calls not verified in a text', { email_verified: 'false' }],
    ['that is none', { email: 'ann' }],
    ['that is missing', { email: undefined }],
  ]
  it('admits nobody by an address that does not count', async () => {
    const owner = await shop('strict.example')
    await shop('other.example')
    for (const [what, claims] of notAdmitted) {
      const { answer } = await enter('ann@strict.example', as('strict', 'ann@strict.example', claims))
      assert.deepEqual([answer.status, codeOf(answer)], [422, 'NOT_ADMITTED'], what)
    }
    assert.equal((await membersOf(owner)).length, 1)
    const linked = await enter('ann@strict.example', as('strict', 'ann@strict.example', { email_verified: true }))
    assert.equal(linked.answer.status, 200)
    const moved = await enter('ann@strict.example', as('strict', 'ann@elsewhere.example'))
    assert.equal(codeOf(moved.answer), 'NOT_ADMITTED', 'somebody known whose address has changed')
  })

  it('belongs to the browser, the provider and the moment that it began with', async () => {
    const [{ workspaceId }, other] = [await shop('bound.example'), await shop('bound2.example')]
    provider.behave(as('carl', 'carl@bound.example'))
    const [browser, thief] = [people.browser(), people.browser()]
    const url = urlOf(await depart(browser, 'carl@bound.example'))
    const answer = provider.consent(url)
    urlOf(await depart(thief, 'carl@bound.example'))
    for (const stranger of [thief, people.browser()])
      assert.equal(codeOf(await arrive(stranger, workspaceId, answer)), 'OTHER_SIGN_IN')
    const cookies = new Map(browser.cookies)
    assert.equal(codeOf(await arrive(browser, other.workspaceId, answer)), 'OTHER_SIGN_IN')
    for (const [name, value] of cookies) browser.cookies.set(name, value)
    assert.equal(codeOf(await arrive(browser, workspaceId, answer)), 'OTHER_SIGN_IN', 'it was used by the try')
    const twice = people.browser()
    const second = provider.consent(urlOf(await depart(twice, 'carl@bound.example')))
    const answers = await Promise.all([1, 2, 3].map(() => arrive(twice, workspaceId, second)))
    assert.deepEqual(statusesOf(answers), [200, 422, 422])
    const late = people.browser()
    const third = provider.consent(urlOf(await depart(late, 'carl@bound.example')))
    await api.database.pool.query(`update people.verification set "expiresAt" = now() - interval '1 second'`)
    assert.equal(codeOf(await arrive(late, workspaceId, third)), 'OTHER_SIGN_IN')
  })

  it('is bound by a cookie that no page reads, for ten minutes', async () => {
    await shop('cookie.example')
    const answer = await depart(people.browser(), 'ann@cookie.example')
    const cookie = answer.headers.getSetCookie().find((each) => each.startsWith('perigee.provider=')) ?? ''
    assert.match(cookie, /^perigee\.provider=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/i)
  })

  it('lets the role of everybody but owners follow the groups, at each sign-in', async () => {
    const groups = { groups_claim: 'teams', group_roles: [{ group: 'sre', role: 'member' }] }
    const owner = await shop('groups.example', groups)
    for (const [teams, role] of [
      [['sre'], 'member'],
      [['staff'], 'viewer'],
      ['sre', 'member'],
      [undefined, 'viewer'],
    ] as const) {
      const behaviour = as('dan', 'dan@groups.example', { teams })
      assert.equal((await enter('dan@groups.example', behaviour)).answer.status, 200)
      assert.equal(await roleIn(owner, 'dan@groups.example'), role, JSON.stringify(teams))
    }
    const dan = (await membersOf(owner)).find(({ email }) => email === 'dan@groups.example')
    const path = `/members/${dan?.id}`
    const { workspaceId: workspace } = owner
    assert.equal((await owner.browser.api('PATCH', path, { workspace, body: { role: 'owner' } })).status, 200)
    await enter('dan@groups.example', as('dan', 'dan@groups.example', { teams: ['staff'] }))
    assert.equal(await roleIn(owner, 'dan@groups.example'), 'owner')
  })

  it('leaves a role that an owner gave alone where no group has any', async () => {
    const owner = await shop('byhand.example', { default_role: 'member' })
    const eva = as('eva', 'eva@byhand.example', { groups: ['sre'] })
    await enter('eva@byhand.example', eva)
    assert.equal(await roleIn(owner, 'eva@byhand.example'), 'member')
    const [, member] = await membersOf(owner)
    const { workspaceId: workspace } = owner
    await owner.browser.api('PATCH', `/members/${member?.id}`, { workspace, body: { role: 'viewer' } })
    await enter('eva@byhand.example', eva)
    assert.equal(await roleIn(owner, 'eva@byhand.example'), 'viewer')
  })

  it('is linked with an account by its person, who is signed in, and by nobody else', async () => {
    const owner = await shop('link.example')
    const fay = await people.newcomer('fay@link.example')
    const link = async (browser: Browser, behaviour: Behaviour) => {
      provider.behave(behaviour)
      const url = urlOf(await browser.auth('POST', '/provider/link', { returnTo: '/settings/security' }))
      return arrive(browser, owner.workspaceId, provider.consent(url))
    }
    const other = await link(fay.browser, as('gus', 'gus@link.example'))
    assert.equal(codeOf(other), 'OTHER_ADDRESS')
    const linked = await link(fay.browser, as('fay', 'fay@link.example'))
    assert.deepEqual(linked.body, { returnTo: '/settings/security', isLinked: true }, linked.text)
    const { answer, browser } = await enter('fay@link.example', as('fay', 'fay@link.example'))
    assert.equal(answer.status, 200)
    assert.match((await browser.auth('GET', '/get-session')).text, new RegExp(fay.personId))
    const links = z.object({ data: z.array(z.looseObject({ id: z.uuid(), issuer: z.string() })) })
    const [held] = links.parse((await fay.browser.api('GET', '/provider-links')).body).data
    assert.equal(held?.issuer, provider.issuer)
    assert.equal((await owner.browser.api('DELETE', `/provider-links/${held?.id}`)).status, 404)
    const stolen = await link(owner.browser, as('fay', 'owner@link.example'))
    assert.equal(codeOf(stolen), 'PROVIDER_TAKEN')
    assert.equal((await people.browser().auth('POST', '/provider/link', {})).status, 401)
    assert.equal((await fay.browser.api('DELETE', `/provider-links/${held?.id}`)).status, 204)
    const after = await enter('fay@link.example', as('fay', 'fay@link.example'))
    assert.equal(codeOf(after.answer), 'ACCOUNT_NOT_LINKED')
    const gone = people.browser()
    await signIn(gone, 'fay@link.example')
    const url = urlOf(await gone.auth('POST', '/provider/link', {}))
    await gone.auth('POST', '/sign-out', {})
    const left = await arrive(gone, owner.workspaceId, provider.consent(url))
    assert.equal(codeOf(left), 'OTHER_SIGN_IN')
  })

  it('is the only way for members where it is required, and never for owners', async () => {
    const owner = await shop('must.example', { default_role: 'member' })
    const { workspaceId: workspace } = owner
    const ivy = await enter('ivy@must.example', as('ivy', 'ivy@must.example'))
    const hash = await quickPasswords.hash(password)
    await api.database.pool.query(
      `insert into people.account ("accountId", "providerId", "userId", password, "updatedAt")
      select id::text, 'credential', id, $1, now() from people."user" where email = 'ivy@must.example'`,
      [hash],
    )
    const byPassword = people.browser()
    await signIn(byPassword, 'ivy@must.example')
    const reads = ({ api: ask }: Browser) => ask('GET', '/monitors', { workspace })
    assert.equal((await reads(byPassword)).status, 200)
    await setProvider(owner, { ...own, default_role: 'member', is_required: true })
    const refused = await reads(byPassword)
    assert.deepEqual([refused.status, codeOf(refused)], [401, 'provider_required'])
    assert.match((await byPassword.api('GET', '/workspaces')).text, /"asks_for_provider":true/)
    assert.equal((await reads(ivy.browser)).status, 200)
    assert.doesNotMatch((await ivy.browser.api('GET', '/workspaces')).text, /asks_for_provider/)
    assert.equal((await reads(owner.browser)).status, 200)
  })

  it('becomes the only way by no owner who has no other', async () => {
    const owner = await shop('alone.example')
    const { browser } = await enter('jo@alone.example', as('jo', 'jo@alone.example'))
    const jo = (await membersOf(owner)).find(({ email }) => email === 'jo@alone.example')
    const { workspaceId: workspace } = owner
    await owner.browser.api('PATCH', `/members/${jo?.id}`, { workspace, body: { role: 'owner' } })
    const body = { ...own, is_required: true }
    const answer = await browser.api('PUT', '/single-sign-on/provider', { workspace, body })
    assert.equal(answer.status, 422)
    assert.match(answer.text, /"is_required":\["Add a passkey/)
  })

  it('ends with the provider, and says so in the middle of it', async () => {
    const owner = await shop('gone.example')
    const browser = people.browser()
    provider.behave(as('kim', 'kim@gone.example'))
    const answer = provider.consent(urlOf(await depart(browser, 'kim@gone.example')))
    const { workspaceId: workspace } = owner
    assert.equal((await owner.browser.api('DELETE', '/single-sign-on/provider', { workspace })).status, 204)
    assert.equal((await arrive(browser, workspace, answer)).status, 404)
    assert.equal((await depart(browser, 'kim@gone.example')).status, 404)
  })

  it('tells what the provider did wrong', async () => {
    await shop('wrong.example')
    const { answer } = await enter('lea@wrong.example', { claims: { aud: 'another' } })
    assert.deepEqual([answer.status, codeOf(answer)], [422, 'PROVIDER_REFUSED'])
    assert.match(answer.text, /another service, person or sign-in/)
  })
})

describe('how often signing in by a provider may be tried', async () => {
  const perMinute = 4
  const signIns = { perMinute, passwordsPerQuarterHour: 4, mailsPerHour: 3 }
  const people = await peopleApi({ rates: { signIns } })

  it('is limited for an address, there and back', async () => {
    const [going, coming] = [people.browser('203.0.113.1'), people.browser('203.0.113.2')]
    for (let tries = 0; tries < perMinute; tries += 1) {
      assert.equal((await depart(going, `x${tries}@unknown.example`)).status, 404)
      assert.equal((await arrive(coming, randomUUID(), new URLSearchParams({ state: 'x' }))).status, 422)
    }
    assert.equal((await depart(going, 'y@unknown.example')).status, 429)
    assert.equal((await arrive(coming, randomUUID(), new URLSearchParams({ state: 'x' }))).status, 429)
    assert.equal((await depart(people.browser('203.0.113.3'), 'y@unknown.example')).status, 404)
  })
})

function depart(browser: Browser, email: string): Promise<Answer> {
  return browser.auth('POST', '/provider/start', { email, returnTo: '/a' })
}

/** Whom the provider says somebody is. */
function as(sub: string, email: string, claims: Record<string, unknown> = {}): Behaviour {
  return { claims: { sub, email, ...claims }, userInfo: { sub } }
}

async function membersOf({ browser, workspaceId: workspace }: Owner) {
  return listed.parse((await browser.api('GET', '/members', { workspace })).body).data
}

async function roleIn(owner: Owner, email: string): Promise<string | null> {
  return (await membersOf(owner)).find((member) => member.email === email)?.role ?? null
}
