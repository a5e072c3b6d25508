// A whole service whose own ground fails in a test, seen through its API.
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { z } from 'zod'
import { incidentSchema } from '#core/incidents/incident.ts'
import { monitorSchema } from '#core/monitors/monitor.ts'
import { asOperator, operatorSetting } from '../operator.ts'
import { type Perigee, type PerigeeOptions, spawnPerigee } from '../perigee-process.ts'
import { prepareData } from '../prepared-data.ts'
import { until } from '../until.ts'

type Monitor = z.infer<typeof monitorSchema>
type Incident = z.infer<typeof incidentSchema>

export type FaultyService = {
  perigee: Perigee
  url: string
  ask: (method: string, path: string, body?: object) => Promise<unknown>
  monitors: () => Promise<Monitor[]>
  incidents: () => Promise<Incident[]>
  /** The incidents of monitors whose names are not among these, in words; each is named once. */
  incidentsBeside: (...names: string[]) => Promise<string[]>
  /** Whether an incident of this monitor is open. */
  isDown: (name: string) => Promise<boolean>
  /** Resolves once each monitor was checked after this moment and is up. */
  untilAllUp: (since: Date, withinMs?: number) => Promise<void>
  /** What the service says of itself: `/readyz`, and the troubles that its operator is told. */
  ready: () => Promise<number>
  troubles: () => Promise<string[]>
}

/** The owner's token in each of these services. */
export const token = `pgk_${'fault'.repeat(8)}`
const monitors = z.looseObject({ data: z.array(monitorSchema) })
const incidents = z.looseObject({ data: z.array(incidentSchema) })
const status = z.looseObject({ troubles: z.array(z.string()) })

/** A folder that the PostgreSQL of a root user may enter, removed with the test. */
export function faultFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-faults-'))
  chmodSync(folder, 0o711)
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** `reachedAt` is where the service is reached, if that is not where it says. */
type FaultyOptions = Partial<PerigeeOptions> & { reachedAt?: string }

/** `folder` is the one in which the service keeps its data folder. */
export async function startFaultyService(
  folder: string,
  { environment = {}, reachedAt, ...options }: FaultyOptions = {},
): Promise<FaultyService> {
  if (environment['PERIGEE_DATABASE_URL'] === undefined && !existsSync(join(folder, 'data')))
    prepareData(join(folder, 'data'))
  const perigee = spawnPerigee({
    args: ['start'],
    ...options,
    environment: {
      HOME: folder,
      PERIGEE_DATA_DIR: join(folder, 'data'),
      PERIGEE_OWNER_TOKEN: token,
      PERIGEE_READS_PER_MINUTE: '1000000',
      PERIGEE_WRITES_PER_MINUTE: '1000000',
      ...operatorSetting,
      ...environment,
    },
  })
  const [, said = ''] = await perigee.printed(/^Perigee is at (http:\/\/\S+)$/m)
  return seenAt(reachedAt ?? said, perigee)
}

/** A service, or one process of it that has the API, as it is seen at this address. */
export function seenAt(url: string, perigee: Perigee): FaultyService {
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { 'X-API-Key': token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`)
    return response.json()
  }
  const told = async (): Promise<Incident[]> => incidents.parse(await ask('GET', '/incidents')).data
  const listed = async (): Promise<Monitor[]> => monitors.parse(await ask('GET', '/monitors')).data
  const named = new Set<string>()
  let others: unknown[] = []
  const areAllUp = async (since: Date): Promise<boolean> => {
    const waiting = (await listed()).filter(
      ({ current_status: current, last_checked_at: at }) => current !== 'up' || at === null || new Date(at) <= since,
    )
    others = waiting.map(({ name, current_status: current, last_checked_at: at }) => [name, current, at])
    return waiting.length === 0
  }
  return {
    perigee,
    url,
    ask,
    monitors: listed,
    incidents: told,
    incidentsBeside: async (...names) =>
      (await told())
        .filter(({ id, monitor_name: name }) => !names.includes(name) && !named.has(id))
        .map(({ id, title, started_at: at, cause }) => {
          named.add(id)
          return `${title} since ${at}: ${cause}`
        }),
    isDown: async (name) =>
      (await told()).some(({ monitor_name: of, status: state }) => of === name && state !== 'resolved'),
    untilAllUp: (since, withinMs) =>
      until(
        () => `every monitor to be checked and up; these are not: ${JSON.stringify(others)}`,
        () => areAllUp(since),
        withinMs,
      ),
    ready: async () => (await fetch(`${url}/readyz`)).status,
    troubles: async () =>
      status.parse(await (await fetch(`${url}/operator/status`, { headers: asOperator })).json()).troubles,
  }
}
