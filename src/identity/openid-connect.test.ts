import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createNet } from '#net/create-net.ts'
import { type Behaviour, startOpenIdProvider } from '../../test/support/openid-provider.ts'
import { openNet } from '../../test/support/net.ts'
import { type ProviderClient, createOpenIdConnect } from './openid-connect.ts'
import { ProviderTrouble } from './provider-fetch.ts'

describe('OpenID Connect', async () => {
  const provider = await startOpenIdProvider()
  const redirectUri = 'http://perigee.test/sign-in/provider/one'
  let version = 0
  const client = (changes: Partial<ProviderClient> = {}): ProviderClient => ({
    issuer: provider.issuer,
    clientId: provider.clientId,
    clientSecret: provider.clientSecret,
    redirectUri,
    // Another one has the metadata read anew.
    version: String((version += 1)),
    ...changes,
  })
  const connect = createOpenIdConnect({ net: openNet, mayBePlain: true })
  const signIn = async (behaviour: Behaviour, change: (answer: URLSearchParams) => void = () => {}) => {
    provider.behave(behaviour)
    const as = client()
    const { url, departure } = await connect.depart(as, { loginHint: 'ann@example.com' })
    const answer = provider.consent(url)
    change(answer)
    return connect.arrive(as, { answer, departure, claims: ['email'] })
  }

  it('gives who a person is, after a code with PKCE, state and nonce', async () => {
    const { subject, claims } = await signIn({ claims: { email: 'ann@example.com', groups: ['sre'] } })
    assert.deepEqual([subject, claims['email'], claims['groups']], ['subject-1', 'ann@example.com', ['sre']])
    const { url } = await connect.depart(client(), { loginHint: 'ann@example.com' })
    const { searchParams } = new URL(url)
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
    assert.equal(searchParams.get('redirect_uri'), redirectUri)
    assert.equal(searchParams.get('login_hint'), 'ann@example.com')
    for (const name of ['state', 'nonce', 'code_challenge'])
      assert.ok((searchParams.get(name) ?? '').length >= 43, `${name} is random`)
  })

  it('asks for user info where the ID token does not say enough, and takes it of the same person alone', async () => {
    const { claims } = await signIn({ userInfo: { email: 'ann@example.com' } })
    assert.equal(claims['email'], 'ann@example.com')
    await refused(signIn({ userInfo: { sub: 'subject-2', email: 'ann@example.com' } }), /did not answer as/)
  })

  it('asks for no user info where the ID token says enough, or where there is none', async () => {
    const before = provider.asked.length
    const whole = await signIn({ claims: { email: 'ann@example.com' }, userInfo: { name: 'Ann' } })
    assert.deepEqual([whole.claims['email'], whole.claims['name']], ['ann@example.com', undefined])
    const silent = await signIn({ metadata: { userinfo_endpoint: undefined } })
    assert.deepEqual([silent.subject, silent.claims['email']], ['subject-1', undefined])
    assert.ok(!provider.asked.slice(before).includes('/userinfo'))
  })

  it('asks for groups where the provider has them', async () => {
    const scopes: [supported: string[] | undefined, asked: string][] = [
      [['openid', 'groups'], 'openid email profile groups'],
      [['openid'], 'openid email profile'],
      [undefined, 'openid email profile'],
    ]
    for (const [supported, asked] of scopes) {
      provider.behave({ metadata: { scopes_supported: supported } })
      const { url } = await connect.depart(client(), { loginHint: 'a' })
      assert.equal(new URL(url).searchParams.get('scope'), asked)
    }
  })

  for (const methods of [['client_secret_basic'], undefined, ['client_secret_basic', 'client_secret_post']])
    it(`shows its secret to a provider that takes ${methods?.join(' and ') ?? 'what it does not say'}`, async () => {
      const { subject } = await signIn({ metadata: { token_endpoint_auth_methods_supported: methods } })
      assert.equal(subject, 'subject-1')
    })

  const now = Math.floor(Date.now() / 1000)
  const tampered: [string, Behaviour, RegExp][] = [
    ['of another issuer', { claims: { iss: 'https://evil.example' } }, /another service, person or sign-in/],
    ['for another service', { claims: { aud: 'another' } }, /another service, person or sign-in/],
    ['for several services, without saying which', { claims: { aud: ['perigee', 'b'] } }, /./],
    ['with another nonce', { claims: { nonce: 'x'.repeat(43) } }, /another service, person or sign-in/],
    ['without a nonce', { claims: { nonce: undefined } }, /./],
    ['that has expired', { claims: { iat: now - 900, exp: now - 600 } }, /expired or is not valid yet/],
    ['that is not valid yet', { claims: { nbf: now + 600 } }, /expired or is not valid yet/],
    ['without a subject', { claims: { sub: undefined } }, /./],
    ['that is not signed', { sign: 'alg none' }, /./],
    ['signed by the client secret', { sign: 'HS256 by the client secret' }, /./],
    ['signed by another key', { sign: 'another key' }, /./],
  ]
  for (const [what, behaviour, message] of tampered)
    it(`refuses an ID token ${what}`, () => refused(signIn(behaviour), message))

  it('refuses an answer to another sign-in, of another issuer, and a code that was used', async () => {
    await refused(
      signIn({}, (answer) => answer.set('state', 'x'.repeat(43))),
      /another sign-in/,
    )
    await refused(
      signIn({}, (answer) => answer.set('iss', 'https://evil.example')),
      /another sign-in/,
    )
    await refused(
      signIn({}, (answer) => answer.delete('iss')),
      /another sign-in/,
    )
    await refused(
      signIn({}, (answer) => answer.set('code', 'used')),
      /refused the code: invalid_grant/,
    )
    const denied = signIn({}, (answer) => {
      answer.delete('code')
      answer.set('error', 'access_denied<script>')
    })
    await refused(denied, /did not let you in: access_deniedscript\.$/)
  })

  const pathOfMetadata = '/.well-known/openid-configuration'
  const broken: [string, Behaviour, RegExp][] = [
    ['calls itself otherwise', { metadata: { issuer: 'https://evil.example' } }, /did not answer as|calls itself/],
    ['has a script in place of a page', { metadata: { authorization_endpoint: 'javascript:alert(1)' } }, /no https/],
    ['has no keys', { metadata: { jwks_uri: undefined } }, /jwks_uri of the provider is no https/],
    ['takes no PKCE', { metadata: { code_challenge_methods_supported: ['plain'] } }, /PKCE/],
    ['has no list of keys', { answers: { '/jwks': (to) => to.end('{"keys":5}') } }, /did not answer with keys/],
    ['has a page in place of keys', { answers: { '/jwks': (to) => to.end('<html>') } }, /did not answer with keys/],
    [
      'has too many keys',
      { answers: { '/jwks': (to) => to.end(JSON.stringify({ keys: 'x'.repeat(300 * 1024) })) } },
      /more than 256 KB/,
    ],
    [
      'redirects',
      { answers: { [pathOfMetadata]: (to) => to.writeHead(302, { location: 'https://evil.example/' }).end() } },
      /did not answer as/,
    ],
    ['breaks off', { answers: { [pathOfMetadata]: (to) => to.destroy() } }, /did not answer/],
    ['says nothing', { answers: { [pathOfMetadata]: (to) => to.writeHead(204).end() } }, /did not answer as/],
  ]
  for (const [what, behaviour, message] of broken)
    it(`finds that a provider ${what}`, async () => {
      provider.behave(behaviour)
      await refused(connect.examine(client()), message)
    })

  it('finds nothing wrong with one that is sound', async () => {
    provider.behave({})
    await connect.examine(client())
  })

  it('waits for no provider for long', async () => {
    provider.behave({ answers: { [pathOfMetadata]: () => {} } })
    const began = performance.now()
    await refused(connect.examine(client()), /did not answer/)
    assert.ok(performance.now() - began < 10_000)
  })

  it('asks no address that may not be reached, and none by plain http where that is not allowed', async () => {
    provider.behave({})
    const guarded = createOpenIdConnect({ net: createNet({ allowPrivate: 'none' }), mayBePlain: true })
    await refused(guarded.examine(client()), /did not answer/)
    const strict = createOpenIdConnect({ net: openNet, mayBePlain: false })
    const before = provider.asked.length
    await refused(strict.examine(client()), /HTTPS/)
    assert.equal(provider.asked.length, before)
  })

  it('reads the metadata once in a while, and anew when the owner has changed something', async () => {
    provider.behave({})
    const as = client()
    const before = provider.asked.length
    await Promise.all([connect.depart(as, { loginHint: 'a' }), connect.depart(as, { loginHint: 'b' })])
    await connect.depart(as, { loginHint: 'c' })
    assert.equal(provider.asked.length, before + 1)
    await connect.depart({ ...as, version: 'changed' }, { loginHint: 'd' })
    assert.equal(provider.asked.length, before + 2)
  })

  it('keeps the metadata of 100 providers, and forgets the oldest', async () => {
    provider.behave({})
    const clients = Array.from({ length: 101 }, (_, at) => client({ redirectUri: `${redirectUri}-${at}` }))
    const [first = assert.fail(), ...others] = clients
    const last = others.pop() ?? assert.fail()
    for (const each of [first, ...others]) await connect.depart(each, { loginHint: 'a' })
    const before = provider.asked.length
    await connect.depart(first, { loginHint: 'a' })
    assert.equal(provider.asked.length, before)
    await connect.depart(last, { loginHint: 'a' })
    await connect.depart(others.at(-1) ?? assert.fail(), { loginHint: 'a' })
    assert.equal(provider.asked.length, before + 1)
    await connect.depart(first, { loginHint: 'a' })
    assert.equal(provider.asked.length, before + 2)
  })

  it('takes no tenant of Microsoft for the common address of all of them', async () => {
    const common = 'https://login.microsoftonline.com/common/v2.0'
    const tenant = 'https://login.microsoftonline.com/{tenantid}/v2.0'
    provider.behave({ metadata: { issuer: tenant } })
    const elsewhere = createOpenIdConnect({
      net: {
        http: (request, signal) =>
          openNet.http(
            { ...request, url: new URL(request.url.pathname.replace('/common/v2.0', ''), provider.issuer) },
            signal,
          ),
      },
      mayBePlain: true,
    })
    await refused(
      elsewhere.examine(client({ issuer: common })),
      /^The provider calls itself https:\/\/login\.microsoftonline\.com\/\{tenantid\}\/v2\.0\. Enter that as the issuer\.$/,
    )
  })

  it('forgets metadata that could not be read', async () => {
    const as = client()
    provider.behave({ answers: { [pathOfMetadata]: (to) => to.writeHead(500).end() } })
    await refused(connect.depart(as, { loginHint: 'a' }), /./)
    provider.behave({})
    await connect.depart(as, { loginHint: 'a' })
  })
})

function refused(work: Promise<unknown>, message: RegExp): Promise<void> {
  return assert.rejects(work, (error) => error instanceof ProviderTrouble && message.test(error.message))
}
