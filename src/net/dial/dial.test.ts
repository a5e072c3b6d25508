import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { freePort } from '../../../test/support/free-port.ts'
import { rawServer } from '../../../test/support/raw-server.ts'
import { connectFailure } from './connect-failure.ts'
import { discard } from './connection.ts'
import { attemptCode, type Dialled, dial, interleave } from './dial.ts'

function dialTo(addresses: string[], port: number, signal = AbortSignal.timeout(10_000)): Promise<Dialled> {
  return dial({ addresses: interleave(addresses), port, label: `target:${port}`, readBuffer: null }, signal)
}

function connectedTo(dialled: Dialled): string {
  assert.ok(dialled.ok)
  assert.equal(dialled.connection.socket.destroyed, false)
  discard(dialled.connection)
  return dialled.connection.address
}

describe('dialling', () => {
  it('takes turns between the families, IPv6 first, and tries eight at most', () => {
    assert.deepEqual(interleave(['1.1.1.1', '2.2.2.2', '::1', '3.3.3.3']), ['::1', '1.1.1.1', '2.2.2.2', '3.3.3.3'])
    assert.deepEqual(interleave(['1.1.1.1', '::1']), ['::1', '1.1.1.1'])
    assert.deepEqual(interleave(['1.1.1.1', '2.2.2.2']), ['1.1.1.1', '2.2.2.2'])
    assert.deepEqual([interleave(['1.1.1.1']), interleave([])], [['1.1.1.1'], []])
    assert.equal(interleave(Array.from({ length: 20 }, (_, index) => `1.1.1.${index}`)).length, 8)
  })

  const attempts: [address: string, code: string | undefined, told: string][] = [
    ['::1', 'EADDRNOTAVAIL', 'ENETUNREACH'],
    ['::1', 'EAFNOSUPPORT', 'ENETUNREACH'],
    ['127.0.0.1', 'EADDRNOTAVAIL', 'EADDRNOTAVAIL'],
    ['127.0.0.1', 'EAFNOSUPPORT', 'EAFNOSUPPORT'],
    ['::1', 'ECONNREFUSED', 'ECONNREFUSED'],
    ['::1', undefined, 'EUNKNOWN'],
  ]
  for (const [address, code, told] of attempts)
    it(`fails at ${address} by ${code ?? 'an error without a code'} as ${told}`, () => {
      const error = Object.assign(new Error('internals'), code === undefined ? {} : { code })
      assert.equal(attemptCode({ address, error }), told)
    })

  it('reaches IPv6 when IPv4 is dead', async () => {
    const { port } = await rawServer(() => {}, '::1')
    assert.equal(connectedTo(await dialTo(['127.0.0.1', '::1'], port)), '::1')
  })

  it('reaches IPv4 when IPv6 is dead', async () => {
    const { port } = await rawServer(() => {})
    assert.equal(connectedTo(await dialTo(['127.0.0.1', '::1'], port)), '127.0.0.1')
  })

  it('goes on to the next address after 250 ms when the first one is silent', async () => {
    const { port } = await rawServer(() => {})
    const startedAt = performance.now()
    // RFC 6666 reserves this prefix for discarding: it is silent, or unreachable at once where there is no route.
    assert.equal(connectedTo(await dialTo(['100::1', '127.0.0.1'], port)), '127.0.0.1')
    assert.ok(performance.now() - startedAt < 5_000)
  })

  it('says that all addresses refused', async () => {
    const port = await freePort()
    assert.deepEqual(await dialTo(['127.0.0.1', '::1'], port), {
      ok: false,
      failure: { phase: 'connect', code: 'connection_refused', message: `Connection refused by target:${port}` },
    })
  })

  it('ends at the deadline, and closes what it had begun', async () => {
    const controller = new AbortController()
    const { port } = await rawServer(() => {})
    const dialling = dialTo(['127.0.0.1'], port, controller.signal)
    controller.abort()
    assert.deepEqual(await dialling, { ok: false, failure: 'aborted' })
    assert.deepEqual(await dialTo(['127.0.0.1'], port, controller.signal), { ok: false, failure: 'aborted' })
  })
})

describe('the text for several failed attempts', () => {
  const cases = [
    [['ENETUNREACH', 'ECONNREFUSED'], 'Connection refused by a:1'],
    [['ECONNREFUSED', 'ENETUNREACH'], 'Connection refused by a:1'],
    [['ETIMEDOUT', 'EHOSTUNREACH'], 'Connecting to a:1 timed out: nothing answers there'],
    [['EHOSTUNREACH'], 'No route to a:1 (host unreachable)'],
    [['ENETUNREACH', 'ENETUNREACH'], 'No route to a:1 (network unreachable)'],
    [['EACCES'], "This location's firewall forbids connections to a:1"],
    [['EB', 'EA'], 'Connecting to a:1 failed (EA)'],
  ] as const
  for (const [codes, message] of cases)
    it(`${codes.join(' and ')} is "${message}"`, () => assert.equal(connectFailure(codes, 'a:1').message, message))
})
