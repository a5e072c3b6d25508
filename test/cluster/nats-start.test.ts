import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { AckPolicy, DiscardPolicy, jetstreamManager, RetentionPolicy, StorageType } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { partitionCount } from '#core/monitors/schedule.ts'
import type { NatsOptions } from '#bus/nats-options.ts'
import { ensureResultStream, renewConsumer } from '#bus/nats-stream.ts'
import { connectEngineBus } from '#bus/nats.ts'
import { type Certificate, makeCertificate } from '../support/certificates.ts'
import { makeNatsAccount } from '../support/nats-account.ts'
import { openBusBench, resultIn } from '../support/nats-bus.ts'
import { freePort } from '../support/free-port.ts'
import { natsOptions, noNatsServer, type NatsServer, startNatsServer } from '../support/nats-server.ts'
import { until } from '../support/until.ts'

const log = { warn: (): void => {} }

async function connectOnce(nats: NatsOptions): Promise<void> {
  const bus = await connectEngineBus({ nats, name: 'engine', log, startMs: 0 })
  await bus.close()
}

describe('the stream of results', { skip: noNatsServer }, () => {
  it('is made with its consumers, and found as it is at the next start', async () => {
    const bench = await openBusBench()
    await bench.engine()
    const { manager } = await bench.raw()
    const { config, created } = await manager.streams.info('results')
    assert.equal(config.retention, RetentionPolicy.Workqueue)
    assert.equal(config.discard, DiscardPolicy.New)
    assert.equal(config.storage, StorageType.File)
    assert.equal(config.max_age, 7_200e9)
    assert.equal(config.subjects.length, 64)
    const consumers = await manager.consumers.list('results').next()
    assert.equal(consumers.length, 64)
    await Promise.all([bench.engine(), bench.engine()])
    const again = await manager.streams.info('results')
    assert.equal(again.created, created)
    const same = await manager.consumers.list('results').next()
    assert.deepEqual(new Set(same.map((each) => each.created)), new Set(consumers.map((each) => each.created)))
    await bench.close()
  })

  it('is found while other processes make consumers anew, of which the broker lists null meanwhile', async () => {
    const server = await startNatsServer()
    const [own, ...others] = await Promise.all(
      Array.from({ length: 5 }, () => connect({ servers: `127.0.0.1:${server.port}` })),
    )
    assert.ok(own !== undefined)
    await ensureResultStream(own, server.options.stream)
    const over = new AbortController()
    const renewing = others.map(async (client, each) => {
      const manager = await jetstreamManager(client)
      for (let turn = 0; !over.signal.aborted; turn += 1)
        // Two that renew the same one may meet, which is no part of this.
        await renewConsumer(manager, (each * 16 + turn) % partitionCount).catch(() => {})
    })
    try {
      for (let start = 0; start < 100; start += 1) await ensureResultStream(own, server.options.stream)
    } finally {
      over.abort()
      await Promise.all(renewing)
      for (const client of [own, ...others]) await client.close()
      await server.stop()
    }
  })

  it('is mended, with its consumers, where it differs, and keeps what lies in it', async () => {
    const bench = await openBusBench()
    const { manager, stream } = await bench.raw()
    await manager.streams.add({
      name: 'results',
      subjects: ['results.*.*'],
      retention: RetentionPolicy.Workqueue,
      max_age: 60e9,
      max_bytes: 1_000,
    })
    await manager.consumers.add('results', {
      durable_name: 'partition-4',
      filter_subject: 'results.*.4',
      ack_policy: AckPolicy.Explicit,
      ack_wait: 300e9,
    })
    const { monitorId } = resultIn(4)
    await stream.publish('results.here.4', JSON.stringify([[monitorId, 1, 1, 'here']]))
    const engine = await bench.engine()
    const { config } = await manager.streams.info('results')
    assert.equal(config.max_age, 7_200e9)
    assert.equal(config.discard, DiscardPolicy.New)
    assert.equal((await manager.consumers.info('results', 'partition-4')).config.ack_wait, 5e9)
    const handled: string[] = []
    engine.onResults(async (results) => void handled.push(...results.map((result) => result.monitorId)))
    await engine.holdPartitions([4])
    assert.deepEqual(handled, [monitorId])
    await bench.close()
  })

  it('ends the start where the broker cannot change it, and says what differs', async () => {
    const bench = await openBusBench()
    const { manager } = await bench.raw()
    await manager.streams.add({ name: 'results', subjects: ['results.*.*'], storage: StorageType.Memory })
    await assert.rejects(connectOnce(bench.server.options), {
      name: 'BusStartError',
      message: /^The NATS stream results has a different .*storage.*, and the broker does not change it/,
    })
    await bench.close()
  })

  it('ends the start where another stream has its subjects, or the broker lacks the room', async () => {
    const bench = await openBusBench({
      configuration: ({ folder, port }) =>
        `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${folder}/jetstream", max_file_store: 10MB }`,
    })
    await assert.rejects(connectOnce(bench.server.options), { name: 'BusStartError', message: /insufficient storage/ })
    const { manager } = await bench.raw()
    await manager.streams.add({ name: 'other', subjects: ['results.>'], max_bytes: 1_000 })
    const stream = { replicas: 1, storage: 'file', maxBytes: 1_000_000 } as const
    await assert.rejects(connectOnce({ ...bench.server.options, stream }), {
      name: 'BusStartError',
      message: /subjects overlap/,
    })
    await bench.close()
  })

  it('ends the start at a broker without JetStream, without room for messages, or without anybody', async () => {
    const bench = await openBusBench({ configuration: ({ port }) => `listen: "127.0.0.1:${port}"` })
    await assert.rejects(connectOnce(bench.server.options), { name: 'BusStartError', message: /jetstream/i })
    await bench.close()
    const small = await openBusBench({
      configuration: ({ folder, port }) =>
        `listen: "127.0.0.1:${port}"\nmax_payload: 64KB\njetstream { store_dir: "${folder}/jetstream" }`,
    })
    await assert.rejects(connectOnce(small.server.options), { name: 'BusStartError', message: /max_payload of 1MB/ })
    await small.close()
    const port = await freePort()
    await assert.rejects(connectOnce(natsOptions({ servers: [`127.0.0.1:${port}`] })), {
      name: 'BusStartError',
      message: `NATS at 127.0.0.1:${port} could not be reached: connection refused`,
    })
  })

  it('finds the one of several brokers that is there, and goes to another when that is gone', async () => {
    const bench = await openBusBench()
    const spare = await startNatsServer()
    after(spare.stop)
    await spare.kill()
    const servers = [...spare.options.servers, ...bench.server.options.servers]
    const engines = await Promise.all(Array.from({ length: 8 }, () => bench.engine({ servers })))
    await spare.start()
    await bench.server.kill()
    // Durable is only what a broker has that is there.
    for (const engine of engines)
      await until('it is at the other', async () =>
        engine.publishResults('here', [resultIn(1)]).then(
          () => true,
          () => false,
        ),
      )
    await bench.close()
  })
})

describe('the way to the broker', { skip: noNatsServer }, () => {
  const authority = makeCertificate({ name: 'Authority', isAuthority: true })

  async function startWithTls(certificate: Certificate, more = ''): Promise<NatsServer> {
    const server = await startNatsServer({
      configuration: ({ folder, port }) => {
        writeFileSync(join(folder, 'authority.pem'), authority.pem)
        writeFileSync(join(folder, 'server.pem'), certificate.pem)
        writeFileSync(join(folder, 'server.key'), certificate.keyPem, { mode: 0o600 })
        return `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${folder}/jetstream" }
          tls { cert_file: "${folder}/server.pem", key_file: "${folder}/server.key"${more.replaceAll('FOLDER', folder)} }`
      },
    })
    after(server.stop)
    return server
  }

  it('is taken only to the host or address that its certificate names', async () => {
    const named = await startWithTls(makeCertificate({ name: 'Hub', names: ['localhost'], issuer: authority }))
    await connectOnce(trusting(named, [`localhost:${named.port}`]))
    await assert.rejects(connectOnce(trusting(named, [`127.0.0.1:${named.port}`])), { name: 'BusStartError' })
    const numbered = await startWithTls(makeCertificate({ name: 'Hub', names: ['127.0.0.1'], issuer: authority }))
    await connectOnce(trusting(numbered, [`127.0.0.1:${numbered.port}`]))
    await assert.rejects(connectOnce(trusting(numbered, [`localhost:${numbered.port}`])), { name: 'BusStartError' })
  })

  it('is not taken to an authority that is not known, and not without TLS where TLS is asked for', async () => {
    const server = await startWithTls(makeCertificate({ name: 'Hub', names: ['localhost'], issuer: authority }))
    const stranger = natsOptions({ servers: [`localhost:${server.port}`], isTlsRequired: true })
    await assert.rejects(connectOnce(stranger), { name: 'BusStartError', message: /certificate/ })
    const open = await startNatsServer()
    after(open.stop)
    await assert.rejects(connectOnce({ ...open.options, isTlsRequired: true }), {
      name: 'BusStartError',
      message: /does not support 'tls'/,
    })
  })

  it('shows a client certificate where the broker wants one', async () => {
    const certificate = makeCertificate({ name: 'Hub', names: ['localhost'], issuer: authority })
    const server = await startWithTls(certificate, ', ca_file: "FOLDER/authority.pem", verify: true')
    const options = trusting(server, [`localhost:${server.port}`])
    await assert.rejects(connectOnce(options), { name: 'BusStartError' })
    const client = makeCertificate({ name: 'Engine', names: ['engine'], issuer: authority })
    const files = { certificate: join(server.folder, 'client.pem'), key: join(server.folder, 'client.key') }
    writeFileSync(files.certificate, client.pem)
    writeFileSync(files.key, client.keyPem, { mode: 0o600 })
    await connectOnce({ ...options, tlsFiles: { ...options.tlsFiles, ...files } })
  })

  it('takes a password, a token or a file of credentials, and says which file it cannot use', async () => {
    const withPassword = await secured('authorization { user: perigee, password: "p%ss" }')
    await connectOnce({ ...withPassword.options, login: { type: 'password', user: 'perigee', password: 'p%ss' } })
    await assert.rejects(
      connectOnce({ ...withPassword.options, login: { type: 'password', user: 'perigee', password: 'wrong' } }),
      { name: 'BusStartError', message: /Authorization Violation/i },
    )
    const withToken = await secured('authorization { token: "t0ken" }')
    await connectOnce({ ...withToken.options, login: { type: 'token', token: 't0ken' } })
    const { configuration, credentials } = makeNatsAccount()
    const withAccount = await secured(configuration)
    const file = join(withAccount.folder, 'user.creds')
    writeFileSync(file, credentials)
    await connectOnce({ ...withAccount.options, login: { type: 'file', path: file } })
    writeFileSync(file, credentials.slice(0, -100))
    await assert.rejects(connectOnce({ ...withAccount.options, login: { type: 'file', path: file } }), {
      name: 'BusStartError',
      message: /are damaged/,
    })
    const path = join(withToken.folder, 'nonsense')
    writeFileSync(path, 'nonsense')
    await assert.rejects(connectOnce({ ...withToken.options, login: { type: 'file', path } }), {
      name: 'BusStartError',
      message: /neither the seed of a user/,
    })
    await assert.rejects(connectOnce({ ...withToken.options, login: { type: 'file', path: `${path}-none` } }), {
      name: 'BusStartError',
      message: /could not be read/,
    })
  })
})

function trusting({ folder }: NatsServer, servers: string[]): NatsOptions {
  const tlsFiles = { authorities: join(folder, 'authority.pem'), certificate: null, key: null }
  return natsOptions({ servers, isTlsRequired: true, tlsFiles })
}

async function secured(authorization: string): Promise<NatsServer> {
  const server = await startNatsServer({
    configuration: ({ folder, port }) =>
      `listen: "127.0.0.1:${port}"\njetstream { store_dir: "${folder}/jetstream" }\n${authorization}`,
  })
  after(server.stop)
  return server
}
