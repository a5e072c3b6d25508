import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { z } from 'zod'
import { exportProject } from '#core/projects/export-project.ts'
import { exportSchema, type WorkspaceExport } from '#core/projects/export-record.ts'
import type { AskedTrial, TrialOutcome } from '#core/monitors/trial.ts'
import { noPhases } from '#core/results/result.ts'
import { listen } from '../../src/http/listen.ts'
import { testApi, type TestApi, type TestApiOptions } from './api.ts'
import { killingProxy, type KillAt } from './killing-proxy.ts'
import { spawnPerigee } from './perigee-process.ts'

/** A project with something of each section. */
export const shop = `
project: shop
defaults:
  monitors: {interval_seconds: 300, contacts: [hook]}
contacts:
  - {key: hook, name: Hook, kind: webhook, destination: "https://example.com/hook"}
  - {key: spare, name: Spare, kind: webhook, destination: "https://example.com/spare", enabled: false}
monitors:
  - {key: all, name: All, kind: group, check_options: {members: [site, blog]}}
  - {key: site, name: Site, url: "https://example.com/", depends_on: [router]}
  - {key: blog, name: Blog, url: "https://example.com/blog", depends_on: [site], paused: true}
  - {key: router, name: Router, kind: tcp, url: "example.com:443"}
  - {key: cron, name: Cron, kind: heartbeat}
status_pages:
  - {key: page, slug: shop, title: Shop, sections: [{name: Web, monitors: [site, {monitor: router, name: Net}]}]}
maintenance:
  - {key: nights, name: Nights, monitors: [site], schedule: {type: weekly, weekdays: [1], starts: "02:00", duration_minutes: 30}}
`
/** A project with those who are told, and what is promised to them. */
export const team = `
project: shop
contacts:
  - {key: ada, name: Ada, kind: email, destination: ada@example.com}
  - {key: bob, name: Bob, kind: webhook, destination: "https://example.com/bob"}
on_call_schedules:
  - key: turns
    name: Turns
    time_zone: Europe/Sofia
    layers:
      - {participants: [ada, bob], rotation: {every: 1, unit: weeks}, hand_over: "09:00", weekday: 1, start_date: 2026-11-02}
      - name: Nights
        participants: [bob]
        rotation: {every: 1, unit: days}
        hand_over: "09:00"
        start_date: 2026-11-02
        restrictions: [{weekdays: [1, 2], starts: "22:00", ends: "06:00"}]
escalation_policies:
  - key: first
    name: First line
    is_default: true
    tags: [shop]
    steps: [{after_minutes: 0, schedules: [turns]}, {after_minutes: 10, contacts: [bob, ada]}]
monitors:
  - {key: site, name: Site, url: "https://example.com/", interval_seconds: 300, escalation_policy: first, tags: [shop]}
objectives:
  - {key: promise, name: Promise, monitors: [site], objective: 99.9, alerts: true, contacts: [bob], escalation_policy: first}
  - {key: tagged, name: Tagged, tags: [shop], objective: 99}
reports:
  - {key: weekly, name: Weekly, period: weekly, time_zone: Europe/Sofia, monitors: [site], recipients: [ada]}
`

/** As people do by the links that they were mailed. */
export async function confirmContacts({ database, workspaceId }: TestApi): Promise<void> {
  await database.pool.query('update alert_channels set confirmed = true where workspace_id = $1', [workspaceId])
}

/** What is printed where nothing is to do. */
export const nothing = 'shop: no changes, the workspace matches the files.'

const exported = z.object({ data: exportSchema })

const verdict = { statusCode: null, latencyMs: 12, phases: noPhases, details: {} } as const

async function tryCheck({ configuration: { url } }: AskedTrial): Promise<TrialOutcome> {
  const isDown = url.includes('down')
  const found = { status: isDown ? 'down' : 'up', error: isDown ? 'Connection refused' : null } as const
  return { type: 'checked', verdict: { ...verdict, ...found } }
}

/** A location finds all up but what has "down" in its address. */
export function shopApi(options: TestApiOptions = {}): Promise<TestApi> {
  return testApi({ ...options, services: { tryCheck, ...options.services } })
}

export async function readWorkspace(api: TestApi): Promise<WorkspaceExport> {
  return exported.parse((await api.get('/export')).body).data
}

/** The workspace as a file, in which keys stand for ids. */
export async function stateOf(api: TestApi): Promise<unknown> {
  return exportProject('shop', await readWorkspace(api)).document
}

type Ran = readonly [code: number | string, lines: string[], err: string]
type Run = (text: string, args?: string[], environment?: Record<string, string>) => Promise<Ran>

/** Serves an API to `perigee apply`, and kills it at these moments. Everything ends with the test. */
export async function applyTo(api: TestApi, killAt: KillAt[] = []): Promise<{ run: Run; folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-apply-'))
  after(() => rmSync(folder, { recursive: true }))
  const service = await listen(api.app, { host: '127.0.0.1', port: 0 })
  after(() => service.close(1000))
  const proxy = await killingProxy(service.port, killAt)
  const path = join(folder, 'shop.yaml')
  const run: Run = async (text, args = [], environment = {}) => {
    writeFileSync(path, text)
    const reached = { PERIGEE_URL: `http://127.0.0.1:${proxy.port}`, PERIGEE_TOKEN: api.token }
    const perigee = spawnPerigee({
      args: ['apply', '-f', path, ...args],
      environment: { ...reached, ...environment },
    })
    proxy.aim(() => perigee.child.kill('SIGKILL'))
    const code = await perigee.ended()
    return [code, perigee.stdout().split('\n').slice(0, -1), perigee.stderr()] as const
  }
  return { run, folder }
}
