import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { importReportSchema } from '#core/imports/import-report.ts'
import { type Answer, testApi } from '../../../test/support/api.ts'
import { healthchecksExample } from '../../../test/support/healthchecks-example.ts'
import { writeKumaDatabase } from '../../../test/support/kuma-database.ts'
import { kumaExample } from '../../../test/support/kuma-example.ts'
import { createUploadReader, maxUploadedTextBytes } from './uploaded-source.ts'

const answer = z.object({ data: importReportSchema })
const refusalSchema = z.object({ fields: z.record(z.string(), z.array(z.string())) })
const binary = { 'Content-Type': 'application/octet-stream' }

function kumaBytes(): Uint8Array<ArrayBuffer> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-kuma-'))
  try {
    writeKumaDatabase(join(folder, 'kuma.db'), 2, kumaExample).close()
    return new Uint8Array(readFileSync(join(folder, 'kuma.db')))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('reading the file of another tool', async () => {
  // As in a service, in a thread for each.
  const api = await testApi({ services: { readUpload: createUploadReader() } })
  const read = (rawBody: string | Uint8Array<ArrayBuffer>, query: string, headers: Record<string, string> = binary) =>
    api.request('POST', `/imports/read?${query}`, { rawBody, headers })

  it('says what of a database arrives, and keeps nothing of it', async () => {
    const report = reportOf(await read(kumaBytes(), 'file_name=kuma.db'))
    assert.deepEqual([report.source, report.project, report.monitors.length], ['kuma', 'kuma', 32])
    const shop = report.monitors.find(({ key }) => key === 'shop')
    assert.deepEqual([shop?.history_days, shop?.keeps_address], [2, false])
    assert.equal(report.monitors.filter((monitor) => monitor.keeps_address).length, 2)
    assert.ok(report.changed.length > 0 && report.lost.length > 0)
    const checks = new Map(report.checks.map(({ key, input }) => [key, input]))
    assert.equal(checks.get('shop')?.['kind'], 'http')
    assert.equal(checks.has('backup'), false, 'A heartbeat checks nothing.')
    const left = readdirSync(tmpdir()).filter((name) => /^perigee-(?:upload|import)-/.test(name) && isOurs(name))
    assert.deepEqual(left, [])
    const { body } = await api.get('/monitors')
    assert.deepEqual(z.object({ data: z.array(z.unknown()) }).parse(body).data, [])
  })

  it('names what is there already', async () => {
    await api.post('/monitors', { name: 'Backup', kind: 'heartbeat', interval_seconds: 3600 })
    const report = reportOf(await read('https://a.example/ Backup\nhttps://b.example/ Other\n', 'file_name=a.txt'))
    assert.deepEqual(report.present, [], 'Another kind is another monitor.')
    const { status } = await api.post('/monitors', { name: 'Other', kind: 'http', url: 'https://c.example/' })
    assert.equal(status, 201)
    const again = reportOf(await read('https://a.example/ Backup\nhttps://b.example/ Other\n', 'file_name=a.txt'))
    assert.deepEqual(again.present, [{ section: 'monitors', key: 'other', name: 'Other' }])
    assert.deepEqual(
      again.checks.map(({ key }) => key),
      ['backup'],
    )
  })

  it('takes what else a source needs', async () => {
    const query = 'file_name=checks.json&source=healthchecks&project=jobs&ping_key=fqOOd6-F4MMNuCEnzTU01w'
    const report = reportOf(await read(JSON.stringify(healthchecksExample), query))
    assert.deepEqual([report.source, report.project], ['healthchecks', 'jobs'])
  })

  it('refuses what it cannot read, with the field that is wrong', async () => {
    const cases: [body: string, query: string, field: string, message: RegExp][] = [
      ['{"a":1}', 'file_name=a.json', 'source', /The source was not recognized\. Name it: kuma, gatus/],
      ['{"monitorList": 5}', 'file_name=backup.json', 'file', /monitorList/],
      ['x', 'file_name=a.txt&source=zabbix', 'source', /./],
      ['x', 'source=list', 'file_name', /./],
      ['https://a.example/', 'file_name=a.txt&project=A%20B', 'project', /Must have at most 80/],
      ['x '.repeat(maxUploadedTextBytes), 'file_name=a.txt', 'file', /it is a text of more than 8 MB/],
    ]
    for (const [body, query, field, message] of cases) {
      const { status, body: refusal } = await read(body, query)
      const { fields } = refusalSchema.parse(refusal)
      assert.equal(status, 422, query)
      assert.match(fields[field]?.join() ?? '', message)
    }
  })

  it('refuses what is too large, and what does not say that it is a file', async () => {
    const large = await read('x', 'file_name=a.db', { ...binary, 'Content-Length': String(2 ** 30) })
    assert.equal(large.status, 413)
    const types = ['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded']
    for (const type of types) {
      const { status } = await read('x', 'file_name=a.txt', { 'Content-Type': type })
      assert.equal(status, 415, type)
    }
    const packed = await read('x', 'file_name=a.txt', { ...binary, 'Content-Encoding': 'gzip' })
    assert.equal(packed.status, 415)
  })

  it('is not for those who may change nothing', async () => {
    const { status } = await api.request('POST', '/imports/read?file_name=a.txt', {
      token: api.readToken,
      rawBody: 'x',
      headers: binary,
    })
    assert.equal(status, 403)
  })
})

function reportOf({ status, body, text }: Answer) {
  assert.equal(status, 200, text)
  return answer.parse(body).data
}

/** Other processes of a run of all tests read files too. */
function isOurs(name: string): boolean {
  return name.startsWith(`perigee-import-${process.pid}-`) || name.startsWith(`perigee-upload-${process.pid}-`)
}
