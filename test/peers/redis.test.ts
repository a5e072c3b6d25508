import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { redis } from '#kinds/database/redis.ts'
import type { Verdict } from '#core/results/result.ts'
import { makeCertificate } from '../support/certificates.ts'
import { checkOnce } from '../support/check.ts'
import { skipReason } from '../support/peers/daemon.ts'
import { startOpenssh } from '../support/peers/openssh.ts'
import { startRedis } from '../support/peers/redis.ts'
import { testCertificates } from '../support/test-certificates.ts'
import { until } from '../support/until.ts'

const skip = skipReason(['redis-server', 'redis-cli', 'sshd'])

describe('a redis monitor at redis-server', { skip }, async () => {
  const { root, good, expired, wrongName } = testCertificates()
  setDefaultCACertificates([root.pem])
  const open = await startRedis()
  const guarded = await startRedis({ password: 'a secret' })

  it('is up, and tells what redis-cli tells', async () => {
    const { status, error, details } = await check(open.port)
    assert.deepEqual([status, error, details['role']], ['up', null, 'primary'])
    assert.ok(open.ask('INFO', 'server').includes(`redis_version:${String(details['server_version'])}`))
  })

  it('finds a value, a list and a database, as redis-cli wrote them', async () => {
    open.ask('SET', 'state', 'grün')
    open.ask('-n', '3', 'RPUSH', 'jobs', 'a', 'b', 'c')
    assert.equal(await errorOf(open.port, { key: 'state', expected_value: 'grün' }), null)
    assert.equal(
      await errorOf(open.port, { key: 'state', expected_value: 'rot' }),
      'The key holds another value than the expected one',
    )
    assert.equal(await errorOf(open.port, { key: 'jobs' }), 'The key does not exist')
    assert.match(String(await errorOf(open.port, { key: 'jobs' }, '/3')), /^The server refuses GET: "WRONGTYPE /)
    const { status, details } = await check(open.port, { list: 'jobs', max_list_length: 2 }, '/3')
    assert.deepEqual([status, details['list_length'], open.ask('-n', '3', 'LLEN', 'jobs')], ['degraded', 3, '3'])
    assert.match(
      String(await errorOf(open.port, {}, '/999')),
      /^The server refuses SELECT: "ERR DB index is out of range"/,
    )
    assert.equal(await errorOf(open.port, { max_memory_mb: 500 }), null)
  })

  it('leaves a value alone that takes 20 MB', async () => {
    open.ask('SETRANGE', 'large', '20000000', 'x')
    assert.equal(await errorOf(open.port, { key: 'large' }), null)
    assert.equal(
      await errorOf(open.port, { key: 'large', expected_value: 'x' }),
      'The key holds another value than the expected one',
    )
    open.ask('DEL', 'large')
  })

  it('signs in, as the default user or as one of the access list', async () => {
    assert.equal(await errorOf(guarded.port, { password: 'a secret' }), null)
    assert.equal(await errorOf(guarded.port), 'The server wants a password: set check_options.password')
    assert.equal(
      await errorOf(guarded.port, { password: 'another' }),
      'The server does not accept the user or the password',
    )
    guarded.ask('ACL', 'SETUSER', 'watcher', 'on', '>its secret', '~state', '+ping', '+get')
    const asWatcher = { username: 'watcher', password: 'its secret' }
    assert.equal(await errorOf(guarded.port, asWatcher), null)
    assert.match(
      String(await errorOf(guarded.port, { ...asWatcher, list: 'jobs' })),
      /^The server refuses LLEN: "NOPERM /,
    )
    assert.match(
      String(await errorOf(guarded.port, { ...asWatcher, max_memory_mb: 9 })),
      /^The server refuses INFO: "NOPERM /,
    )
    assert.equal(
      await errorOf(guarded.port, { ...asWatcher, password: 'another' }),
      'The server does not accept the user or the password',
    )
    const wanted = await errorOf(open.port, { password: 'a secret' })
    assert.match(
      String(wanted),
      /^The server refuses AUTH: "ERR AUTH <password> called without any password configured/,
    )
  })

  it('tells a replica from its primary, and one that lost it', async () => {
    const replica = await startRedis({ primaryPort: open.port })
    await until('the replica to be connected', () =>
      replica.ask('INFO', 'replication').includes('master_link_status:up'),
    )
    assert.equal(await errorOf(replica.port, { expected_role: 'replica' }), null)
    assert.equal(
      await errorOf(replica.port, { expected_role: 'primary' }),
      'The server is a replica, expected a primary',
    )
    replica.ask('REPLICAOF', '127.0.0.1', '1')
    assert.equal(
      await errorOf(replica.port, { expected_role: 'replica' }),
      'The replica is not connected to its primary',
    )
  })

  it('speaks TLS, and judges the certificate', async () => {
    const url = async (certificate: typeof good): Promise<string> =>
      `rediss://127.0.0.1:${(await startRedis({ certificate })).port}`
    const { status, details } = await checkOnce(redis, { url: await url(good) })
    assert.deepEqual([status, details['tls_protocol']], ['up', 'TLSv1.3'])
    assert.match(
      String((await checkOnce(redis, { url: await url(expired) })).error),
      /^The certificate of 127\.0\.0\.1 expired on/,
    )
    assert.match(
      String((await checkOnce(redis, { url: await url(wrongName) })).error),
      /^The certificate is for other\.example, not for 127/,
    )
  })

  it('shows a certificate of its own where the server wants one', async () => {
    const authority = makeCertificate({ name: 'Clients', isAuthority: true })
    const client = makeCertificate({ name: 'watcher', issuer: authority })
    const { port } = await startRedis({ certificate: good, clientAuthority: authority })
    const url = `rediss://127.0.0.1:${port}`
    const shown = { client_certificate: client.pem + client.keyPem }
    assert.equal((await checkOnce(redis, { url, options: shown })).error, null)
    assert.match(String((await checkOnce(redis, { url })).error), /asks for a TLS client certificate$/)
  })

  it('is down at another server, and at TLS where none is expected', async () => {
    const ssh = await startOpenssh()
    assert.match(String(await errorOf(ssh.port)), /^Not an answer of a Redis server: "SSH-2\.0-/)
    const secured = await startRedis({ certificate: good })
    assert.match(String(await errorOf(secured.port)), /closed the connection|reset|Not an answer/)
    const { error } = await checkOnce(redis, { url: `rediss://127.0.0.1:${open.port}`, timeoutMs: 1000 })
    assert.match(String(error), /does not speak TLS|closed the connection|Timed out/)
  })
})

function check(port: number, options: Record<string, unknown> = {}, rest = ''): Promise<Verdict> {
  return checkOnce(redis, { url: `redis://127.0.0.1:${port}${rest}`, options, timeoutMs: 5000 })
}

async function errorOf(...given: Parameters<typeof check>): Promise<string | null> {
  return (await check(...given)).error
}
