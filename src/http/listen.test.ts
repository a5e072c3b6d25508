import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { Hono } from 'hono'
import { readJson } from './body.ts'
import type { HttpEnv } from './environment.ts'
import { ListenError, listen } from './listen.ts'

const host = '127.0.0.1'

function echo(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  app.get('/address', (context) => context.text(context.env.address))
  app.post('/json', async (context) => {
    const body = await readJson(context.req.raw, 10)
    return context.json({ body: body ?? null })
  })
  app.onError((error) => new Response(error.message, { status: 400 }))
  return app
}

describe('listening', () => {
  it('hands over the address of the socket', async () => {
    const server = await listen(echo(), { host, port: 0 })
    const response = await fetch(`http://${host}:${server.port}/address`)
    assert.equal(await response.text(), '127.0.0.1')
    await Promise.all([server.close(1000), server.close(1000)])
    await assert.rejects(fetch(`http://${host}:${server.port}/address`))
  })

  it('reads a body over the wire, sent whole or in chunks, and stops at its limit', async () => {
    const server = await listen(echo(), { host, port: 0 })
    const url = `http://${host}:${server.port}/json`
    const headers = { 'Content-Type': 'application/json' }
    const send = async (body: string | ReadableStream | null): Promise<string> => {
      const request: RequestInit = { method: 'POST', headers, body, duplex: 'half' }
      const response = await fetch(url, request)
      return response.text()
    }
    assert.equal(await send('{"a":1}'), '{"body":{"a":1}}')
    assert.equal(await send(null), '{"body":null}')
    assert.equal(await send(new Blob(['[1,', '2]']).stream()), '{"body":[1,2]}')
    assert.match(await send('x'.repeat(11)), /larger than 10 bytes/)
    assert.match(await send(new Blob(['x'.repeat(11)]).stream()), /larger than 10 bytes/)
    await server.close(1000)
  })

  it('says in one line that a port is taken', async () => {
    const first = await listen(echo(), { host, port: 0 })
    const expected = `Port ${first.port} of ${host} is in use by another process. Stop that process, or set PERIGEE_PORT to a free port.`
    await assert.rejects(listen(echo(), { host, port: first.port }), (error) => {
      assert.ok(error instanceof ListenError)
      assert.equal(error.message, expected)
      return true
    })
    await first.close(1000)
  })

  it('says in one line that an address is not of this machine', async () => {
    await assert.rejects(listen(echo(), { host: '192.0.2.1', port: 0 }), /192\.0\.2\.1 is no address of this machine/)
  })

  it('answers a request under way before it closes, and waits no longer', { timeout: 10_000 }, async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const { promise: release, resolve: finish } = Promise.withResolvers<void>()
    const app = new Hono<HttpEnv>().get('/', async (context) => {
      start()
      await release
      return context.text('done')
    })
    const server = await listen(app, { host, port: 0 })
    const asked = fetch(`http://${host}:${server.port}/`)
    await started
    const closed = server.close(60_000)
    finish()
    assert.equal(await (await asked).text(), 'done')
    await closed
  })

  it('cuts off what lasts beyond the deadline', async () => {
    const { promise: started, resolve: start } = Promise.withResolvers<void>()
    const app = new Hono<HttpEnv>().get('/', () => {
      start()
      return new Promise<Response>(() => {})
    })
    const server = await listen(app, { host, port: 0 })
    const client = connect(server.port, host)
    const ended = text(client)
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await started
    await server.close(1)
    assert.equal(await ended.catch(() => ''), '')
    if (!client.closed) await once(client, 'close')
  })
})
