// Secrets of every sort are given to a running service, which uses them; then everything that it keeps or says is searched.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { z } from 'zod'
import { openDatabase } from '#store/database/database.ts'
import { runningConnection } from '#store/embedded/embedded.ts'
import { backupText } from '../support/backup-text.ts'
import { dumpOf, findSecrets } from '../support/secret-search.ts'
import { serviceFolder } from '../support/service-folder.ts'
import { until } from '../support/until.ts'

const mark = (what: string): string => `marked-${what}-1f7c`
const given = {
  header: mark('header'),
  body: mark('body'),
  slack: `https://hooks.slack.com/services/T0/B0/${mark('slack')}`,
  metricsToken: mark('metrics-token'),
  pagePassword: mark('page-password'),
}
const madeSchema = z.looseObject({
  data: z.looseObject({ id: z.string() }),
  heartbeat_url: z.string().nullish(),
  signing_secret: z.string().nullish(),
})

describe('secrets that a service was given, and those that it made', async () => {
  const { path, dataFolder, start } = serviceFolder()
  const service = start({
    PERIGEE_ALLOW_PRIVATE_TARGETS: '127.0.0.0/8',
    PERIGEE_LOG_LEVEL: 'debug',
    PERIGEE_METRICS_TOKEN: given.metricsToken,
  })
  const [, url = ''] = await service.printed(/^Perigee is at (http:\S+)$/m)
  const [, token = ''] = await service.printed(/shown only once: (pgk_[A-Za-z0-9]{40})$/m)
  const secrets = new Map<string, string>(Object.entries(given).map(([what, secret]) => [secret, what]))
  const refusals: string[] = []
  const ask = async (method: string, at: string, body?: unknown): Promise<Response> =>
    fetch(`${url}${at}`, {
      method,
      headers: { 'X-API-Key': token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const make = async (at: string, body: unknown): Promise<z.infer<typeof madeSchema>> => {
    const answer = await ask('POST', `/api/v1/${at}`, body)
    assert.ok(answer.ok, await answer.clone().text())
    return madeSchema.parse(await answer.json())
  }
  const target = `http://127.0.0.1:${new URL(url).port}/healthz`
  const web = { kind: 'http', name: 'web', url: target, method: 'POST', interval_seconds: 30 }
  const sent = { request_headers: { 'x-secret': given.header }, request_body: given.body }

  it('stand in no table, no log, no metric, no refusal and no backup', async () => {
    const { data: monitor } = await make('monitors', { ...web, ...sent })
    const called = await make('monitors', { kind: 'heartbeat', name: 'called', interval_seconds: 60 })
    const contact = await make('alert-channels', { kind: 'webhook', name: 'hook', destination: target })
    await make('alert-channels', { kind: 'slack', name: 'chat', destination: given.slack })
    await make('status-pages', {
      slug: 'closed',
      title: 'Closed',
      visibility: 'draft',
      password: given.pagePassword,
      sections: [],
    })
    secrets.set(token, 'API token')
    secrets.set(called.heartbeat_url?.split('/').at(-1) ?? assert.fail(), 'heartbeat address')
    secrets.set(contact.signing_secret ?? assert.fail(), 'signing secret')
    assert.equal((await fetch(called.heartbeat_url ?? '', { method: 'POST' })).status, 200)
    await until('the monitor is checked', async () => {
      const { data } = madeSchema.parse(await (await ask('GET', `/api/v1/monitors/${monitor.id}`)).json())
      return typeof data['last_checked_at'] === 'string'
    })
    await ask('POST', `/api/v1/alert-channels/${contact.data.id}/test`)
    for (const body of [
      { ...web, ...sent, kind: 'nonsense' },
      { ...web, ...sent, interval_seconds: -1 },
    ])
      refusals.push(await (await ask('POST', '/api/v1/monitors', body)).text())
    refusals.push(await (await fetch(`${url}/api/v1/monitors`, { headers: { 'X-API-Key': `${token}x` } })).text())

    const places = {
      ...(await tables()),
      log: service.stderr(),
      metrics: await metrics(),
      refusals: refusals.join('\n'),
      backup: await backupText(dataFolder, path),
    }
    assert.match(places.refusals, /nonsense|kind/)
    assert.match(places.metrics, /perigee_/)
    const open = findSecrets(new Map([[target, 'what is no secret']]), places)
    for (const place of ['public.monitors', 'backup']) assert.ok(open.includes(`what is no secret stands in ${place}`))
    secrets.set(readFileSync(join(dataFolder, 'secret.key'), 'utf8').trim(), 'secret key')
    assert.deepEqual(findSecrets(secrets, places), [])
  })

  async function tables(): Promise<Record<string, string>> {
    const database = openDatabase({ connection: runningConnection(dataFolder), maxConnections: 1 })
    try {
      return await dumpOf(database.pool)
    } finally {
      await database.close()
    }
  }

  async function metrics(): Promise<string> {
    const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${given.metricsToken}` } })
    return answer.text()
  }
})
