import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compactVerify, createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { z } from 'zod'
import { exposureReportSchema } from '#core/software/exposure-report.ts'
import { followExposures } from '#jobs/software/exposures.ts'
import { readSigningKeySet } from '#operations/signing-keys.ts'
import { testApi } from '../../../test/support/api.ts'
import { createMonitor, refusalOf } from '../../../test/support/monitors.ts'
import { addExposure } from '../../../test/support/software.ts'

const answered = z.object({ data: z.object({ report: exposureReportSchema, signed: z.string() }) })
const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

describe('the report of an exposure', async () => {
  const api = await testApi()
  const { database, workspaceId } = api

  async function ended() {
    const monitor = await createMonitor(api, { name: 'Shop | <b>', url: 'https://shop.example' })
    const id = await addExposure(database, { monitorId: monitor.id })
    await api.request('DELETE', `/monitors/${monitor.id}`)
    await followExposures({ database, log, now: () => new Date() })
    return { id, monitor }
  }

  /** As a stranger does who has the published keys alone. */
  async function verified(signed: string): Promise<unknown> {
    const keys: JSONWebKeySet = await readSigningKeySet(api.services)
    const { payload, protectedHeader } = await compactVerify(signed, createLocalJWKSet(keys))
    assert.deepEqual([protectedHeader.alg, protectedHeader.typ], ['EdDSA', 'perigee-exposure-report+jws'])
    return JSON.parse(new TextDecoder().decode(payload))
  }

  it('is signed, and confirmed by a common library with the published keys alone', async () => {
    const { id, monitor } = await ended()
    const answer = await api.get(`/exposures/${id}/report`)
    assert.equal(answer.status, 200, answer.text)
    const { report, signed } = answered.parse(answer.body).data
    assert.deepEqual(await verified(signed), report)
    const { issuer, workspace_id: workspace, monitor: named, outcome, before } = report
    assert.deepEqual([issuer, workspace, outcome], ['http://perigee.test', workspaceId, 'monitor_deleted'])
    assert.deepEqual(named, { id: monitor.id, name: 'Shop | <b>', target: 'https://shop.example' })
    assert.deepEqual(
      [before.product, before.version, report.vulnerability.vuln_id],
      ['nginx', '1.25.3', 'CVE-2026-1001'],
    )
    assert.equal(answered.parse((await api.get(`/exposures/${id}/report`)).body).data.signed, signed)
  })

  it('is not confirmed once one character of it was changed', async () => {
    const { id } = await ended()
    const { signed } = answered.parse((await api.get(`/exposures/${id}/report`)).body).data
    // The last character of a part may hold bits that count for nothing (RFC 4648 3.5).
    const ends = new Set([...signed.matchAll(/\.|$/g)].map(({ index }) => index - 1))
    for (let at = 0; at < signed.length; at += 1) {
      if (ends.has(at) || signed[at] === '.') continue
      const edited = `${signed.slice(0, at)}${signed[at] === 'A' ? 'B' : 'A'}${signed.slice(at + 1)}`
      await assert.rejects(verified(edited), `character ${at}`)
    }
  })

  it('is for people too, and takes no name for formatting', async () => {
    const { id } = await ended()
    const { text } = await api.get(`/exposures/${id}/report`, { headers: { Accept: 'text/markdown' } })
    assert.match(text, /^# Exposure of Shop \\\| \\<b\\> to CVE-2026-1001\n\nThe monitor was deleted\./)
    assert.match(text, /\| Software \| nginx 1\.25\.3 \|/)
  })

  it('is none while the exposure goes on, and for those of others', async () => {
    const { id: monitorId } = await createMonitor(api)
    const id = await addExposure(database, { monitorId })
    assert.deepEqual(refusalOf(await api.get(`/exposures/${id}/report`)), [422, 'still_open'])
    const other = await api.addWorkspace()
    assert.equal((await api.get(`/exposures/${id}/report`, { token: other.token })).status, 404)
  })
})
