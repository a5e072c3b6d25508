import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { writeHead } from './http-message.ts'
import type { Message } from './http-request.ts'

/** The lines of a request's head, without the empty ones at its end. */
function linesOf(message: Partial<Message>): string[] {
  const url = new URL('http://a.example:8080/path?query=1#part')
  const head = writeHead({ url, method: 'GET', headers: {}, body: null, ...message })
  assert.ok(head.endsWith('\r\n\r\n'))
  return head.slice(0, -4).split('\r\n')
}

const first = (method: string): string[] => [`${method} /path?query=1 HTTP/1.1`, 'host: a.example:8080']
const codings = 'accept-encoding: gzip, deflate, br, zstd'
const close = 'connection: close'

describe('the head of a request', () => {
  it('has the path and the host of the address, and what the exchange needs', () => {
    assert.deepEqual(linesOf({}), [...first('GET'), codings, close])
  })

  it('has the host and the codings that were asked for, once each', () => {
    const headers = { host: 'b.example', 'accept-encoding': 'identity', accept: '*/*' }
    assert.deepEqual(linesOf({ headers }), [
      'GET /path?query=1 HTTP/1.1',
      'host: b.example',
      'accept-encoding: identity',
      'accept: */*',
      close,
    ])
  })

  it('has the usual codings beside other headers', () => {
    assert.deepEqual(linesOf({ headers: { accept: '*/*' } }), [...first('GET'), 'accept: */*', codings, close])
  })

  it('has none of the headers that steer a connection, whatever was asked for', () => {
    const names = ['connection', 'content-length', 'expect', 'keep-alive', 'te', 'trailer', 'transfer-encoding']
    const headers = Object.fromEntries([...names, 'proxy-connection', 'upgrade'].map((name) => [name, 'x']))
    assert.deepEqual(linesOf({ headers }), [...first('GET'), codings, close])
  })

  for (const method of ['POST', 'PUT', 'PATCH'])
    it(`says that a ${method} without a body has none`, () => {
      assert.deepEqual(linesOf({ method }), [...first(method), codings, 'content-length: 0', close])
    })

  for (const method of ['GET', 'HEAD', 'DELETE', 'OPTIONS'])
    it(`says nothing of a body for a ${method} without one`, () => {
      assert.deepEqual(linesOf({ method }), [...first(method), codings, close])
    })

  for (const [body, length] of [
    ['größe', 7],
    [new Uint8Array(5), 5],
    ['', 0],
  ] as const)
    it(`has the length of a body of ${length} bytes, with any method`, () => {
      for (const method of ['GET', 'POST'])
        assert.deepEqual(linesOf({ method, body }), [...first(method), codings, `content-length: ${length}`, close])
    })

  const unsendable: [name: string, value: string][] = [
    ['x a', 'fine'],
    ['', 'fine'],
    ['x-a', 'one\r\nx-b: two'],
    ['x-a', 'a letter beyond latin1: ā'],
    ['host', 'a\nb'],
  ]
  for (const [name, value] of unsendable)
    it(`is not made with ${JSON.stringify({ [name]: value })}`, () => {
      assert.throws(() => linesOf({ headers: { [name]: value } }), TypeError)
    })
})
