import assert from 'node:assert/strict'
import { after, afterEach, describe, it } from 'node:test'
import type { MemberRole } from '#core/people/person.ts'
import { type LiveMessage, liveMessageSchema } from '#core/overview.ts'
import { valuesOf } from '#core/language/tables.ts'
import { listedFields } from '#core/monitors/monitor-fields.ts'
import { createLiveFeed } from '#operations/overview/live-feed.ts'
import { openDatabase } from '#store/database/database.ts'
import { readOverview } from '#store/overview/overview.ts'
import { readHorizon } from '#store/overview/live-changes.ts'
import { addMember, removeMember } from '#store/people/members.ts'
import type { TestApi } from '../../test/support/api.ts'
import { addResults, addRunningIncident, createMonitor } from '../../test/support/monitors.ts'
import { liveCellsOf } from '../../test/support/overview.ts'
import { type Browser, origin, peopleApi } from '../../test/support/people.ts'
import { until } from '../../test/support/until.ts'
import { listen } from '#http/listen.ts'
import { createLiveRoutes, livePath } from './live-routes.ts'
import { createHttp } from '#http/server.ts'
import { createLongBodies } from '#http/json-thread.ts'

const everyMs = 20
const limits = { watchers: 6, ofSession: 3 }
const failures: unknown[] = []
/** The job that finds out the domains of monitors would write to them in between, which is told. */
const unnamed = { expiry_alerts: false }

/** The console's stream beside the API of a test. */
async function liveOf({ frame, database, services }: TestApi, options: { beatMs?: number; bufferBytes?: number } = {}) {
  const feed = createLiveFeed({
    database,
    now: frame.now,
    onFailure: (error) => failures.push(error),
    everyMs,
    limits,
  })
  const app = createHttp({
    operations: [],
    frame,
    longBodies: createLongBodies(),
    openApi: () => assert.fail('no document is asked for'),
    system: {
      readiness: async () => ({}),
      metrics: async () => ({ contentType: '', text: '' }),
      status: async () => ({ troubles: [] }),
      operator: { readTokens: () => [], needsToken: false },
    },
    trustedProxies: [],
    onError: (error) => failures.push(error),
    addRoutes: (to) => to.route('/', createLiveRoutes({ frame, feed, ...options })),
  })
  const server = await listen(app, { host: '127.0.0.1', port: 0 })
  after(async () => {
    feed.close()
    await server.close(1000)
  })
  assert.equal(services.publicUrl, origin)
  return {
    feed,
    url: `http://127.0.0.1:${server.port}${livePath}`,
    /** In this process, so that what is not read waits nowhere else. */
    ask: async ({ browser, workspaceId }: { browser: Browser; workspaceId: string }) => {
      const headers = { Accept: 'text/event-stream', Cookie: cookieOf(browser) }
      return app.request(`${origin}${livePath}?workspace=${workspaceId}`, { headers }, { address: '192.0.2.1' })
    },
  }
}

function cookieOf({ cookies }: Browser): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
}

type Stream = {
  response: Response
  messages: LiveMessage[]
  /** Everything as it came. */
  text: () => string
  isOver: () => boolean
  leave: () => void
}

async function open(url: string, headers: Record<string, string>): Promise<Stream> {
  const leaving = new AbortController()
  const response = await fetch(url, { headers: { Accept: 'text/event-stream', ...headers }, signal: leaving.signal })
  return { response, ...readStream(response.body), leave: () => leaving.abort() }
}

async function refused(at: string, headers: Record<string, string>): Promise<[number, string]> {
  const response = await fetch(at, { headers: { Accept: 'text/event-stream', ...headers } })
  const { error }: { error: string } = JSON.parse(await response.text())
  return [response.status, error]
}

function readStream(body: ReadableStream<Uint8Array> | null): Pick<Stream, 'messages' | 'text' | 'isOver'> {
  const messages: LiveMessage[] = []
  let text = ''
  let isOver = false
  void (async () => {
    const decoder = new TextDecoder()
    for await (const bytes of body ?? []) {
      text += decoder.decode(bytes, { stream: true })
      messages.splice(0, Infinity, ...messagesIn(text))
    }
  })()
    .catch(() => {})
    .finally(() => (isOver = true))
  return { messages, text: () => text, isOver: () => isOver }
}

function messagesIn(text: string): LiveMessage[] {
  const events = text.split('\n\n').slice(0, -1)
  return events.flatMap((event) =>
    event.startsWith('data: ') ? [liveMessageSchema.parse(JSON.parse(event.slice(6)))] : [],
  )
}

describe('the live stream of the console', async () => {
  const people = await peopleApi()
  const { api } = people
  const { database, workspaceId } = api
  const { url, feed } = await liveOf(api, { beatMs: 50 })
  let guests = 0
  const guest = async (role: MemberRole = 'viewer') => {
    guests += 1
    const person = await people.newcomer(`guest${guests}@example.com`)
    await database.transaction((tx) => addMember(tx, { workspaceId, personId: person.personId, role, at: new Date() }))
    return { ...person, workspaceId }
  }
  const ofWorkspace = `${url}?workspace=${workspaceId}`
  const viewer = await guest()
  const streams: Stream[] = []
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.leave()
  })
  /** Transactions of all databases hold back the horizon before which nothing that was written is news. */
  const settled = async (): Promise<void> => {
    const { rows } = await database.pool.query<{ id: string }>('select pg_current_xact_id()::text as id')
    const isPast = async (): Promise<boolean> => BigInt(await readHorizon(database)) > BigInt(rows[0]?.id ?? 0)
    await until('the end of older transactions', isPast, 60_000)
  }
  /** A viewer that left a moment ago may still hold its place, so the stream is opened until there is room. */
  const watch = async ({ browser } = viewer, since: string | null = null): Promise<Stream> => {
    // What was told to the streams of an earlier test would be no news to this one.
    await until('earlier streams to be gone', async () => feed.watching <= streams.length)
    if (since === null) await settled()
    const at = since === null ? ofWorkspace : `${ofWorkspace}&since=${since}`
    const headers = { Cookie: cookieOf(browser), 'Sec-Fetch-Site': 'same-origin' }
    let stream = await open(at, headers)
    await until('room', async () => {
      if (stream.response.status === 429) stream = await open(at, headers)
      return stream.response.status === 200
    })
    streams.push(stream)
    await until('the first message', async () => stream.messages.length > 0)
    return stream
  }
  it('is refused to whoever is not signed in, not a member, or sent by another page', async () => {
    const cookie = { Cookie: cookieOf(viewer.browser) }
    const other = await api.addWorkspace()
    const cases: [at: string, headers: Record<string, string>, status: number, error: string][] = [
      [ofWorkspace, {}, 401, 'not_signed_in'],
      [ofWorkspace, { Cookie: cookie.Cookie.replace('=', '=x') }, 401, 'not_signed_in'],
      [url, cookie, 401, 'not_a_member'],
      [`${url}?workspace=all`, cookie, 401, 'not_a_member'],
      [`${url}?workspace=${other.workspaceId}`, cookie, 401, 'not_a_member'],
      [ofWorkspace, { ...cookie, Origin: 'https://elsewhere.example' }, 401, 'forbidden_origin'],
      [ofWorkspace, { ...cookie, 'Sec-Fetch-Site': 'cross-site' }, 401, 'forbidden_origin'],
      [ofWorkspace, { ...cookie, 'Sec-Fetch-Site': 'same-site' }, 401, 'forbidden_origin'],
      [ofWorkspace, { ...cookie, Accept: 'image/*' }, 400, 'bad_request'],
      [`${ofWorkspace}&since=yesterday`, cookie, 400, 'bad_request'],
      [`${ofWorkspace}&since=`, cookie, 400, 'bad_request'],
      [`${ofWorkspace}&since=yesterday`, {}, 401, 'not_signed_in'],
      [ofWorkspace, { 'X-API-Key': api.token }, 401, 'not_signed_in'],
    ]
    for (const [at, headers, status, error] of cases) assert.deepEqual(await refused(at, headers), [status, error])
  })

  it('answers HEAD without beginning anything', async () => {
    for (let count = 0; count < 10; count += 1) {
      const headers = { Accept: 'text/event-stream', Cookie: cookieOf(viewer.browser) }
      const response = await fetch(ofWorkspace, { method: 'HEAD', headers })
      assert.equal(response.status, 200)
    }
  })

  it('is no page that anything keeps or holds back', async () => {
    const stream = await watch()
    const { headers } = stream.response
    assert.match(headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.match(headers.get('cache-control') ?? '', /no-store/)
    assert.equal(headers.get('access-control-allow-origin'), null)
    await until('a beat', async () => stream.text().includes('\n\n:\n\n'))
    assert.match(stream.text(), /^retry: \d+\n\n/)
  })

  it('tells of states, results, names and incidents, and of nothing that stays as it is', async () => {
    const monitor = await createMonitor(api, unnamed)
    const still = await createMonitor(api, unnamed)
    const elsewhere = await createMonitor(api, unnamed, (await api.addWorkspace()).token)
    const stream = await watch()
    const [first] = stream.messages
    assert.deepEqual([first?.total, first?.incidents], [2, []])
    const at = new Date()
    await addResults(database, monitor.id, [{ at, latencyMs: 120 }])
    await addResults(database, elsewhere.id, [{ at, latencyMs: 1 }])
    const incidentId = await addRunningIncident(database, monitor, at)
    await until('the incident', async () => stream.messages.some(({ incidents }) => incidents?.[0]?.id === incidentId))
    const row = stream.messages.flatMap(({ monitors }) => monitors).findLast(([id]) => id === monitor.id)
    const listed = valuesOf(monitor, listedFields)
    const { interval_seconds: interval, timeout_ms: timeoutMs } = monitor
    const unknownFrom = at.getTime() + interval * 1000 + timeoutMs + 15_000
    assert.deepEqual(row, [...listed, 'down', false, at.getTime(), unknownFrom, 120, 'u1'])
    await api.request('PATCH', `/monitors/${monitor.id}`, { body: { name: 'Renamed' } })
    await until('the name', async () => stream.messages.at(-1)?.monitors[0]?.[1] === 'Renamed')
    await api.post(`/incidents/${incidentId}/acknowledge`)
    await until('the acknowledgement', async () => stream.messages.at(-1)?.incidents?.[0]?.status === 'acknowledged')
    await api.post(`/monitors/${monitor.id}/pause`)
    await until('the pause, which resolves the incident', async () =>
      stream.messages.some(
        ({ monitors, incidents }) => monitors.map(liveCellsOf)[0]?.state === 'paused' && incidents?.length === 0,
      ),
    )
    await api.request('DELETE', `/monitors/${monitor.id}`)
    await until('the deletion', async () => stream.messages.at(-1)?.total === 1)
    const told = new Set(stream.messages.slice(1).flatMap(({ monitors }) => monitors.map(([id]) => id)))
    assert.deepEqual([...told], [monitor.id])
    assert.ok(!told.has(still.id))
    const known = stream.messages.length
    for (const name of ['Once more', 'And again']) {
      await api.request('PATCH', `/monitors/${still.id}`, { body: { name } })
      await until('the other name', async () => stream.messages.at(-1)?.monitors[0]?.[1] === name)
    }
    const later = stream.messages
      .slice(known)
      .map(({ monitors, incidents }) => [monitors.map(([, name]) => name), incidents])
    assert.deepEqual(
      later,
      [
        [['Once more'], null],
        [['And again'], null],
      ],
      'what was told is not told again',
    )
  })

  it('goes on where an overview ended, whoever else is told already', async () => {
    const [changed, still] = [await createMonitor(api, unnamed), await createMonitor(api, unnamed)]
    await settled()
    for (const isAlone of [true, false]) {
      const others = isAlone ? [] : [await watch()]
      const { horizon, monitors, incidents } = await readOverview(database, { workspaceId, now: new Date() })
      const incidentId = await addRunningIncident(database, changed, new Date())
      await until('others are told', async () => others.every(({ messages }) => messages.at(-1)?.incidents?.length))
      const stream = await watch(viewer, horizon)
      const [first] = stream.messages
      assert.deepEqual(
        [first?.total, first?.is_partial, first?.monitors.map(liveCellsOf).map(({ id, state }) => [id, state])],
        [monitors.length, false, [[changed.id, 'down']]],
      )
      assert.deepEqual(
        first?.incidents?.map(({ id }) => id),
        [incidentId, ...incidents.map(({ id }) => id)],
      )
      await api.request('PATCH', `/monitors/${still.id}`, { body: { name: `Told ${isAlone ? 'one' : 'two'}` } })
      await until(
        'what comes later',
        async () => stream.messages.at(-1)?.monitors[0]?.[1] === `Told ${isAlone ? 'one' : 'two'}`,
      )
      await api.post(`/monitors/${changed.id}/pause`)
      await api.post(`/monitors/${changed.id}/resume`)
      for (const { leave } of streams.splice(0)) leave()
      await until('nobody is told', async () => feed.watching === 0)
      await settled()
    }
  })

  it('overlooks nothing that is committed late, and tells it once', async () => {
    const monitor = await createMonitor(api, unnamed)
    const stream = await watch()
    const rename = (name: string) =>
      database.query.updateTable('monitors').set({ name }).where('id', '=', monitor.id).execute()
    await database.transaction(async (tx) => {
      await tx.query.updateTable('workspaces').set({ name: 'Held' }).where('id', '=', workspaceId).execute()
      await rename('Early')
      await until('what is committed meanwhile', async () => stream.messages.at(-1)?.monitors[0]?.[1] === 'Early')
      await tx.query.updateTable('monitors').set({ name: 'Late' }).where('id', '=', monitor.id).execute()
    })
    await until('what was committed later', async () => stream.messages.at(-1)?.monitors[0]?.[1] === 'Late')
    const names = stream.messages.slice(1).flatMap(({ monitors }) => monitors.map(([, name]) => name))
    assert.deepEqual(names, ['Early', 'Late'])
  })

  it('does not rest for long after one reading that was held up', async () => {
    const monitor = await createMonitor(api, unnamed)
    const stream = await watch()
    await database.transaction(async ({ client }) => {
      await client.query('lock table monitors')
      await client.query('select pg_sleep(1.5)')
    })
    await api.request('PATCH', `/monitors/${monitor.id}`, { body: { name: 'Freed' } })
    await until('what is told then', async () => stream.messages.at(-1)?.monitors[0]?.[1] === 'Freed', 10_000)
  })

  it('begins anew for a stream that comes while a reading for the last one is held up', async () => {
    const last = await watch()
    const headers = { Cookie: cookieOf(viewer.browser), 'Sec-Fetch-Site': 'same-origin' }
    const next = await database.transaction(async ({ client }) => {
      await client.query('lock table monitors')
      await until('the reading is held up', async () => {
        const waiting = await client.query(`select from pg_locks where relation = 'monitors'::regclass and not granted`)
        return waiting.rowCount !== 0
      })
      last.leave()
      await until('the last one is gone', async () => feed.watching === 0)
      return open(ofWorkspace, headers)
    })
    streams.push(next)
    await until('the first message', async () => next.messages.length > 0)
    assert.deepEqual(next.messages[0]?.incidents, [])
  })

  it('gathers what many results change into few messages', async () => {
    const monitors = await Promise.all(Array.from({ length: 20 }, () => createMonitor(api, unnamed)))
    const stream = await watch()
    const known = stream.messages.length
    await database.pool.query('update monitor_state set last_checked_at = now()')
    await until('all of them', async () => {
      const told = new Set(stream.messages.slice(known).flatMap(({ monitors: rows }) => rows.map(([id]) => id)))
      return monitors.every(({ id }) => told.has(id))
    })
    assert.equal(stream.messages.length, known + 1)
  })

  it('ends when the person signs out, and only hers', async () => {
    const leaving = await guest()
    const [ended, kept] = [await watch(leaving), await watch()]
    await leaving.browser.auth('POST', '/sign-out', {})
    await until('the end', async () => ended.isOver())
    assert.equal(kept.isOver(), false)
  })

  it('ends when the session has run out, and when the person is no member any more', async () => {
    const [expiring, removed] = [await guest(), await guest()]
    const [first, second] = [await watch(expiring), await watch(removed)]
    await database.pool.query(`update people.session set "expiresAt" = now() where "userId" = $1`, [expiring.personId])
    await database.transaction((tx) => removeMember(tx, { workspaceId, personId: removed.personId }))
    await until('both ends', async () => first.isOver() && second.isOver())
  })

  it('has room for few of one session, and for some more in all; who leaves makes room', async () => {
    const cookie = { Cookie: cookieOf(viewer.browser) }
    const own = [await watch(), await watch(), await watch()]
    assert.deepEqual(await refused(ofWorkspace, cookie), [429, 'rate_limited'])
    const crowd = await guest()
    for (let count = 0; count < limits.ofSession; count += 1) await watch(crowd)
    assert.equal(feed.watching, limits.watchers)
    const late = await guest()
    assert.deepEqual(await refused(ofWorkspace, { Cookie: cookieOf(late.browser) }), [429, 'rate_limited'])
    own[0]?.leave()
    await until('room', async () => {
      const stream = await open(ofWorkspace, { Cookie: cookieOf(late.browser) })
      stream.leave()
      return stream.response.status === 200
    })
    for (const stream of streams.splice(0)) stream.leave()
    await until('nobody is told any more', async () => feed.watching === 0)
  })

  it('cuts off who does not read, and goes on for the others', async () => {
    const { ask } = await liveOf(api, { bufferBytes: 4096 })
    const unread = await Promise.all([ask(viewer), ask(viewer), ask(viewer)])
    assert.deepEqual(
      unread.map(({ status }) => status),
      [200, 200, 200],
    )
    const reader = await watch()
    await until('room in the place of those that were cut off', async () => {
      await database.pool.query('update monitors set updated_at = now() where workspace_id = $1', [workspaceId])
      const { status, body } = await ask(viewer)
      await body?.cancel()
      return status === 200
    })
    await assert.rejects(unread[0]?.text() ?? assert.fail(), /too slow/)
    assert.equal(reader.isOver(), false)
  })

  it('goes on where it was once the database is back', async () => {
    const nowhere = openDatabase({ connection: { url: 'postgres://127.0.0.1:9/none' }, maxConnections: 1 })
    after(() => nowhere.close())
    let isAway = false
    const { ask } = await liveOf({
      ...api,
      database: {
        ...database,
        get pool() {
          return isAway ? nowhere.pool : database.pool
        },
      },
    })
    const monitor = await createMonitor(api, unnamed)
    // The writes of earlier tests would otherwise come in the same message.
    await settled()
    const { body } = await ask(viewer)
    const stream = readStream(body)
    await until('the first message', async () => stream.messages.length > 0)
    isAway = true
    await until('a failure', async () => failures.length > 0)
    await api.request('PATCH', `/monitors/${monitor.id}`, { body: { name: 'Meanwhile' } })
    isAway = false
    await until('what changed meanwhile', async () => stream.messages.at(-1)?.monitors[0]?.[1] === 'Meanwhile')
    assert.equal(stream.isOver(), false)
    failures.splice(0)
  })

  it('had no failure else', () => assert.deepEqual(failures, []))
})
