// A vulnerability that is exploited, from its feed until a stranger checks the signed report that it is fixed.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compactVerify, createRemoteJWKSet } from 'jose'
import { z } from 'zod'
import { exposureReportSchema } from '#core/software/exposure-report.ts'
import { type Exposure, exposureSchema } from '#core/software/exposure.ts'
import { nvdRecord } from '../support/advisory-records.ts'
import { feedServer } from '../support/feed-server.ts'
import { httpServer } from '../support/http-server.ts'
import { connect } from '../support/mcp-clients.ts'
import { startReceiver } from '../support/receiver.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'
import { locationCodes } from '../flow/service.ts'

const waitMs = 110_000
const vulnerability = 'CVE-2026-1001'
const one = z.object({ data: exposureSchema })
const many = z.object({ data: z.array(exposureSchema) })
const identified = z.object({ data: z.object({ id: z.uuid() }) })
const reported = z.object({ data: z.object({ report: exposureReportSchema, signed: z.string() }) })

/** The service, whose feeds say that nginx before 1.27.1 is exploited. */
async function startService() {
  const feeds = await feedServer({
    nvd: { [vulnerability]: nvdRecord(vulnerability) },
    exploited: { vulnerabilities: [{ cveID: vulnerability, dateAdded: '2026-11-20', vulnerabilityName: 'nginx' }] },
  })
  const roots = Object.entries(feeds.roots).map(([name, root]) => [`PERIGEE_FEED_${name.toUpperCase()}`, root ?? 'off'])
  const perigee = serviceFolder().start({
    ...Object.fromEntries(roots),
    PERIGEE_LOCATIONS: locationCodes.map((code) => `${code}=${code}`).join(','),
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
  })
  const [, url = ''] = await perigee.printed(/^Perigee is at (http:\/\/127\.0\.0\.1:\d+)$/m)
  const [, token = ''] = await perigee.printed(/shown only once: (pgk_[A-Za-z0-9]{40})$/m)
  return { url, token }
}

function tellsProof(body: string): boolean {
  return body.includes('"type":"exposure.ended"') && body.includes('"outcome":"proved"')
}

describe('an agent that is told of a vulnerability which is exploited', () => {
  it('reads what to do, and proves from several locations that it was done', { timeout: 300_000 }, async () => {
    const receiver = await startReceiver()
    const server = { header: 'nginx/1.25.3' }
    const shop = await httpServer((_, response) =>
      response.writeHead(200, { server: server.header }).end('<p>Shop</p>'),
    )
    const { url, token } = await startService()
    const headers = { 'X-API-Key': token }
    const owner = await connect(url, headers)
    const agent = await connect(url, headers, 'software')
    await owner.call('create_alert_channel', { name: 'Hook', kind: 'webhook', destination: `${receiver.url}/hook` })
    const created = await owner.call('create_monitor', {
      name: 'Shop',
      url: `http://127.0.0.1:${shop.port}/`,
      vulnerability_alerts: true,
    })
    const { id: monitorId } = identified.parse(created.structuredContent).data

    await until('the alert', async () => receiver.received.some(({ body }) => body.includes(vulnerability)), waitMs)
    const exposures = async (): Promise<Exposure[]> =>
      many.parse((await agent.call('list_exposures', { status: 'open', monitor_id: monitorId })).structuredContent).data
    await until('the exposure', async () => (await exposures()).length === 1, waitMs)
    const [{ id, version, fix_version: fix, evidence, next_step: step } = assert.fail('no exposure')] =
      await exposures()
    assert.deepEqual([version, fix, evidence], ['1.25.3', '1.27.1', 'Server header: nginx/1.25.3'])
    assert.match(step, /^Update nginx to 1\.27\.1, then call `verify_exposure`/)

    server.header = `nginx/${fix}`
    const verified = one.parse((await agent.call('verify_exposure', { id })).structuredContent).data
    assert.deepEqual(
      verified.verification?.scans.map((scan) => [scan.location_code, scan.saw, scan.version]),
      locationCodes.map((code) => [code, 'version', '1.27.1']),
    )
    const read = async (): Promise<Exposure> =>
      one.parse((await agent.call('get_exposure', { id })).structuredContent).data
    await until('the proof', async () => (await read()).outcome === 'proved', waitMs)
    await until('the alert of the proof', async () => receiver.received.some(({ body }) => tellsProof(body)), waitMs)

    const answer = await agent.call('get_exposure_report', { id })
    const { report, signed } = reported.parse(answer.structuredContent).data
    const keys = createRemoteJWKSet(new URL(`${url}/.well-known/perigee-signing-keys`))
    const { payload } = await compactVerify(signed, keys, { algorithms: ['EdDSA'] })
    assert.deepEqual(JSON.parse(new TextDecoder().decode(payload)), report)
    assert.deepEqual([report.outcome, report.before.version, report.after.last_version], ['proved', '1.25.3', '1.27.1'])
    await Promise.all([agent.close(), owner.close()])
  })
})
