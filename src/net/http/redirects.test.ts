import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Message } from './http-request.ts'
import { endlessFailure, followRedirect, isRedirect } from './redirects.ts'

const personal = { authorization: 'Bearer x', cookie: 'a=b', 'x-api-key': 'k', host: 'shop.example' }
const impersonal = { accept: '*/*', 'user-agent': 'Perigee/1' }

function message(url: string, method = 'GET', body: string | null = null): Message {
  const headers = { ...impersonal, ...personal, ...(body === null ? {} : { 'content-type': 'text/plain' }) }
  return { url: new URL(url), method, headers, body }
}

function follow(from: Message, status: number, location: string): Message {
  const next = followRedirect(from, { status, headers: { location } })
  assert.ok(next.ok, next.ok ? '' : next.failure.message)
  return next.message
}

function refusal(location: string): string {
  const next = followRedirect(message('https://a.example/'), { status: 302, headers: { location } })
  return next.ok ? 'followed' : next.failure.message
}

describe('redirects', () => {
  const methods = [
    ['GET', 301, 'GET'],
    ['HEAD', 301, 'HEAD'],
    ['POST', 301, 'GET'],
    ['POST', 302, 'GET'],
    ['PUT', 301, 'PUT'],
    ['PUT', 302, 'PUT'],
    ['DELETE', 302, 'DELETE'],
    ['POST', 303, 'GET'],
    ['PUT', 303, 'GET'],
    ['DELETE', 303, 'GET'],
    ['HEAD', 303, 'HEAD'],
    ['GET', 303, 'GET'],
    ['POST', 307, 'POST'],
    ['POST', 308, 'POST'],
    ['PATCH', 307, 'PATCH'],
  ] as const
  for (const [method, status, expected] of methods)
    it(`${method} goes on as ${expected} after ${status}`, () => {
      const body = method === 'GET' || method === 'HEAD' ? null : 'text'
      const next = follow(message('https://a.example/', method, body), status, '/next')
      assert.equal(next.method, expected)
      assert.equal(next.body, expected === method ? body : null)
      assert.equal(next.headers['content-type'], next.body === null ? undefined : 'text/plain')
    })

  for (const status of [301, 302, 307, 308])
    it(`${status} takes no body to another origin`, () => {
      const next = follow(message('https://a.example/', 'PUT', 'secret'), status, 'https://b.example/')
      assert.deepEqual([next.method, next.body, next.headers], ['PUT', null, impersonal])
    })

  it('307 takes the body along from http to https of the same host', () => {
    const next = follow(message('http://a.example/', 'POST', 'secret'), 307, 'https://a.example/')
    assert.deepEqual([next.body, next.headers['content-type']], ['secret', 'text/plain'])
  })

  const places = [
    ['/b?c=d#e', 'https://a.example/b?c=d'],
    ['b', 'https://a.example/x/b'],
    ['?q', 'https://a.example/x/y?q'],
    ['//b.example/z', 'https://b.example/z'],
    ['https://user:secret@b.example/', 'https://b.example/'],
    [Buffer.from('/größe').toString('latin1'), 'https://a.example/gr%C3%B6%C3%9Fe'],
  ] as const
  for (const [location, expected] of places)
    it(`"${location}" leads to ${expected}`, () =>
      assert.equal(follow(message('https://a.example/x/y'), 302, location).url.href, expected))

  const audiences = [
    ['https://a.example/', 'https://a.example/other', true],
    ['http://a.example/', 'https://a.example/', true],
    ['https://a.example/', 'http://a.example/', false],
    ['https://a.example/', 'https://b.example/', false],
    ['https://a.example/', 'https://sub.a.example/', false],
    ['https://a.example/', 'https://a.example:8443/', false],
    ['http://a.example:8080/', 'https://a.example/', false],
    ['http://a.example/', 'https://a.example:8443/', false],
  ] as const
  for (const [from, to, isKept] of audiences)
    it(`${isKept ? 'keeps' : 'drops'} what is personal from ${from} to ${to}`, () =>
      assert.deepEqual(follow(message(from), 302, to).headers, isKept ? { ...impersonal, ...personal } : impersonal))

  it('names addresses that are none', () => {
    assert.equal(refusal('http://['), 'Redirect to an address that is not valid: "http://["')
    assert.equal(refusal('mailto:a@b.example'), 'Redirect to mailto:, which is not a web address')
    assert.equal(refusal('file:///etc/passwd'), 'Redirect to file:, which is not a web address')
  })

  it('follows only the statuses that lead elsewhere, and only with a location', () => {
    const statuses = [200, 300, 301, 302, 303, 304, 305, 307, 308, 401]
    assert.deepEqual(
      statuses.filter((status) => isRedirect({ status, headers: { location: '/' } })),
      [301, 302, 303, 307, 308],
    )
    assert.equal(isRedirect({ status: 302, headers: {} }), false)
  })

  it('shows 200 characters of an address, from its beginning', () => {
    const wrong = `http://[${'a'.repeat(193)}`
    assert.equal(refusal(wrong), `Redirect to an address that is not valid: "${wrong.slice(0, 200)}"`)
    const next = new URL(`https://a.example/${'a'.repeat(183)}`)
    const failure = endlessFailure(next, new Set([next.href]), 10)
    assert.equal(failure.message, `Redirect loop: it leads back to ${next.href.slice(0, 200)}`)
  })

  it('that go on too long are called a loop only where they lead back', () => {
    const visited = new Set(['https://a.example/'])
    assert.equal(endlessFailure(new URL('https://b.example/'), visited, 3).message, 'More than 3 redirects')
    assert.deepEqual(endlessFailure(new URL('https://a.example/'), visited, 3), {
      phase: 'request',
      code: 'bad_redirect',
      message: 'Redirect loop: it leads back to https://a.example/',
    })
  })

  it('reads any location without throwing', () => {
    fc.assert(
      fc.property(fc.string(), (location) => {
        followRedirect(message('https://a.example/'), { status: 302, headers: { location } })
      }),
    )
  })
})
