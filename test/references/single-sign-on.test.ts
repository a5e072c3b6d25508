// Signing in by a provider that others wrote, from its discovery to its user info.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, describe, it } from 'node:test'
import { Provider } from 'oidc-provider'
import { openNet } from '../support/net.ts'
import { portOf } from '../support/raw-server.ts'
import { type Browser, codeOf, peopleApi } from '../support/people.ts'
import { arrive, proveDomain, setProvider, urlOf } from '../support/single-sign-on.ts'

const clientId = 'perigee'
const clientSecret = 'a secret of the client'

describe('signing in by oidc-provider', async () => {
  const carriers = { net: openNet, sendMail: () => assert.fail('no mail') }
  const people = await peopleApi({ services: { carriers } })
  const owner = await people.newcomer('olga@shop.example', 'Olga')
  const { workspaceId } = owner
  const redirectUri = `http://perigee.test/sign-in/provider/${workspaceId}`
  const issuer = await startProvider(redirectUri)
  const settings = { name: 'Login', issuer, client_id: clientId, client_secret: clientSecret }
  await setProvider(owner, { ...settings, group_roles: [{ group: 'sre', role: 'member' }] })
  await proveDomain(people, workspaceId, 'shop.example')

  async function enter(login: string, browser: Browser = people.browser()) {
    const started = await browser.auth('POST', '/provider/start', { email: `${login}@shop.example` })
    const answer = await consent(urlOf(started), login, redirectUri)
    return { browser, answer: await arrive(browser, workspaceId, answer), sent: answer }
  }

  it('works when it is tried', async () => {
    const tried = await owner.browser.api('POST', '/single-sign-on/provider/try', { workspace: workspaceId })
    assert.equal(tried.text, '{"data":{"problem":null}}')
  })

  it('gives an account, a role by a group, and the same account again', async () => {
    const { browser, answer } = await enter('ann')
    assert.equal(answer.status, 200, answer.text)
    const session = await browser.auth('GET', '/get-session')
    assert.match(session.text, /"email":"ann@shop.example"/)
    assert.match((await browser.api('GET', '/workspaces')).text, new RegExp(`"id":"${workspaceId}".*"role":"member"`))
    const again = await enter('ann')
    assert.equal(again.answer.status, 200)
    const members = await owner.browser.api('GET', '/members', { workspace: workspaceId })
    assert.equal(members.text.match(/ann@shop\.example/g)?.length, 1)
  })

  it('refuses a code that the provider has taken before', async () => {
    const { browser, sent } = await enter('bob')
    const started = urlOf(await browser.auth('POST', '/provider/start', { email: 'bob@shop.example' }))
    const replayed = new URLSearchParams(sent)
    replayed.set('state', new URL(started).searchParams.get('state') ?? '')
    const answer = await arrive(browser, workspaceId, replayed)
    assert.deepEqual([answer.status, codeOf(answer)], [422, 'PROVIDER_REFUSED'])
    assert.match(answer.text, /invalid_grant/)
  })
})

/** The provider keeps what it knows in memory. */
async function startProvider(redirectUri: string): Promise<string> {
  const server = createServer((request, response) => void handle(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const issuer = `http://127.0.0.1:${portOf(server)}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key for cookies'] },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@shop.example`, email_verified: true, name: id, groups: ['sre'] }),
    }),
  })
  const handle = provider.callback()
  return issuer
}

/** Signs in at the provider and agrees, as a browser does with its pages for developers. */
async function consent(start: string, login: string, redirectUri: string): Promise<URLSearchParams> {
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
    if (location?.startsWith(redirectUri) === true) return new URL(location).searchParams
    form = location === null ? formOf(await response.text(), login) : null
    url = location === null ? url : new URL(location, url)
  }
  return assert.fail('The provider never sent the browser back.')
}

/** Its first page asks who it is, its second one whether to agree. */
function formOf(page: string, login: string): URLSearchParams {
  const [, prompt = ''] = /name="prompt" value="(\w+)"/.exec(page) ?? assert.fail(page.slice(0, 500))
  return new URLSearchParams(prompt === 'login' ? { prompt, login, password: 'x' } : { prompt })
}
