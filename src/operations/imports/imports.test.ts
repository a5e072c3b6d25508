import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { type ImportRecord, importContentDays, importSchema } from '#core/imports/import-record.ts'
import { exportSchema } from '#core/projects/export-record.ts'
import { dayMs } from '#core/language/utc-day.ts'
import { readCheckConfigurations } from '#store/monitors/monitors.ts'
import { forgetImports } from '#store/imports/imports.ts'
import { type Answer, type TestApi, testApi } from '../../../test/support/api.ts'
import { harExample } from '../../../test/support/har-example.ts'
import { writeKumaDatabase } from '../../../test/support/kuma-database.ts'
import { kumaExample } from '../../../test/support/kuma-example.ts'
import { readUploadsInOne } from '../../../test/support/one-thread.ts'
import { openapiExample } from '../../../test/support/openapi-example.ts'

const one = z.object({ data: importSchema })
const made = z.object({ data: z.object({ id: z.string() }) })
const binary = { 'Content-Type': 'application/octet-stream' }
const kuma = kumaBytes()
const services = { readUpload: readUploadsInOne() }

function kumaBytes(): Uint8Array<ArrayBuffer> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-kuma-'))
  try {
    writeKumaDatabase(join(folder, 'kuma.db'), 2, kumaExample).close()
    return new Uint8Array(readFileSync(join(folder, 'kuma.db')))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function importIn({ status, body, text }: Answer, expected = 200): ImportRecord {
  assert.equal(status, expected, text)
  return one.parse(body).data
}

async function start(api: TestApi, rawBody: string | Uint8Array<ArrayBuffer>, query: string): Promise<ImportRecord> {
  return importIn(await api.request('POST', `/imports?${query}`, { rawBody, headers: binary }), 201)
}

async function untilDone(api: TestApi, { id }: { id: string }, verb: 'continue' | 'undo'): Promise<ImportRecord> {
  for (;;) {
    const record = importIn(await api.post(`/imports/${id}/${verb}`))
    if (record.state === 'done' || record.state === 'undone') return record
  }
}

async function workspaceOf(api: TestApi) {
  return z.object({ data: exportSchema }).parse((await api.get('/export')).body).data
}

function linesOf(count: number): string {
  return Array.from({ length: count }, (_, at) => `https://${at}.example/ Site ${at}`).join('\n')
}

describe('an import from another tool', { concurrency: 2 }, () => {
  it('makes what arrives, with jobs and history, and takes it back as one', async () => {
    const api = await testApi({ services })
    const started = await start(api, kuma, 'file_name=kuma.db')
    assert.deepEqual([started.state, started.made, started.source], ['open', 0, 'kuma'])
    assert.deepEqual((await workspaceOf(api)).monitors, [], 'Nothing is made by the start.')
    const done = await untilDone(api, started, 'continue')
    const present = await workspaceOf(api)
    assert.deepEqual([present.monitors.length, done.waiting, done.made + done.failed], [32, 0, started.waiting])
    assert.equal(
      present.monitors.every(({ project }) => project?.id === 'kuma'),
      true,
    )
    const group = present.monitors.find(({ kind }) => kind === 'group')
    const ids = new Set(present.monitors.map(({ id }) => id))
    const { member_ids: members } = z.object({ member_ids: z.array(z.string()) }).parse(group?.check_options)
    assert.ok(members.length > 0 && members.every((id) => ids.has(id)))
    const { pool } = api.database
    const { rows } = await pool.query('select count(*)::integer as calls from imported_calls')
    assert.deepEqual(rows, [{ calls: 2 }])
    const days = await pool.query('select count(*)::integer as monitors from imported_days')
    assert.deepEqual(days.rows, [{ monitors: 2 }])
    const kept = await pool.query('select count(*)::integer as steps from import_steps where content is not null')
    assert.deepEqual(kept.rows, [{ steps: done.failed }], 'What is made is not kept, what failed may be tried again.')

    const undone = await untilDone(api, done, 'undo')
    assert.deepEqual([undone.removed, undone.kept, undone.made], [done.made, 0, 0])
    const { monitors, contacts, status_pages: pages, maintenance } = await workspaceOf(api)
    assert.deepEqual([monitors, contacts, pages, maintenance], [[], [], [], []])
  })

  it('leaves what was changed since, and what that needs', async () => {
    const api = await testApi({ services })
    const done = await untilDone(api, await start(api, kuma, 'file_name=kuma.db'), 'continue')
    const { monitors } = await workspaceOf(api)
    const changed = monitors.find(({ alert_channel_ids: ids }) => (ids ?? []).length > 0)
    assert.ok(changed?.alert_channel_ids)
    const answer = await api.request('PATCH', `/monitors/${changed.id}`, {
      body: { name: changed.name, interval_seconds: 300 },
    })
    assert.equal(answer.status, 200, answer.text)
    const undone = await untilDone(api, done, 'undo')
    const told = undone.told.filter(({ state }) => state === 'kept')
    assert.equal(told.find(({ name }) => name === changed.name)?.problem, 'Changed since: interval_seconds.')
    const left = await workspaceOf(api)
    assert.deepEqual(left.contacts.map(({ id }) => id).toSorted(), changed.alert_channel_ids.toSorted())
    assert.equal(undone.kept, told.length)
    assert.equal(left.monitors.length + left.contacts.length, undone.kept)
  })

  it('sees that a secret was changed', async () => {
    const api = await testApi({ services })
    const done = await untilDone(api, await start(api, 'https://a.example/ Site', 'file_name=a.txt'), 'continue')
    const [monitor] = (await workspaceOf(api)).monitors
    const path = `/monitors/${monitor?.id}`
    const request_headers = { Authorization: 'Bearer secret' }
    assert.equal((await api.request('PATCH', path, { body: { name: 'Site', request_headers } })).status, 200)
    const undone = await untilDone(api, done, 'undo')
    assert.deepEqual(
      undone.told.map(({ problem }) => problem),
      ['Changed since: request_headers.'],
    )
  })

  it('keeps the secrets of a recorded visit, and shows them to nobody', async () => {
    const api = await testApi({ services })
    const read = await api.request('POST', '/imports/read?file_name=visit.har', {
      rawBody: harExample,
      headers: binary,
    })
    assert.match(read.text, /kept encrypted: \\"password\\"/)
    const done = await untilDone(api, await start(api, harExample, 'file_name=visit.har'), 'continue')
    assert.deepEqual([done.source, done.project, done.made, done.failed], ['har', 'har', 1, 0])
    const workspace = await workspaceOf(api)
    const [{ id, kind } = assert.fail()] = workspace.monitors
    assert.equal(kind, 'transaction')
    const shown = [
      JSON.stringify(workspace),
      (await api.get(`/monitors/${id}`)).text,
      (await api.get('/audit-log')).text,
    ]
    assert.ok(shown.every((text) => !text.includes('hunter2')))
    const sealed = await readCheckConfigurations(api.database, api.services.secrets, { location: null, ids: [id] })
    assert.deepEqual(sealed[0]?.options['secrets'], [{ name: 'password', value: 'hunter2' }])
  })

  it('pauses what needs credentials that a description of an API does not have', async () => {
    const api = await testApi({ services })
    const done = await untilDone(api, await start(api, openapiExample, 'file_name=api.yaml'), 'continue')
    assert.deepEqual([done.source, done.made, done.failed], ['openapi', 2, 0])
    const { monitors } = await workspaceOf(api)
    assert.deepEqual(Object.fromEntries(monitors.map(({ name, status }) => [name, status])), {
      'GET /orders/{id}': 'enabled',
      'List orders': 'paused',
    })
  })

  it('makes nothing twice, whatever was there before', async () => {
    const api = await testApi({ services })
    const own = made.parse((await api.post('/monitors', { name: 'Site 1', url: 'https://other.example/' })).body).data
      .id
    const first = await untilDone(api, await start(api, linesOf(3), 'file_name=a.txt'), 'continue')
    assert.deepEqual([first.made, first.present], [2, 1])
    const again = await api.request('POST', '/imports?file_name=a.txt', { rawBody: linesOf(3), headers: binary })
    assert.match(again.text, /already has everything in the file/)
    const second = await untilDone(api, await start(api, linesOf(5), 'file_name=a.txt'), 'continue')
    assert.deepEqual([second.made, second.present], [2, 3])
    await untilDone(api, second, 'undo')
    await untilDone(api, first, 'undo')
    assert.deepEqual(
      (await workspaceOf(api)).monitors.map(({ id }) => id),
      [own],
    )
  })

  it('goes on where it was, also where it ended between making and noting', async () => {
    const api = await testApi({ services })
    const { pool } = api.database
    const started = await start(api, linesOf(60), 'file_name=a.txt')
    const step = [started.id, 3]
    const { rows } = await pool.query<{ content: Buffer }>(
      'select content from import_steps where import_id = $1 and position = $2',
      step,
    )
    const part = importIn(await api.post(`/imports/${started.id}/continue`))
    assert.deepEqual([part.state, part.made, part.waiting], ['open', 25, 35])
    // As a process leaves it that is killed: the monitor is there under its key, and the step does not know of it.
    const forget = (content: Buffer | null) =>
      pool.query(
        `update import_steps set state = 'begun', object_id = null, noted = null, content = $3
          where import_id = $1 and position = $2`,
        [...step, content],
      )
    await forget(rows[0]?.content ?? null)
    const done = await untilDone(api, started, 'continue')
    assert.deepEqual([done.made, done.present, done.failed], [60, 0, 0])
    assert.equal((await workspaceOf(api)).monitors.length, 60)
    await forget(null)
    const undone = await untilDone(api, started, 'undo')
    assert.deepEqual([undone.removed, (await workspaceOf(api)).monitors], [60, []])
  })

  it('does not take for its own what another program made meanwhile', async () => {
    const api = await testApi({ services })
    const started = await start(api, linesOf(3), 'file_name=a.txt&project=limits')
    const taken = { section: 'monitors', key: 'site-1' }
    const own = made.parse((await api.post('/monitors', { name: 'Mine', url: 'https://b.example/' })).body).data.id
    await api.post('/project-objects', { project: 'limits', objects: [{ ...taken, id: own }] })
    const done = await untilDone(api, started, 'continue')
    assert.deepEqual([done.made, done.present, done.failed], [2, 1, 0])
    await untilDone(api, done, 'undo')
    assert.deepEqual(
      (await workspaceOf(api)).monitors.map(({ name }) => name),
      ['Mine'],
    )
  })

  it('tells what is refused, and tries it again', async () => {
    const api = await testApi({ services })
    const { token } = await api.addWorkspace()
    const slug = String(kumaExample['status_page']?.[0]?.['slug'])
    const page = made.parse((await api.post('/status-pages', { slug, title: 'Taken' }, { token })).body).data.id
    const done = await untilDone(api, await start(api, kuma, 'file_name=kuma.db'), 'continue')
    const refused = done.told.filter(({ section }) => section === 'status_pages')
    assert.deepEqual([refused.length, refused[0]?.state], [1, 'failed'])
    assert.match(refused[0]?.problem ?? '', /^slug: /)
    await api.request('DELETE', `/status-pages/${page}`, { token })
    const again = importIn(await api.post(`/imports/${done.id}/continue`, { again: true }))
    assert.equal(again.made, done.made + 1)
    assert.ok(again.told.every(({ section }) => section !== 'status_pages'))
  })

  it('is one at a time of each project, and of its workspace alone', async () => {
    const api = await testApi({ services })
    const started = await start(api, linesOf(2), 'file_name=a.txt')
    const second = await api.request('POST', '/imports?file_name=b.txt', { rawBody: linesOf(4), headers: binary })
    assert.deepEqual([second.status, /is ongoing/.test(second.text)], [422, true])
    const other = await api.addWorkspace()
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/continue'],
      ['POST', '/undo'],
    ] as const) {
      const { status } = await api.request(method, `/imports/${started.id}${path}`, { token: other.token })
      assert.equal(status, 404, path)
    }
    const list = z.object({ data: z.array(z.unknown()) }).parse((await api.get('/imports')).body)
    assert.equal(list.data.length, 1)
    const busy = await api.database.pool.query("update imports set held_until = now() + interval '1 minute'")
    assert.equal(busy.rowCount, 1)
    assert.equal((await api.post(`/imports/${started.id}/continue`)).status, 503)
  })

  it('keeps what is still to be made for a while, and sealed', async () => {
    const api = await testApi({ services })
    const started = await start(api, 'https://secret.example/ Site', 'file_name=a.txt')
    const { pool } = api.database
    const { rows } = await pool.query<{ content: Buffer }>('select content from import_steps')
    assert.doesNotMatch(rows[0]?.content.toString('latin1') ?? 'secret.example', /secret\.example/)
    await forgetImports(api.database, new Date(Date.now() + (importContentDays - 1) * dayMs))
    assert.equal(importIn(await api.get(`/imports/${started.id}`)).waiting, 1)
    await forgetImports(api.database, new Date(Date.now() + (importContentDays + 1) * dayMs))
    const idle = importIn(await api.get(`/imports/${started.id}`))
    assert.deepEqual([idle.waiting, idle.failed], [0, 1])
    assert.match(idle.told[0]?.problem ?? '', /within 30 days/)
  })

  it('checks as often as the plan allows, and says so', async () => {
    const api = await testApi({ services, plan: 'free' })
    const site = { id: 1, friendly_name: 'Site', url: 'https://a.example/', type: 1, interval: 60, status: 2 }
    const file = JSON.stringify({ monitors: [site] })
    const query = 'file_name=a.json&source=uptimerobot'
    const report = await api.request('POST', `/imports/read?${query}`, { rawBody: file, headers: binary })
    assert.match(report.text, /It is checked every 300 s instead of every 60 s/)
    await untilDone(api, await start(api, file, query), 'continue')
    const [monitor] = (await workspaceOf(api)).monitors
    assert.equal(monitor?.interval_seconds, 300)
  })

  it('counts as the requests that it takes', async () => {
    const api = await testApi({ services, rates: { writesPerMinute: 10 } })
    const started = await start(api, linesOf(30), 'file_name=a.txt')
    const part = importIn(await api.post(`/imports/${started.id}/continue`))
    assert.equal(part.made, 9)
    const { status, headers } = await api.post(`/imports/${started.id}/continue`)
    assert.deepEqual([status, headers.has('retry-after')], [429, true])
  })
})
