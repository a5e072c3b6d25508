import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkOnce } from '../../test/support/check.ts'
import { closedUdpPort, udpServer } from '../../test/support/udp-server.ts'
import { udp } from './udp.ts'

const ping = { payload_base64: Buffer.from('ping').toString('base64') }

describe('a check of kind udp', () => {
  it('is up when anything comes back', async () => {
    const { port, received } = await udpServer((_, send) => send(Buffer.from([0, 255, 1])))
    const verdict = await checkOnce(udp, { url: `127.0.0.1:${port}`, options: ping })
    assert.deepEqual([verdict.status, verdict.error, verdict.details], ['up', null, { response_bytes: 3 }])
    assert.ok(Number.isInteger(verdict.latencyMs))
    assert.equal(verdict.statusCode, null)
    assert.deepEqual(received.map(String), ['ping'])
  })

  it('is up when one of the answers holds the expected text', async () => {
    const { port } = await udpServer((_, send) => {
      send(Buffer.from('wait'))
      send(Buffer.from('… größe ok'))
    })
    const options = { ...ping, expected_text: 'größe' }
    assert.equal((await checkOnce(udp, { url: `127.0.0.1:${port}`, options })).status, 'up')
  })

  it('is down when the expected text does not come, and shows the beginning of what came', async () => {
    const { port } = await udpServer((_, send) => send(Buffer.from(`\u0000no${'x'.repeat(1000)}`)))
    const options = { ...ping, expected_text: 'pong' }
    const verdict = await checkOnce(udp, { url: `127.0.0.1:${port}`, options, timeoutMs: 500 })
    assert.deepEqual([verdict.status, verdict.error], ['down', 'Text "pong" not found in what the server sent back'])
    assert.equal(verdict.details['response_bytes'], 1003)
    assert.match(String(verdict.details['response']), /^\?nox{197}$/)
  })

  it('is down when the port is closed, and at its deadline', async () => {
    const free = await closedUdpPort()
    const refused = await checkOnce(udp, { url: `127.0.0.1:${free}`, options: ping })
    assert.equal(refused.error, `Connection refused by 127.0.0.1:${free}: nothing listens on this UDP port`)
    const silent = await udpServer(() => {})
    const late = await checkOnce(udp, { url: `127.0.0.1:${silent.port}`, options: ping, timeoutMs: 500 })
    assert.deepEqual([late.status, late.error], ['down', 'Timed out after 500 ms while waiting for the answer'])
    assert.equal(silent.received.length, 2)
  })

  const payloads = [
    ['eA==', true],
    ['eA', true],
    ['eHg=', true],
    [Buffer.alloc(512).toString('base64'), true],
    [Buffer.alloc(513).toString('base64'), false],
    ['', false],
    ['e', false],
    ['eA=', false],
    ['e A==', false],
    ['-_8=', false],
    [7, false],
  ] as const
  for (const [payload, isValid] of payloads)
    it(`${isValid ? 'takes' : 'refuses'} the payload ${JSON.stringify(payload).slice(0, 20)}`, () =>
      assert.equal(udp.options.safeParse({ payload_base64: payload }).success, isValid))

  it('needs a payload, and takes an expected text of 1 to 256 characters', () => {
    assert.equal(udp.options.safeParse({}).success, false)
    assert.equal(udp.options.safeParse({ ...ping, expected_text: '' }).success, false)
    assert.equal(udp.options.safeParse({ ...ping, expected_text: 'x'.repeat(257) }).success, false)
    assert.equal(udp.options.safeParse({ ...ping, expected_text: 'x'.repeat(256) }).success, true)
    assert.equal(udp.options.safeParse({ ...ping, port: 1 }).success, false)
  })

  it('needs a port in its target', () => {
    assert.match(udp.targetProblem('example.com', () => false) ?? '', /Must name a port/)
    assert.match(udp.targetProblem('udp://example.com:1', () => false) ?? '', /Must be host:port/)
    assert.match(udp.targetProblem('10.0.0.1:1', () => true) ?? '', /private or reserved/)
    assert.equal(
      udp.targetProblem('example.com:1', () => false),
      null,
    )
  })
})
