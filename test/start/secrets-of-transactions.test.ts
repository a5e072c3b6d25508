// What the steps of a transaction send, and what they are given on their way, is used by a running service; then everything
// that it keeps or says is searched.
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer, text } from 'node:stream/consumers'
import { describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { openDatabase } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { backupText } from '../support/backup-text.ts'
import { httpServer } from '../support/http-server.ts'
import { startReceiver } from '../support/receiver.ts'
import { dumpOf, findSecrets, type Places } from '../support/secret-search.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'

const mark = (what: string): string => `marked-${what}-83c1`
const token = `pgk_${'steps'.repeat(8)}`
const metricsToken = 'a-token-of-the-metrics'
const owner = { email: 'owner@example.com', password: 'correct horse battery staple' }
const viewer = { email: 'viewer@example.com', password: 'another horse, another battery' }
const waitMs = 60_000

/** Sent with a step, or given by the target for the next one. */
const sent = {
  monitorHeader: mark('monitor-header'),
  monitorBody: mark('monitor-body'),
  stepHeader: mark('step-header'),
  password: mark('password'),
  stepBody: mark('step-body'),
  cookie: mark('cookie'),
}
const basic = `Basic ${Buffer.from(`probe:${sent.password}`).toString('base64')}`
const secrets = new Map([
  ...Object.entries(sent).map(([what, secret]) => [secret, what] as const),
  [basic, 'credentials'],
])
/** It stands in the address of a step, which its members see; where an address is told to others, it is left out. */
const queries = new Map([[mark('query'), 'the query of a step']])

const steps = [
  { url: '/monitors-own' },
  {
    url: `/login?key=${mark('query')}`,
    method: 'POST',
    headers: { 'x-step': sent.stepHeader, authorization: basic },
    body: `name=probe&password=${sent.stepBody}`,
  },
  { url: '/cart', method: 'GET', body: null, headers: null, keyword: 'the cart' },
]
const madeSchema = z.looseObject({ data: z.looseObject({ id: z.string() }) })
const listSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) })

describe('the secrets of a transaction', async () => {
  const heard: string[] = []
  let isBroken = false
  const target = await httpServer((request, response) => void echo(request, response))
  const contact = await startReceiver()
  const pushed: string[] = []
  const otlp = await httpServer((request, response) => void take(request, response))
  const { path, dataFolder, start } = serviceFolder()
  const service = start({
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    PERIGEE_LOG_LEVEL: 'debug',
    PERIGEE_METRICS_TOKEN: metricsToken,
    PERIGEE_OWNER_TOKEN: token,
    PERIGEE_OWNER_EMAIL: owner.email,
    PERIGEE_OWNER_PASSWORD: owner.password,
    PERIGEE_OTLP_ENDPOINT: `http://127.0.0.1:${otlp.port}`,
    PERIGEE_TRACE_SHARE: '1',
  })
  const [, url = ''] = await service.printed(/^Perigee is at (http:\S+)$/m)

  it('stand in no table, log, metric, trace, incident, alert, refusal or backup, and no viewer reads them', async () => {
    const monitor = {
      kind: 'transaction',
      name: 'Cart',
      url: `http://127.0.0.1:${target.port}/`,
      method: 'POST',
      request_headers: { 'x-monitor': sent.monitorHeader },
      request_body: sent.monitorBody,
      interval_seconds: 10,
      failure_threshold: 1,
      keep_evidence: true,
      check_options: { steps },
    }
    await make('alert-channels', { kind: 'webhook', name: 'hook', destination: contact.url })
    const tried = await ask('POST', '/monitors/try', monitor)
    const { id } = (await make('monitors', monitor)).data
    await make('status-pages', {
      slug: 'shop',
      title: 'Shop',
      sections: [{ name: 'All', monitors: [{ monitor_id: id }] }],
    })
    await until('it is up', async () => (await ask('GET', `/monitors/${id}`)).includes('"up"'), waitMs)
    isBroken = true
    await until('its outage is told', () => contact.received.length > 0, waitMs)
    await until('a round is pushed', () => pushed.some((each) => each.includes(id)), waitMs)
    const refused = [
      { ...monitor, kind: 'nonsense' },
      { ...monitor, check_options: { steps: [...steps, { url: 'x' }] } },
    ]

    for (const [secret, what] of [...secrets, ...queries])
      assert.ok(holds(heard.join('\n'), secret), `${what} was sent`)
    const told = {
      incidents: await ask('GET', '/incidents'),
      results: await ask('GET', `/monitors/${id}/results`),
      alerts: contact.received.map(({ body, headers }) => body + JSON.stringify(headers)).join('\n'),
      traces: pushed.join('\n'),
      log: service.stderr(),
      metrics: await metrics(),
      page: await (await fetch(`${url}/status/shop`)).text(),
      tried,
    }
    const places: Places = {
      ...told,
      ...(await tables()),
      viewer: await readAsViewer(id),
      refusals: (await Promise.all(refused.map((body) => ask('POST', '/monitors', body)))).join('\n'),
      backup: await backupText(dataFolder, path),
    }
    for (const place of ['incidents', 'results', 'alerts', 'viewer', 'public.results'])
      assert.match(places[place] ?? '', /GET \/cart/, `${place} tell what failed`)
    assert.match(told.traces, /spans/)
    assert.deepEqual(findSecrets(secrets, places), [])
    assert.deepEqual(findSecrets(queries, told), [])
  })

  /** Answers with everything that it was asked, and fails with it. */
  async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = `${request.method} ${request.url} ${JSON.stringify(request.headers)} ${await text(request)}`
    heard.push(asked)
    response.setHeader('Set-Cookie', `visit=${sent.cookie}; Path=/`)
    response.setHeader('X-Echo', encodeURIComponent(asked))
    response.statusCode = isBroken && request.url === '/cart' ? 500 : 200
    response.end(isBroken ? asked : `the cart ${asked}`)
  }

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    pushed.push(JSON.stringify(request.headers) + gunzipSync(await buffer(request)).toString())
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  }

  async function ask(method: string, at: string, body?: unknown): Promise<string> {
    const answer = await fetch(`${url}/api/v1${at}`, {
      method,
      headers: { 'X-API-Key': token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.text()
  }

  async function make(at: string, body: unknown): Promise<z.infer<typeof madeSchema>> {
    return madeSchema.parse(JSON.parse(await ask('POST', `/${at}`, body)))
  }

  async function metrics(): Promise<string> {
    return (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })).text()
  }

  async function tables(): Promise<Record<string, string>> {
    const database = openDatabase({ connection: runningConnection(dataFolder), maxConnections: 1 })
    try {
      return await dumpOf(database.pool)
    } finally {
      await database.close()
    }
  }

  /** Everything that a viewer of the workspace reads of the monitor. */
  async function readAsViewer(id: string): Promise<string> {
    const { cookie, workspace } = await joinAsViewer()
    const read = async (at: string): Promise<string> => {
      const headers = { Cookie: cookie, Origin: url, 'X-Perigee-Workspace': workspace }
      return (await fetch(`${url}/api/v1${at}`, { headers })).text()
    }
    const incidents = await read('/incidents')
    const [incident = assert.fail()] = listSchema.parse(JSON.parse(incidents)).data
    const paths = [
      '/monitors',
      `/monitors/${id}`,
      `/monitors/${id}/results`,
      `/incidents/${incident.id}`,
      `/incidents/${incident.id}/evidence`,
      `/incidents/${incident.id}/comments`,
      `/monitors/${id}/events`,
    ]
    return [incidents, ...(await Promise.all(paths.map(read)))].join('\n')
  }

  async function joinAsViewer(): Promise<{ cookie: string; workspace: string }> {
    const cookie = await signIn(owner)
    const asked = { Cookie: cookie, Origin: url, 'X-Perigee-Workspace': 'mine' }
    const owned = await fetch(`${url}/api/v1/workspaces`, { headers: asked })
    const workspace = listSchema.parse(await owned.json()).data[0]?.id ?? assert.fail()
    const headers = { Cookie: cookie, 'X-Perigee-Workspace': workspace }
    const invited = await post('/api/v1/invitations', { email: viewer.email, role: 'viewer' }, headers)
    const { link } = z.object({ link: z.string() }).parse(await invited.json())
    const invitation = new URLSearchParams(link.split(/[?#]/).at(-1)).get('token')
    const joined = await post('/auth/invitation/sign-up', { token: invitation, name: 'V', password: viewer.password })
    assert.ok(joined.ok, await joined.text())
    return { cookie: await signIn(viewer), workspace }
  }

  async function signIn(person: typeof owner): Promise<string> {
    const answer = await post('/auth/sign-in/email', person)
    assert.equal(answer.status, 200, await answer.text())
    const cookies = answer.headers.getSetCookie().map((each) => each.split(';')[0])
    return cookies.join('; ')
  }

  function post(at: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${url}${at}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: url, ...headers },
      body: JSON.stringify(body),
    })
  }
})

function holds(places: string, secret: string): boolean {
  return findSecrets(new Map([[secret, 'it']]), { places }).length > 0
}
