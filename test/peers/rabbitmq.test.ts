import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { rabbitmq } from '#kinds/broker/rabbitmq.ts'
import type { Verdict } from '#core/results/result.ts'
import { makeCertificate } from '../support/certificates.ts'
import { checkOnce } from '../support/check.ts'
import { scratchFolder, skipReason, startDaemon } from '../support/peers/daemon.ts'
import { startOpenssh } from '../support/peers/openssh.ts'
import { startRabbitmq } from '../support/peers/rabbitmq.ts'
import { freePort } from '../support/free-port.ts'
import { rawServer } from '../support/raw-server.ts'
import { testCertificates } from '../support/test-certificates.ts'
import { until } from '../support/until.ts'

type Options = Record<string, unknown>

const skip = skipReason(['rabbitmq-server', 'epmd', 'amqp-publish', 'amqp-consume', 'sshd'])

describe('a rabbitmq monitor at RabbitMQ', { skip }, async () => {
  const { root, good, expired, wrongName } = testCertificates()
  setDefaultCACertificates([root.pem])
  const broker = await startRabbitmq()
  const asWatcher = { username: 'watcher', password: 'a secret' }

  function check(path: string, options: Options = {}, timeoutMs = 10_000): Promise<Verdict> {
    return checkOnce(rabbitmq, { url: `amqp://127.0.0.1:${broker.port}${path}`, options, timeoutMs })
  }
  async function found(...given: Parameters<typeof check>): Promise<[string, string | null]> {
    const { status, error } = await check(...given)
    return [status, error]
  }

  it('is up as guest, and tells what the server is', async () => {
    const { status, error, details } = await check('')
    assert.deepEqual([status, error, details['product']], ['up', null, 'RabbitMQ'])
    assert.match(String(details['server_version']), /^\d+\.\d+\.\d+/)
    assert.match(String(details['cluster_name']), /^perigee\d+@/)
    assert.deepEqual(await found('/%2f'), ['up', null])
  })

  it('signs in, and is told what it may not', async () => {
    assert.deepEqual(await found('/shop', asWatcher), ['up', null])
    assert.deepEqual(await found('/shop', { ...asWatcher, password: 'another' }), [
      'down',
      'The server does not accept the user or the password',
    ])
    assert.deepEqual(await found('/locked', asWatcher), [
      'down',
      `The server refuses the virtual host: "NOT_ALLOWED - access to vhost 'locked' refused for user '***'"`,
    ])
    assert.deepEqual(await found('/nowhere', asWatcher), [
      'down',
      'The server refuses the virtual host: "NOT_ALLOWED - vhost nowhere not found"',
    ])
  })

  it('is up for a user who may only read', async () => {
    const asReader = { ...asWatcher, username: 'reader' }
    assert.deepEqual(await found('/shop', { ...asReader, queue: 'orders' }), ['up', null])
    assert.deepEqual(await found('/shop', asReader), ['up', null])
  })

  it('counts the messages and the consumers of a queue, and takes nothing from it', async () => {
    const wish = { ...asWatcher, queue: 'orders' }
    for (const text of ['one', 'two', 'three']) broker.publish('orders', text)
    await until('three messages', async () => (await check('/shop', wish)).details['ready_messages'] === 3)
    assert.deepEqual(await found('/shop', { ...wish, max_messages: 3 }), ['up', null])
    assert.deepEqual(await found('/shop', { ...wish, max_messages: 2 }), [
      'degraded',
      'The queue has more ready messages than 2: 3',
    ])
    assert.deepEqual(await found('/shop', { ...wish, min_consumers: 1 }), [
      'down',
      'The queue has no consumer, expected at least 1',
    ])
    assert.deepEqual(await found('/shop', { ...asWatcher, queue: 'none' }), [
      'down',
      `The queue does not exist: "NOT_FOUND - no queue 'none' in vhost 'shop'"`,
    ])
  })

  it('is content with a consumer, and degraded with fewer than wanted', async () => {
    const url = `amqp://watcher:a%20secret@127.0.0.1:${broker.port}/shop`
    const wish = { ...asWatcher, queue: 'mails' }
    await startDaemon(['amqp-consume', '-u', url, '-q', 'mails', 'cat'], {
      folder: scratchFolder('consumer'),
      ports: [],
    })
    await until('a consumer', async () => (await check('/shop', wish)).details['consumers'] === 1)
    assert.deepEqual(await found('/shop', { ...wish, min_consumers: 1 }), ['up', null])
    assert.deepEqual(await found('/shop', { ...wish, min_consumers: 2 }), [
      'degraded',
      'The queue has fewer consumers than 2: 1',
    ])
  })

  it('is degraded while an alarm keeps messages out', async () => {
    broker.run('set_vm_memory_high_watermark', '0.00001')
    await until('the alarm', async () => (await check('/shop', asWatcher)).status === 'degraded')
    assert.deepEqual(await found('/shop', { ...asWatcher, queue: 'orders' }), [
      'degraded',
      'The server takes no messages: "low on memory"',
    ])
    assert.deepEqual(await found('/shop', { ...asWatcher, username: 'reader' }), [
      'degraded',
      'The server takes no messages: "low on memory"',
    ])
    broker.run('set_vm_memory_high_watermark', '0.9')
    await until('the end of the alarm', async () => (await check('/shop', asWatcher)).status === 'up')
  })

  it('speaks TLS, and judges the certificate', async () => {
    const at = async (certificate: typeof good): Promise<Verdict> =>
      checkOnce(rabbitmq, { url: `amqps://127.0.0.1:${await broker.secure(certificate)}/shop`, options: asWatcher })
    const { error, details } = await at(good)
    assert.deepEqual([error, details['tls_protocol']], [null, 'TLSv1.3'])
    assert.match(String((await at(expired)).error), /^The certificate of 127\.0\.0\.1 expired on/)
    assert.match(String((await at(wrongName)).error), /^The certificate is for other\.example, not for 127/)
  })

  it('shows a certificate of its own where the server wants one', async () => {
    const authority = makeCertificate({ name: 'Clients', isAuthority: true })
    const client = makeCertificate({ name: 'watcher', issuer: authority })
    const url = `amqps://127.0.0.1:${await broker.secure(good, authority)}`
    const shown = { client_certificate: client.pem + client.keyPem }
    assert.equal((await checkOnce(rabbitmq, { url, options: shown })).error, null)
    assert.match(String((await checkOnce(rabbitmq, { url })).error), /asks for a TLS client certificate$/)
  })

  it('is down at other servers, at silent ones, and where nobody listens', async () => {
    assert.match(await errorAt('amqp', (await startOpenssh()).port), /^Not an AMQP server/)
    const secured = await broker.secure(good)
    assert.match(await errorAt('amqp', secured), /closed the connection|reset|Not an AMQP server/)
    assert.match(await errorAt('amqps', broker.port), /does not speak TLS|closed the connection|Timed out/)
    assert.match(await errorAt('amqp', await freePort()), /^Connection refused/)
    const silent = await rawServer(() => {})
    assert.equal(await errorAt('amqp', silent.port), 'Timed out after 1000 ms while waiting for the greeting')
  })
})

async function errorAt(scheme: string, port: number): Promise<string> {
  return String((await checkOnce(rabbitmq, { url: `${scheme}://127.0.0.1:${port}`, timeoutMs: 1000 })).error)
}
