import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { checkOnce } from '../../../test/support/check.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { transaction } from '#kinds/transaction/transaction.ts'
import { http } from '#kinds/web/http.ts'
import { createOauthTokens } from './oauth-tokens.ts'

type Options = Record<string, unknown>

const digest = { sign_in: 'digest', sign_in_name: 'ann', sign_in_secret: 'open sesame' }

/** A server as RFC 7616 has it, with one nonce for each request; the first of `stale` answers are called stale. */
async function digestServer({ algorithm = 'SHA-256', stale = 0, body = 'inside' } = {}): Promise<{
  url: string
  seen: (string | undefined)[]
}> {
  const seen: (string | undefined)[] = []
  const hash = (given: string): string =>
    createHash(algorithm.startsWith('MD5') ? 'md5' : 'sha256')
      .update(given)
      .digest('hex')
  let staleLeft = stale
  const isRight = ({ method, url }: IncomingMessage, header: string): boolean => {
    const of = (name: string): string => new RegExp(`[ ,]${name}="?([^",]*)"?`).exec(header)?.[1] ?? ''
    const plain = hash('ann:inner circle:open sesame')
    const key = algorithm.endsWith('-sess') ? hash(`${plain}:${of('nonce')}:${of('cnonce')}`) : plain
    const proven = `${of('nonce')}:${of('nc')}:${of('cnonce')}:auth:${hash(`${method}:${url}`)}`
    return of('uri') === url && of('response') === hash(`${key}:${proven}`)
  }
  const { port } = await httpServer((request, response) => {
    const { authorization } = request.headers
    seen.push(authorization)
    const isIn = authorization !== undefined && isRight(request, authorization)
    if (isIn && staleLeft === 0) {
      response.end(body)
      return
    }
    if (isIn) staleLeft -= 1
    const more = isIn ? ', stale=true' : ''
    response.writeHead(401, {
      'www-authenticate': `Digest realm="inner circle", nonce="n${seen.length}", qop="auth", algorithm=${algorithm}${more}`,
    })
    response.end('outside')
  })
  return { url: `http://127.0.0.1:${port}/page?a=1`, seen }
}

async function errorOf(url: string, options: Options, more: Options = {}): Promise<string | null> {
  const { error } = await checkOnce(http, { url, options, ...more })
  return error
}

describe('a check that signs in by digest', () => {
  for (const algorithm of ['MD5', 'MD5-sess', 'SHA-256', 'SHA-256-sess'])
    it(`gets in with ${algorithm}, with a second request`, async () => {
      const { url, seen } = await digestServer({ algorithm })
      const run = await checkOnce(http, { url, options: digest, keyword: 'inside' })
      assert.deepEqual([run.status, run.error, seen.length], ['up', null, 2])
      assert.equal(seen[0], undefined)
    })

  it('looks for its keyword in what is inside alone', async () => {
    const { url } = await digestServer()
    assert.match((await errorOf(url, digest, { keyword: 'outside' })) ?? '', /not found/)
  })

  it('answers a nonce that became stale, and tells of a server that calls all of them so', async () => {
    assert.equal(await errorOf((await digestServer({ stale: 1 })).url, digest), null)
    const { url, seen } = await digestServer({ stale: 5 })
    assert.equal(
      await errorOf(url, digest),
      'HTTP status 401, expected 200 to 399: the server calls its own nonce stale',
    )
    assert.equal(seen.length, 3)
  })

  it('tells that its password is wrong, and asks no more', async () => {
    const { url, seen } = await digestServer()
    const error = await errorOf(url, { ...digest, sign_in_secret: 'wrong' })
    assert.equal(error, 'HTTP status 401, expected 200 to 399: the server refuses the name or the password')
    assert.equal(seen.length, 2)
  })

  it('does so in each step of a transaction', async () => {
    const { url, seen } = await digestServer()
    const run = await checkOnce(transaction, { url, options: { steps: [{}, { url: '/other' }], ...digest } })
    assert.deepEqual([run.status, seen.length], ['up', 4])
  })

  it('shows nothing to another origin, to which a redirect leads', async () => {
    const other = await digestServer()
    const { port } = await httpServer((_, response) => response.writeHead(302, { location: other.url }).end())
    const error = await errorOf(`http://127.0.0.1:${port}/`, digest)
    assert.equal(error, 'HTTP status 401, expected 200 to 399')
    assert.deepEqual(other.seen, [undefined])
  })
})

type Granting = { status?: number; answer?: unknown; accepted?: (token: string) => boolean }

/** An API, and the token endpoint that it believes. */
async function tokenServer({ status = 200, answer, accepted = () => true }: Granting = {}): Promise<{
  options: Options
  url: string
  asked: { authorization: string | undefined; body: string }[]
}> {
  const asked: { authorization: string | undefined; body: string }[] = []
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization } = request.headers
    if (request.url !== '/token') {
      const isIn = authorization !== undefined && accepted(authorization.replace('Bearer ', ''))
      response.writeHead(isIn ? 200 : 401).end()
      return
    }
    asked.push({ authorization, body: await text(request) })
    const granted = { access_token: `token-${asked.length}`, token_type: 'Bearer', expires_in: 3600 }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? granted))
  }
  const { port } = await httpServer((request, response) => void respond(request, response))
  const origin = `http://127.0.0.1:${port}`
  const options = {
    sign_in: 'oauth2',
    sign_in_name: 'client: 1',
    sign_in_secret: 's/cret %',
    token_url: `${origin}/token`,
    token_scope: 'read write',
  }
  return { options, url: `${origin}/api`, asked }
}

describe('a check that signs in with a token', () => {
  it('asks for one by the header Authorization, and keeps it', async () => {
    const { url, options, asked } = await tokenServer()
    for (let turn = 0; turn < 3; turn += 1) assert.equal(await errorOf(url, options), null)
    const pair = Buffer.from('client%3A+1:s%2Fcret+%25').toString('base64')
    assert.deepEqual(asked, [
      { authorization: `Basic ${pair}`, body: 'grant_type=client_credentials&scope=read+write' },
    ])
  })

  it('asks in the body where the server wants that', async () => {
    const { url, options, asked } = await tokenServer()
    assert.equal(await errorOf(url, { ...options, token_method: 'post', token_audience: 'urn:api' }), null)
    assert.equal(asked[0]?.authorization, undefined)
    assert.deepEqual(Object.fromEntries(new URLSearchParams(asked[0]?.body)), {
      grant_type: 'client_credentials',
      scope: 'read write',
      audience: 'urn:api',
      client_id: 'client: 1',
      client_secret: 's/cret %',
    })
  })

  it('asks for another one when a remembered one is refused', async () => {
    let good = 'token-1'
    const { url, options, asked } = await tokenServer({ accepted: (token) => token === good })
    assert.equal(await errorOf(url, options), null)
    good = 'token-2'
    assert.equal(await errorOf(url, options), null)
    assert.equal(asked.length, 2)
    good = 'none'
    assert.equal(await errorOf(url, options), 'HTTP status 401, expected 200 to 399: the server refuses the token')
  })

  for (const [what, granting, error] of [
    [
      'an error of OAuth',
      { status: 400, answer: { error: 'invalid_client' } },
      'The token endpoint refused a token with HTTP status 400: invalid_client',
    ],
    ['nonsense', { status: 502, answer: 'x' }, 'The token endpoint refused a token with HTTP status 502'],
    [
      'another kind of token',
      { answer: { access_token: 'a', token_type: 'mac' } },
      'The token endpoint granted no bearer token',
    ],
    [
      'what cannot stand in a header',
      { answer: { access_token: 'a\r\nb', token_type: 'bearer' } },
      'The token endpoint granted no bearer token',
    ],
  ] as const)
    it(`tells that the token endpoint answers with ${what}`, async () => {
      const { url, options } = await tokenServer(granting)
      const run = await checkOnce(http, { url, options })
      assert.deepEqual([run.status, run.statusCode, run.error], ['down', null, error])
    })

  it('keeps no token that does not say how long it lasts', async () => {
    const { url, options, asked } = await tokenServer({ answer: { access_token: 'a', token_type: 'bearer' } })
    for (let turn = 0; turn < 2; turn += 1) assert.equal(await errorOf(url, options), null)
    assert.equal(asked.length, 2)
  })

  it('asks no token endpoint that may not be dialled', async () => {
    const { url, options } = await tokenServer()
    const error = await errorOf(url, { ...options, token_url: 'http://127.0.0.1:1/token' })
    assert.match(error ?? '', /^Token: .*refused/)
    assert.deepEqual(http.optionHosts({ ...options, token_url: 'https://10.0.0.1/token' }), [
      { path: ['token_url'], host: '10.0.0.1' },
    ])
  })
})

describe('remembered tokens', () => {
  const request = {
    url: 'https://a.example',
    credentials: { name: 'a', secret: 'b' },
    method: 'basic',
    scope: null,
    audience: null,
    shareKey: 'x',
  } as const

  it('last until shortly before their end, and a day at most', () => {
    let nowMs = 0
    const tokens = createOauthTokens(() => nowMs)
    tokens.keep(request, { token: 'one', lastsSeconds: 60 })
    assert.equal(tokens.find(request), 'one')
    assert.equal(tokens.find({ ...request, shareKey: 'y' }), null)
    nowMs = 30_000
    assert.equal(tokens.find(request), null)
    tokens.keep(request, { token: 'two', lastsSeconds: 30 })
    assert.equal(tokens.find(request), null)
    tokens.keep(request, { token: 'three', lastsSeconds: 1e9 })
    nowMs += 86_369_000
    assert.equal(tokens.find(request), 'three')
    nowMs += 2_000
    assert.equal(tokens.find(request), null)
  })

  it('are a thousand at most', () => {
    const tokens = createOauthTokens(() => 0)
    for (let number = 0; number <= 1_000; number += 1)
      tokens.keep({ ...request, shareKey: String(number) }, { token: String(number), lastsSeconds: 60 })
    assert.deepEqual(
      [0, 1, 1_000].map((number) => tokens.find({ ...request, shareKey: String(number) })),
      [null, '1', '1000'],
    )
  })
})

describe('options of signing in', () => {
  for (const [what, options, problems] of [
    ['none', {}, []],
    ['a secret that waits', { sign_in_secret: 'x' }, []],
    ['a name without a way', { sign_in_name: 'x' }, ['sign_in_name']],
    ['a way alone', { sign_in: 'digest' }, ['sign_in_name']],
    ['a digest with a region', { ...digest, aws_region: 'x' }, ['aws_region']],
    ['a token without its endpoint', { ...digest, sign_in: 'oauth2' }, ['token_url']],
    ['a token of no web address', { ...digest, sign_in: 'oauth2', token_url: 'ftp://a.example' }, ['token_url']],
    ['a signature without its scope', { ...digest, sign_in: 'aws' }, ['aws_region', 'aws_service']],
    ['a scope of other letters', { ...digest, sign_in: 'aws', aws_region: 'a/b', aws_service: 's3' }, ['aws_region']],
  ] as const)
    it(`with ${what} have ${problems.length === 0 ? 'no problem' : `problems: ${problems.join(', ')}`}`, () => {
      const found = http.options.safeParse(options).error?.issues.map(({ path }) => path.join('.')) ?? []
      assert.deepEqual(found.toSorted(), [...problems].toSorted())
      const ofSteps = transaction.options.safeParse({ steps: [{}], ...options }).error?.issues ?? []
      assert.equal(ofSteps.length, problems.length)
    })

  it('keep the secret apart', () => {
    for (const { secretOptions } of [http, transaction]) assert.ok(secretOptions.includes('sign_in_secret'))
  })
})
