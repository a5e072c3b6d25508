import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { findingSchema } from '#core/software/vulnerability.ts'
import { testApi } from '../../../test/support/api.ts'
import { httpServer } from '../../../test/support/http-server.ts'
import { startTestJobs } from '../../../test/support/jobs.ts'
import { createMonitor } from '../../../test/support/monitors.ts'
import { only } from '../../../test/support/engine.ts'
import { startReceiver } from '../../../test/support/receiver.ts'
import { found, listed, publish, reportIn } from '../../../test/support/software.ts'
import { until } from '../../../test/support/until.ts'

const alertSchema = z.object({ type: z.string(), data: z.object({ findings: z.array(findingSchema), total: z.int() }) })

describe('the jobs of a process', () => {
  it('look for the software of a new monitor, and alert of what is published afterwards', async () => {
    const api = await testApi()
    const receiver = await startReceiver()
    const { port } = await httpServer((_request, response) => {
      response.writeHead(200, { server: 'nginx/1.26.1' })
      response.end()
    })
    const jobs = await startTestJobs(api.database, { secrets: api.services.secrets })
    try {
      const contact = { name: 'Hook', kind: 'webhook', destination: `${receiver.url}/hook` }
      assert.equal((await api.post('/alert-channels', contact)).status, 201)
      const input = { url: `http://127.0.0.1:${port}/`, vulnerability_alerts: true }
      const { id } = await createMonitor(api, input)
      const report = async () => reportIn(await api.get(`/monitors/${id}/vulnerabilities`))
      await until('the scan', async () => !(await report()).pending, 30_000)
      assert.deepEqual(listed(await report()), ['nginx 1.26.1'])
      await publish(api.database, { id: 'CVE-2026-0001', product: 'bitnami:nginx', stretches: [{ fixed: '1.26.2' }] })
      await until('the alert', async () => receiver.received.length > 0, 30_000)
      const { type, data } = alertSchema.parse(JSON.parse(only(receiver.received).body))
      assert.deepEqual([type, data.total], ['vulnerability.found', 1])
      // The report says so once it is known that the alert arrived.
      const isTold = async () => (await report()).findings.every(({ alerted_at: at }) => at !== null)
      await until('the report to say when the alert was', isTold)
      assert.deepEqual(data.findings, (await report()).findings)
      assert.deepEqual(found(await report()), ['CVE-2026-0001'])
    } finally {
      await jobs.stop()
    }
  })
})
