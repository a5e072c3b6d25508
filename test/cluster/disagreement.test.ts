// Two locations whose own name servers lead them to different machines, as a person sees it: over HTTP.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { z } from 'zod'
import { incidentEvidenceSchema } from '#core/incidents/evidence.ts'
import { monitorViewsSchema } from '#core/incidents/view.ts'
import { type Certificate, makeCertificate } from '../support/certificates.ts'
import { type DnsServer, dnsServer } from '../support/dns-server.ts'
import { httpServer } from '../support/http-server.ts'
import { createClient } from '../support/kills/client.ts'
import { freePort } from '../support/free-port.ts'
import { noNatsServer, startNatsServer } from '../support/nats-server.ts'
import { spawnPerigee } from '../support/perigee-process.ts'
import { portOf } from '../support/raw-server.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'

const waitMs = 90_000
const day = 86_400_000
const identified = z.looseObject({ data: z.looseObject({ id: z.string() }) })
const incidents = z.object({ data: z.array(z.looseObject({ id: z.string() })) })

/** The shop on a machine of its own, on the same port as on the other. */
async function shopAt(host: string, port: number, { pem, keyPem }: Certificate): Promise<number> {
  const server = createServer({ cert: pem, key: keyPem }, (_, response) => response.end('welcome'))
  server.listen(port, host)
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return portOf(server)
}

function leadingTo(address: string): Promise<DnsServer> {
  return dnsServer((name, type) => (name === 'shop.example' && type === 'A' ? { addresses: [address] } : 'nxdomain'))
}

describe('two locations that are led to different machines', { skip: noNatsServer }, async () => {
  const authority = makeCertificate({ name: 'Our CA', isAuthority: true })
  const shop = { name: 'shop.example', names: ['shop.example'], issuer: authority }
  const port = await shopAt('127.0.0.2', 0, makeCertificate({ ...shop, notAfter: new Date(Date.now() - day) }))
  await shopAt('127.0.0.3', port, makeCertificate(shop))
  const [old, current] = [await leadingTo('127.0.0.2'), await leadingTo('127.0.0.3')]
  const reference = await httpServer((_, response) => response.end())
  const broker = await startNatsServer()
  after(broker.stop)
  const folder = serviceFolder()
  const authorityFile = join(folder.path, 'authority.pem')
  writeFileSync(authorityFile, authority.pem)
  const token = `pgk_${'views'.repeat(8)}`
  const common = {
    NODE_EXTRA_CA_CERTS: authorityFile,
    PERIGEE_NATS_URL: `nats://127.0.0.1:${broker.port}`,
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    PERIGEE_REFERENCE_TARGETS: `127.0.0.1:${reference.port}`,
  }
  const own = await freePort()
  const perigee = folder.start({
    ...common,
    PERIGEE_PORT: String(own),
    PERIGEE_OWNER_TOKEN: token,
    PERIGEE_LOCATIONS: 'frankfurt=Frankfurt',
    PERIGEE_DNS_SERVERS: old.address,
    PERIGEE_READS_PER_MINUTE: '100000',
  })
  await perigee.printed(/^Perigee is at /m)
  const virginia = spawnPerigee({
    args: ['prober'],
    environment: {
      ...common,
      PERIGEE_PORT: '0',
      PERIGEE_LOCATIONS: 'virginia=Virginia',
      PERIGEE_DNS_SERVERS: current.address,
    },
  })
  await virginia.printed(/^Perigee's \w+ is at/m)
  const client = createClient({ url: `http://127.0.0.1:${own}`, token })
  const ask = async <T>(schema: z.ZodType<T>, path: string, body?: object): Promise<T> => {
    const answer = await client.persist(body === undefined ? { method: 'GET', path } : { method: 'POST', path, body })
    assert.ok(answer.status < 300, JSON.stringify(answer))
    return schema.parse(answer.body)
  }
  const located = z.object({ data: z.array(z.looseObject({ code: z.string(), online: z.boolean() })) })
  const create = async (settings: object): Promise<string> => {
    await until(
      'two locations',
      async () => (await ask(located, '/locations')).data.filter(({ online }) => online).length === 2,
      waitMs,
    )
    const locations = ['frankfurt', 'virginia']
    const body = { url: `https://shop.example:${port}/`, interval_seconds: 10, keep_evidence: true, locations }
    return (await ask(identified, '/monitors', { ...body, ...settings })).data.id
  }
  const views = async (id: string, query = '') =>
    (await ask(z.object({ data: monitorViewsSchema }), `/monitors/${id}/views${query}`)).data
  const sentence = 'Frankfurt was led to 127.0.0.2, Virginia to 127.0.0.3. They also differ in the certificate.'

  it('are explained where too few fail for an incident', async () => {
    const id = await create({ name: 'Shop', confirmation_threshold: 2 })
    await until('what both saw', async () => (await views(id)).views.length === 2, waitMs)
    const { disagreement, differs, views: rows } = await views(id)
    assert.equal(disagreement, sentence)
    assert.deepEqual(differs, ['status', 'addresses', 'certificate'])
    const [frankfurt, other] = rows
    assert.deepEqual(
      [frankfurt?.location_name, frankfurt?.status, frankfurt?.failure, frankfurt?.addresses.dialled],
      ['Frankfurt', 'down', { phase: 'tls', code: 'certificate_expired' }, ['127.0.0.2']],
    )
    assert.deepEqual(
      [other?.location_name, other?.status, other?.status_code, other?.final_url, other?.certificate?.issuer],
      ['Virginia', 'up', 200, `https://shop.example:${port}/`, 'Our CA'],
    )
  })

  it('are explained at the incident that one of them opens', async () => {
    const id = await create({ name: 'Shop too', confirmation_threshold: 1, failure_threshold: 1 })
    const first = async () => (await ask(incidents, `/incidents?monitor_id=${id}`)).data[0]?.id
    await until('an incident', async () => (await first()) !== undefined, waitMs)
    const incidentId = (await first()) ?? assert.fail()
    const query = `?incident_id=${incidentId}`
    await until('what both saw', async () => (await views(id, query)).views.length === 2, waitMs)
    const { data } = await ask(z.object({ data: incidentEvidenceSchema }), `/incidents/${incidentId}/evidence`)
    assert.equal(data.disagreement, sentence)
    assert.match(data.cause ?? '', /^The certificate expired 1 day ago\.$/)
  })
})
