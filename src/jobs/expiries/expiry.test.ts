import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import { after, before, describe, it } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { z } from 'zod'
import { kinds } from '#kinds/index.ts'
import { createNet } from '#net/create-net.ts'
import { readCheckConfigurations } from '#store/monitors/monitors.ts'
import { addContact } from '../../../test/support/alerts.ts'
import { type Certificate, makeCertificate } from '../../../test/support/certificates.ts'
import { engineBench, standingOf } from '../../../test/support/engine.ts'
import { membersOf, noMembers } from '../../../test/support/expiries.ts'
import { startTestJobs } from '../../../test/support/jobs.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { portOf } from '../../../test/support/raw-server.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { until } from '../../../test/support/until.ts'

const dayMs = 86_400_000
const waitMs = 90_000

const authority = makeCertificate({ name: 'Shop authority', isAuthority: true })
const trusted = getCACertificates()

const alertSchema = z.looseObject({
  type: z.string(),
  data: z.looseObject({ monitor: z.looseObject({ id: z.string() }) }),
})

function shopCertificate(days: number): Certificate & { notAfter: Date } {
  const notBefore = new Date(Date.now() - 60 * dayMs)
  const notAfter = new Date(Math.floor((Date.now() + days * dayMs) / 1000) * 1000)
  const names = ['127.0.0.1']
  return { ...makeCertificate({ name: 'shop', names, issuer: authority, notBefore, notAfter }), notAfter }
}

/** A web server whose certificate can be renewed while it runs. */
async function tlsServer(certificate: Certificate): Promise<{ port: number; renew: (next: Certificate) => void }> {
  const server = createServer({ cert: certificate.pem, key: certificate.keyPem }, (_request, response) => {
    response.end('All is well.')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: portOf(server), renew: ({ pem, keyPem }) => server.setSecureContext({ cert: pem, key: keyPem }) }
}

describe('a certificate that nobody renews, from its server to the webhook', async () => {
  before(() => setDefaultCACertificates([...trusted, authority.pem]))
  after(() => setDefaultCACertificates(trusted))
  const receiver = await startReceiver()
  // The jobs have to stop before the database that the engine's bench brings is closed.
  const stopping: (() => Promise<void>)[] = []
  after(() => Promise.all(stopping.map((stop) => stop())))
  const bench = await engineBench()
  const { api, database } = bench

  it('is told of once, and once more when its successor is about to end too', async () => {
    const net = createNet({ allowPrivate: 'all' })
    const jobs = await startTestJobs(database, { carriers: { net } })
    stopping.push(jobs.stop)
    await addContact(database, { workspaceId: api.workspaceId, destination: receiver.url })
    const first = shopCertificate(5)
    const server = await tlsServer(first)
    const url = `https://127.0.0.1:${server.port}/`
    const { id } = await createMonitor(api, { url, interval_seconds: 10 })

    const checkOnce = async (): Promise<void> => {
      const [told] = await bench.taken(id, ['amsterdam'])
      assert.ok(told)
      const configurations = await readCheckConfigurations(database, api.services.secrets, {
        location: null,
        ids: [id],
      })
      const [configuration] = configurations
      assert.ok(configuration && kinds.http)
      await bench.answer(told, await kinds.http.check(configuration, net, AbortSignal.timeout(10_000)))
    }
    const alerts = (): z.infer<typeof alertSchema>[] =>
      receiver.received.map(({ body }) => alertSchema.parse(JSON.parse(body)))

    await checkOnce()
    assert.equal((await standingOf(database, id)).current_status, 'up')
    const shown = { ...noMembers, cert_issuer: 'Shop authority' }
    assert.deepEqual(await membersOf(api, id), { ...shown, cert_expires_at: first.notAfter.toISOString() })
    await until('the alert', async () => receiver.received.length === 1, waitMs)
    const [alert] = alerts()
    assert.deepEqual(
      [alert?.type, alert?.data['cert_host'], alert?.data['days_left']],
      ['certificate.expiring', '127.0.0.1', 5],
    )

    const second = shopCertificate(6)
    server.renew(second)
    await checkOnce()
    assert.deepEqual(await membersOf(api, id), { ...shown, cert_expires_at: second.notAfter.toISOString() })
    await until('another alert', async () => receiver.received.length === 2, waitMs)
    assert.deepEqual(
      alerts().map(({ data }) => data['expires_at']),
      [first, second].map(({ notAfter }) => notAfter.toISOString()),
    )

    server.renew(shopCertificate(90))
    await checkOnce()
    await jobs.stop()
    const { rows } = await database.pool.query("select from deliveries where state <> 'delivered'")
    assert.deepEqual([rows.length, receiver.received.length], [0, 2])
    assert.deepEqual(bench.warnings, [])
    assert.deepEqual(
      jobs.logged.filter(({ level }) => level === 'warn' || level === 'error'),
      [],
    )
  })
})
