import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import { mqtt } from '#kinds/broker/mqtt.ts'
import type { Verdict } from '#core/results/result.ts'
import { makeCertificate } from '../support/certificates.ts'
import { checkOnce } from '../support/check.ts'
import { scratchFolder, skipReason } from '../support/peers/daemon.ts'
import { startMosquitto } from '../support/peers/mosquitto.ts'
import { startOpenssh } from '../support/peers/openssh.ts'
import { testCertificates } from '../support/test-certificates.ts'

type Options = Record<string, unknown>

const skip = skipReason(['mosquitto', 'mosquitto_pub', 'mosquitto_passwd', 'sshd'])
const versions = ['3.1.1', '5'] as const

describe('an mqtt monitor at Mosquitto', { skip }, async () => {
  const { root, good, expired, wrongName } = testCertificates()
  setDefaultCACertificates([root.pem])
  const open = await startMosquitto()
  const guarded = await startMosquitto({
    users: { watcher: 'a secret', other: 'another secret' },
    access: ['user watcher', 'topic readwrite perigee/#', 'topic read plant/#'],
  })
  const asWatcher = { username: 'watcher', password: 'a secret' }

  for (const protocol_version of versions) {
    it(`is up in version ${protocol_version}, and its messages come back with each quality of service`, async () => {
      for (const qos of [0, 1]) {
        const { status, error, details } = await check(open.port, { protocol_version, topic: 'perigee/check', qos })
        assert.deepEqual([status, error, typeof details['round_trip_ms']], ['up', null, 'number'])
      }
      assert.equal(await errorOf(open.port, { protocol_version }), null)
    })

    it(`finds the retained message in version ${protocol_version}, as mosquitto_pub left it`, async () => {
      const options = { protocol_version, topic: 'perigee/check', watched_topic: 'plant/state' }
      open.publish('-t', 'plant/state', '-r', '-m', 'läuft')
      assert.equal(await errorOf(open.port, { ...options, expected_message: 'läuft' }), null)
      assert.equal(await errorOf(open.port, options), null)
      assert.equal(
        await errorOf(open.port, { ...options, expected_message: 'steht' }),
        'The watched topic has another message than the expected one',
      )
      assert.match(
        String((await check(open.port, { ...options, watched_topic: 'plant/none' }, 500)).error),
        /^Timed out after 500 ms while waiting for a message of the watched topic$/,
      )
    })

    it(`signs in with version ${protocol_version}, and is told what it may not`, async () => {
      const as = (rest: Options): Promise<string | null> =>
        errorOf(guarded.port, { protocol_version, ...asWatcher, ...rest }, 1000)
      assert.equal(await as({ topic: 'perigee/check', qos: 1 }), null)
      assert.equal(await as({ password: 'another' }), 'The server does not accept the user or the password')
      assert.equal(
        await errorOf(guarded.port, { protocol_version }),
        'The server wants a user: set check_options.username and password',
      )
      const refused = await as({ topic: 'plant/check', qos: 1 })
      if (protocol_version === '5') assert.equal(refused, 'The server refuses the message: not authorized (0x87)')
      else assert.equal(refused, 'Timed out after 1000 ms while waiting for the message to come back')
    })
  }

  it('leaves a message alone that takes 2 MB', async () => {
    const file = join(scratchFolder('message'), 'large')
    writeFileSync(file, Buffer.alloc(2_000_000, 'x'))
    open.publish('-t', 'plant/picture', '-r', '-f', file)
    assert.equal(await errorOf(open.port, { watched_topic: 'plant/picture' }), null)
    assert.equal(
      await errorOf(open.port, { watched_topic: 'plant/picture', expected_message: 'x' }),
      'The watched topic has another message than the expected one',
    )
  })

  it('tells its own messages from those of other locations at the same time', async () => {
    const options = { topic: 'perigee/crowd', qos: 1 }
    const errors = await Promise.all(Array.from({ length: 20 }, () => errorOf(open.port, options)))
    assert.deepEqual([...new Set(errors)], [null])
  })

  it('speaks TLS, and judges the certificate', async () => {
    const url = async (certificate: typeof good): Promise<string> =>
      `mqtts://127.0.0.1:${(await startMosquitto({ certificate })).port}`
    const { status, details } = await checkOnce(mqtt, { url: await url(good), options: { topic: 'a' } })
    assert.deepEqual([status, details['tls_protocol']], ['up', 'TLSv1.3'])
    assert.match(
      String((await checkOnce(mqtt, { url: await url(expired) })).error),
      /^The certificate of 127\.0\.0\.1 expired on/,
    )
    assert.match(
      String((await checkOnce(mqtt, { url: await url(wrongName) })).error),
      /^The certificate is for other\.example, not for 127/,
    )
  })

  it('shows a certificate of its own where the server wants one', async () => {
    const authority = makeCertificate({ name: 'Clients', isAuthority: true })
    const client = makeCertificate({ name: 'watcher', issuer: authority })
    const { port } = await startMosquitto({ certificate: good, clientAuthority: authority })
    const url = `mqtts://127.0.0.1:${port}`
    const shown = { client_certificate: client.pem + client.keyPem }
    assert.equal((await checkOnce(mqtt, { url, options: shown })).error, null)
    assert.match(String((await checkOnce(mqtt, { url })).error), /asks for a TLS client certificate$/)
  })

  it('is down at another server, and at TLS where none is expected', async () => {
    const ssh = await startOpenssh()
    assert.match(String(await errorOf(ssh.port)), /^Not an MQTT server/)
    const secured = await startMosquitto({ certificate: good })
    assert.match(String(await errorOf(secured.port)), /closed the connection|reset|Not an MQTT server/)
    const { error } = await checkOnce(mqtt, { url: `mqtts://127.0.0.1:${open.port}`, timeoutMs: 1000 })
    assert.match(String(error), /does not speak TLS|closed the connection|Timed out/)
  })
})

function check(port: number, options: Options = {}, timeoutMs = 5000): Promise<Verdict> {
  return checkOnce(mqtt, { url: `mqtt://127.0.0.1:${port}`, options, timeoutMs })
}

async function errorOf(...given: Parameters<typeof check>): Promise<string | null> {
  return (await check(...given)).error
}
