import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkOnce } from '../../test/support/check.ts'
import { freePort } from '../../test/support/free-port.ts'
import { rawServer } from '../../test/support/raw-server.ts'
import { tcp } from './tcp.ts'

describe('a check of kind tcp', () => {
  it('is up when the port takes the connection', async () => {
    const { port } = await rawServer(() => {})
    const verdict = await checkOnce(tcp, { url: `127.0.0.1:${port}` })
    assert.deepEqual([verdict.status, verdict.statusCode, verdict.error, verdict.details], ['up', null, null, {}])
    assert.ok(Number.isInteger(verdict.latencyMs))
  })

  it('reaches IPv6', async () => {
    const { port } = await rawServer(() => {}, '::1')
    assert.equal((await checkOnce(tcp, { url: `[::1]:${port}` })).status, 'up')
  })

  it('is up when the expected text comes', async () => {
    const { port } = await rawServer((socket) => void socket.write('220 mail.example ESMTP\r\n'))
    assert.equal((await checkOnce(tcp, { url: `127.0.0.1:${port}`, options: { expected_text: 'ESMTP' } })).status, 'up')
  })

  it('is down when something else comes, and shows its beginning', async () => {
    const { port } = await rawServer((socket) => socket.end(`\u0000\u001b[31mgo away\r\n${'x'.repeat(1000)}`))
    const verdict = await checkOnce(tcp, { url: `127.0.0.1:${port}`, options: { expected_text: 'ESMTP' } })
    assert.deepEqual([verdict.status, verdict.error], ['down', 'Text "ESMTP" not found in what the server sent'])
    const { banner } = verdict.details
    assert.match(String(banner), /^\?\?\[31mgo away\?\nx{50,}$/)
    assert.ok(String(banner).length <= 200)
  })

  it('is down when nothing comes', async () => {
    const { port } = await rawServer((socket) => socket.end())
    const verdict = await checkOnce(tcp, { url: `127.0.0.1:${port}`, options: { expected_text: 'ESMTP' } })
    assert.equal(verdict.error, 'The server sent nothing, so the expected text was not found')
  })

  it('is down when the connection is refused, and at its deadline', async () => {
    const free = await freePort()
    assert.equal((await checkOnce(tcp, { url: `127.0.0.1:${free}` })).error, `Connection refused by 127.0.0.1:${free}`)
    const silent = await rawServer(() => {})
    const late = await checkOnce(tcp, {
      url: `127.0.0.1:${silent.port}`,
      timeoutMs: 500,
      options: { expected_text: 'x' },
    })
    assert.equal(late.error, 'Timed out after 500 ms while waiting for the answer')
  })

  it('takes an expected text of 1 to 256 characters and nothing else', () => {
    assert.deepEqual([{}, { expected_text: 'x' }, { expected_text: 'x'.repeat(256) }].map(isValid), [true, true, true])
    assert.deepEqual([{ expected_text: '' }, { expected_text: 'x'.repeat(257) }, { port: 1 }].map(isValid), [
      false,
      false,
      false,
    ])
  })
})

function isValid(options: Record<string, unknown>): boolean {
  return tcp.options.safeParse(options).success
}
