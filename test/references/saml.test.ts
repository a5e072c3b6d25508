// Signing in by a provider of SAML 2.0 that others wrote, from its metadata to its response.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { installPackages } from '../../scripts/debian-packages.ts'
import { serviceMetadata } from '#identity/saml/saml.ts'
import { makeCertificate } from '../support/certificates.ts'
import { openNet } from '../support/net.ts'
import { type Browser, codeOf, peopleApi } from '../support/people.ts'
import type { SamlForm } from '../support/saml-provider.ts'
import { lemonLdapPackages, startLemonLdap } from '../support/lemonldap.ts'
import { simpleSamlPackages, startSimpleSaml } from '../support/simplesamlphp.ts'
import { arrive, post, proveDomain, setProvider, urlOf } from '../support/single-sign-on.ts'

/** As for other suites that need Debian's servers: elsewhere they are skipped, and on Linux what is missing is a failure. */
const noDebian = process.platform === 'linux' ? false : "Debian's packages are for Linux"
if (noDebian === false) installPackages([...simpleSamlPackages, ...lemonLdapPackages])

describe('signing in by simpleSAMLphp', { skip: noDebian }, async () => {
  const carriers = { net: openNet, sendMail: () => assert.fail('no mail') }
  const people = await peopleApi({ services: { carriers } })
  const owner = await people.newcomer('olga@shop.example', 'Olga')
  const { workspaceId } = owner
  const root = `http://perigee.test/saml/${workspaceId}`
  const metadata = await startSimpleSaml({
    certificate: makeCertificate({ name: 'Login', rsaBits: 2048 }),
    service: { entityId: `${root}/metadata`, consumerUrl: `${root}/acs` },
    people: {
      ann: { uid: ['ann-1'], email: ['ann@shop.example'], displayName: ['Ann'], groups: ['staff', 'sre'] },
      bob: { uid: ['bob-1'], email: ['bob@elsewhere.example'] },
    },
  })
  await setProvider(owner, {
    protocol: 'saml',
    name: 'Login',
    metadata_xml: await (await fetch(metadata)).text(),
    group_roles: [{ group: 'sre', role: 'member' }],
  })
  await proveDomain(people, workspaceId, 'shop.example')

  async function enter(login: string, browser: Browser = people.browser()) {
    const started = await browser.auth('POST', '/provider/start', { email: `${login}@shop.example` })
    const form = await consent(urlOf(started), { username: login, password: 'x' })
    return { browser, form, answer: await arrive(browser, workspaceId, await post(people, workspaceId, form)) }
  }

  it('gives an account, a role by a group, and the same account again', async () => {
    const { browser, answer } = await enter('ann')
    assert.equal(answer.status, 200, answer.text)
    const session = await browser.auth('GET', '/get-session')
    assert.match(session.text, /"name":"Ann","email":"ann@shop.example"/)
    assert.match((await browser.api('GET', '/workspaces')).text, new RegExp(`"id":"${workspaceId}".*"role":"member"`))
    assert.equal((await enter('ann')).answer.status, 200)
    const members = await owner.browser.api('GET', '/members', { workspace: workspaceId })
    assert.equal(members.text.match(/ann@shop\.example/g)?.length, 1)
  })

  it('refuses an address of another domain, and a response that was used', async () => {
    assert.equal(codeOf((await enter('bob')).answer), 'NOT_ADMITTED')
    const { form } = await enter('ann')
    const browser = people.browser()
    const { searchParams } = new URL(urlOf(await browser.auth('POST', '/provider/start', { email: 'x@shop.example' })))
    const replayed = { ...form, RelayState: searchParams.get('RelayState') ?? '' }
    const answer = await arrive(browser, workspaceId, await post(people, workspaceId, replayed))
    assert.deepEqual([answer.status, codeOf(answer)], [422, 'PROVIDER_REFUSED'])
    assert.match(answer.text, /InResponseTo/)
  })
})

describe('signing in by LemonLDAP::NG', { skip: noDebian }, async () => {
  const carriers = { net: openNet, sendMail: () => assert.fail('no mail') }
  const people = await peopleApi({ services: { carriers } })
  const owner = await people.newcomer('olga@shop.example', 'Olga')
  const { workspaceId } = owner
  const root = `http://perigee.test/saml/${workspaceId}`
  const metadata = await startLemonLdap({
    certificate: makeCertificate({ name: 'Login', rsaBits: 2048 }),
    service: await serviceMetadata({ entityId: `${root}/metadata`, consumerUrl: `${root}/acs` }),
    groups: { sre: 'dwho' },
  })
  await setProvider(owner, {
    protocol: 'saml',
    name: 'Login',
    metadata_xml: await (await fetch(metadata)).text(),
    group_roles: [{ group: 'sre', role: 'member' }],
  })
  // Of those who come with it for demonstrations.
  await proveDomain(people, workspaceId, 'badwolf.org')

  it('gives accounts, their roles by a group, and the same account again', async () => {
    for (const [login, name, role] of [
      ['dwho', 'Doctor Who', 'member'],
      ['rtyler', 'Rose Tyler', 'viewer'],
      ['dwho', 'Doctor Who', 'member'],
    ] as const) {
      const browser = people.browser()
      const started = await browser.auth('POST', '/provider/start', { email: `${login}@badwolf.org` })
      const form = await consent(urlOf(started), { user: login, password: login })
      const answer = await arrive(browser, workspaceId, await post(people, workspaceId, form))
      assert.equal(answer.status, 200, answer.text)
      assert.match((await browser.auth('GET', '/get-session')).text, new RegExp(`"name":"${name}"`))
      const own = (await browser.api('GET', '/workspaces')).text
      assert.match(own, new RegExp(`"id":"${workspaceId}".*"role":"${role}"`))
    }
    const members = await owner.browser.api('GET', '/members', { workspace: workspaceId })
    assert.equal(members.text.match(/@badwolf\.org/g)?.length, 2)
  })
})

/** Signs in at the provider, as a browser does, until a page posts a response. */
async function consent(start: string, credentials: Readonly<Record<string, string>>): Promise<SamlForm> {
  const cookies = new Map<string, string>()
  let url = new URL(start)
  let form: URLSearchParams | null = null
  for (let step = 0; step < 12; step += 1) {
    const response: Response = await fetch(url, {
      method: form === null ? 'GET' : 'POST',
      body: form,
      redirect: 'manual',
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const page = await response.text()
    if (page.includes('SAMLResponse'))
      return { SAMLResponse: valueOf(page, 'SAMLResponse'), RelayState: valueOf(page, 'RelayState') }
    form = location === null ? new URLSearchParams({ ...hiddenIn(page), ...credentials }) : null
    url = location === null ? url : new URL(location, url)
  }
  return assert.fail('The provider never sent the browser back.')
}

/** What a page of a form sends back as it came. */
function hiddenIn(page: string): Record<string, string> {
  const inputs = page.match(/<input[^>]*type="hidden"[^>]*>/g) ?? []
  const names = inputs.flatMap((input) => /name="([^"]+)"/.exec(input)?.[1] ?? [])
  return Object.fromEntries(names.map((name) => [name, valueOf(page, name)]))
}

function valueOf(page: string, name: string): string {
  const [input = ''] = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(page) ?? assert.fail(page.slice(0, 800))
  const [, value = ''] = /value="([^"]*)"/.exec(input) ?? []
  return value.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#x3D;', '=')
}
