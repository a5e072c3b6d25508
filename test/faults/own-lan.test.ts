import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { trialSchema } from '#core/monitors/trial.ts'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { expectTold, underFault } from '../support/faults/fault-report.ts'
import { faultFolder, startFaultyService } from '../support/faults/faulty-service.ts'
import { hosts, twoNetworks } from '../support/faults/two-networks.ts'
import { pause } from '../support/pause.ts'
import { until } from '../support/until.ts'

const program = fileURLToPath(new URL('../../bin/perigee.js', import.meta.url))
const notVerified = /own network not verified/
const email = 'owner@example.com'
const password = 'correct horse battery'
const workspaces = z.object({ data: z.array(z.object({ id: z.string() })) })
const result = z.looseObject({ status: z.string(), details: z.record(z.string(), z.unknown()).nullish() })
const results = z.looseObject({ data: z.array(result) })
const tried = z.object({ data: trialSchema })
const made = z.looseObject({ data: monitorSchema })

describe('an owner who lets checks reach the own network', async () => {
  const networks = await twoNetworks(82)
  const { lan } = networks
  const folder = faultFolder()
  const environment = {
    PERIGEE_HOST: '0.0.0.0',
    PERIGEE_PORT: '3000',
    PERIGEE_PUBLIC_URL: `http://${networks.serviceHost}:3000`,
    PERIGEE_DNS_SERVERS: `${networks.nameServer}:53`,
    PERIGEE_OWNER_EMAIL: email,
    PERIGEE_OWNER_PASSWORD: password,
  }
  const command = networks.atService(process.execPath, [program])
  const root = `http://${networks.serviceHost}:3000`
  let service = await startFaultyService(folder, { command, environment, reachedAt: root })
  const asOwner = await signedIn(root)

  async function tryOnce(url: string, more: object = {}): Promise<string> {
    const body = { name: 'Try', url, allow_private_target: true, timeout_ms: 3_000, ...more }
    const { data } = tried.parse(await asOwner('POST', '/monitors/try', body))
    return data.error ?? data.status
  }

  it('has them checked', async () => {
    assert.equal(await tryOnce(`http://${lan.router}/`), 'up')
    assert.equal(await tryOnce(`${lan.router}:80`, { kind: 'tcp' }), 'up')
    assert.equal(await tryOnce(lan.router, { kind: 'ping' }), 'up')
  })

  it('meets no port of this service', async () => {
    assert.match(await tryOnce(`http://${lan.service}:3000/`), /is Perigee itself/)
    assert.match(await tryOnce(`${lan.service}:3000`, { kind: 'tcp' }), /is Perigee itself/)
  })

  it('is led there by no public address, and by its own network', async () => {
    const there = encodeURIComponent(`http://${lan.router}/`)
    assert.match(await tryOnce(`http://${hosts[0]}/to/${there}`), /private or reserved address/)
    assert.equal(await tryOnce(`http://${lan.router}/to/${there}`), 'up')
    assert.equal(await tryOnce(`http://${lan.router}/to/${encodeURIComponent(`http://${hosts[0]}/`)}`), 'up')
  })

  it('is told of a neighbour that is gone, and of none while the own link is down', { timeout: 150_000 }, async () => {
    for (const host of [lan.router, lan.printer])
      await asOwner('POST', '/monitors', {
        name: host,
        url: `http://${host}/`,
        allow_private_target: true,
        interval_seconds: 10,
        timeout_ms: 3_000,
      })
    await service.untilAllUp(new Date(), 20_000)
    await underFault('its link is down, beside a private network', async (outcome) => {
      networks.link('down')
      await pause(25_000)
      outcome.told = await service.troubles()
      networks.link('up')
      await service.untilAllUp(new Date(), 60_000)
      outcome.falseIncidents = await service.incidentsBeside()
    })
    await underFault('a neighbour is gone, and others answer', async (outcome) => {
      networks.host(lan.printer, 'gone')
      await expectTold(outcome, lan.printer, { withinMs: 25_000, isTold: () => service.isDown(lan.printer) })
      outcome.falseIncidents = await service.incidentsBeside(lan.printer)
    })
    assert.doesNotMatch(await causeOf(lan.printer), notVerified)
    assert.deepEqual(await whatResultsSay(lan.printer), [undefined])
    networks.host(lan.printer, 'there')
    await service.untilAllUp(new Date(), 60_000)
  })

  it('is told where nothing else could say whether the own network was there', { timeout: 150_000 }, async () => {
    const [lonely] = hosts
    // Of all that it checks only this is public, and no root name server is in this world.
    const url = `http://${lonely}/`
    await asOwner('POST', '/monitors', { name: lonely, url, interval_seconds: 10, timeout_ms: 3_000 })
    await service.untilAllUp(new Date(), 20_000)
    networks.host(lonely, 'gone')
    await until('it is told', () => service.isDown(lonely), 40_000)
    assert.match(await causeOf(lonely), notVerified)
    assert.deepEqual(await whatResultsSay(lonely), ['not verified'])
    networks.host(lonely, 'there')
    await service.untilAllUp(new Date(), 60_000)
  })

  async function causeOf(name: string): Promise<string> {
    const found = (await service.incidents()).find(({ monitor_name: of }) => of === name)
    return found?.cause ?? ''
  }

  /** What the failures of a monitor say of the own network, each answer once. */
  async function whatResultsSay(name: string): Promise<unknown[]> {
    const { id = '' } = (await service.monitors()).find((monitor) => monitor.name === name) ?? {}
    const { data } = results.parse(await service.ask('GET', `/monitors/${id}/results`))
    const failures = data.filter(({ status }) => status === 'down')
    assert.ok(failures.length > 0)
    return [...new Set(failures.map(({ details }) => details?.['own_network']))]
  }

  it('does so no longer once sign-up is open', async () => {
    const body = { name: 'Gateway', url: `http://${lan.router}/`, allow_private_target: true, interval_seconds: 10 }
    const { data: before } = made.parse(await asOwner('POST', '/monitors', body))
    await service.untilAllUp(new Date(), 20_000)
    service.perigee.child.kill('SIGTERM')
    assert.equal(await service.perigee.ended(), 0)
    service = await startFaultyService(folder, {
      command,
      environment: { ...environment, PERIGEE_SIGN_UP: 'open' },
      reachedAt: root,
    })
    const allowed = (await service.monitors()).filter(({ allow_private_target: isAllowed }) => isAllowed)
    assert.deepEqual([before.allow_private_target, allowed], [true, []])
    const refusals = async (): Promise<boolean[]> =>
      (await service.incidents())
        .filter(({ monitor_name: name, status }) => name === 'Gateway' && status !== 'resolved')
        .map(({ cause }) => (cause ?? '').includes('private or reserved address'))
    await until('the check is refused', async () => (await refusals()).length > 0, 30_000)
    assert.deepEqual(await refusals(), [true])
  })
})

/** Asks as the owner who is signed in. */
async function signedIn(root: string): Promise<(method: string, path: string, body: object) => Promise<unknown>> {
  const headers = { 'content-type': 'application/json', origin: root }
  const answer = await fetch(`${root}/auth/sign-in/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  })
  assert.equal(answer.status, 200, await answer.text())
  const cookie = answer.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const listed = await fetch(`${root}/api/v1/workspaces`, {
    headers: { ...headers, cookie, 'x-perigee-workspace': 'mine' },
  })
  assert.equal(listed.status, 200, await listed.clone().text())
  const [workspace] = workspaces.parse(await listed.json()).data
  return async (method, path, body) => {
    const response = await fetch(`${root}/api/v1${path}`, {
      method,
      headers: { ...headers, cookie, 'x-perigee-workspace': workspace?.id ?? '' },
      body: JSON.stringify(body),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`)
    return response.json()
  }
}
