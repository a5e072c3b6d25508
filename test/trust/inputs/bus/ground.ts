// An engine with its register of locations on a real database, and a bus at which anything may be sent.
import { randomBytes, randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFoundation } from '#app/foundation.ts'
import type { Log } from '#app/log.ts'
import type { Bus } from '#bus/bus.ts'
import { readConfig } from '#config/config.ts'
import { withinNothing } from '#core/log-lines.ts'
import { registerLocations } from '#engine/locations/location-register.ts'
import { createPresenceBook } from '#engine/locations/presence.ts'
import type { Database } from '#store/database/database.ts'
import { createEngineStore, createLocationStore } from '#store/engine-store.ts'
import { keepEvidence } from '#store/incidents/evidence.ts'
import { keepViews } from '#store/incidents/views.ts'
import { keepRoute } from '#store/incidents/routes.ts'
import { bootstrap } from '#store/installation/bootstrap.ts'
import { readCheckConfigurations } from '#store/monitors/monitors.ts'
import { systemTime } from '#time/time.ts'
import { createRouteKeeper } from '#engine/results/route-keeper.ts'
import { startEngine } from '../../../../src/engine/engine.ts'
import { feedsOff } from '../../../support/feeds-off.ts'
import { addPendingMonitors } from '../../../support/many-monitors.ts'
import type { Known } from './messages.ts'

export type Ground = {
  bus: Bus
  database: Database
  known: Omit<Known, 'nowMs'>
  /** What was logged, a line each. */
  lines: string[]
  close: () => Promise<void>
}

/** As `addPendingMonitors` has it. */
const location = 'a'
const foreignLocation = 'b'
const monitorsEach = 8

type Closing = (() => Promise<void>)[]

/** `open` opens the bus, which is closed with the rest. */
export async function openBusGround(open: (log: (line: string) => void) => Promise<Bus>): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-trust-'))
  // The PostgreSQL of a root user runs as another one, who has to pass through.
  chmodSync(folder, 0o711)
  const ends: Closing = [async () => rmSync(folder, { recursive: true, force: true })]
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0)) await end()
  }
  try {
    return { ...(await startOn(folder, { open, ends })), close }
  } catch (error) {
    await close()
    throw error
  }
}

type Starting = { open: (log: (line: string) => void) => Promise<Bus>; ends: Closing }

async function startOn(folder: string, { open, ends }: Starting): Promise<Omit<Ground, 'close'>> {
  const lines: string[] = []
  const write = (message: string, details: Record<string, unknown> = {}): void =>
    void lines.push(`${message} ${JSON.stringify(details)}`)
  const log: Log = { debug: () => {}, info: () => {}, warn: write, error: write, within: withinNothing }
  const config = readConfig(environmentOf(folder))
  const foundation = await openFoundation(config, log)
  ends.unshift(foundation.close)
  const { database, engineDatabase, secrets } = foundation
  const { owner, locations } = config
  const { workspaceId } = await bootstrap(database, { ...owner, locations, now: new Date() })
  const own = await addPendingMonitors(database, { workspaceId, count: monitorsEach })
  const foreign = await addPendingMonitors(database, { workspaceId, count: monitorsEach })
  await database.pool.query(`update monitors set locations = '{b}' where id = any($1)`, [foreign])
  const bus = await open((line) => write(line))
  ends.unshift(bus.close)
  const presence = createPresenceBook()
  bus.onPresence((message) => presence.note(message, Date.now()))
  const store = createLocationStore(database)
  ends.unshift(registerLocations({ store, bus, name: 'trust', lostNetworkMs: () => null, log, time: systemTime }))
  const engine = await startEngine({
    store: createEngineStore(engineDatabase),
    bus,
    presence,
    name: 'trust',
    readConfigurations: (from, ids) => readCheckConfigurations(database, secrets, { location: from, ids }),
    keepEvidence: (list) => keepEvidence(database, secrets, list),
    keepViews: (list) => keepViews(database, secrets, list),
    observer: { round() {}, skipped() {}, stored() {}, rejected() {}, jumped() {}, batch() {} },
    log,
    time: systemTime,
    newId: randomUUID,
    random: Math.random,
  })
  ends.unshift(() => engine.stop())
  await database.pool.query('update monitors set keep_evidence = true')
  const routes = createRouteKeeper({
    keep: (route) => keepRoute(database, secrets, route),
    onLost: (details) => write('Routes to targets were lost.', details),
    time: systemTime,
  })
  ends.unshift(routes.close)
  bus.onRoutes(routes.note)
  return { bus, database, known: { own, foreign, location, foreignLocation }, lines }
}

function environmentOf(folder: string): Record<string, string> {
  return {
    ...feedsOff,
    PERIGEE_DATA_DIR: folder,
    PERIGEE_PORT: '0',
    PERIGEE_SECRET_KEY: randomBytes(32).toString('base64'),
    PERIGEE_OWNER_TOKEN: `pgk_${'trust'.repeat(8)}`,
    PERIGEE_LOCATIONS: `${location}=A,${foreignLocation}=B`,
  }
}
