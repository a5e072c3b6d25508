// The service that is photographed: the real one, in this process, with a database of its own and without engine.
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Services } from '#operations/pipeline/services.ts'
import { type Database, openDatabase } from '#store/database/database.ts'
import { startEmbedded } from '#store/embedded/embedded.ts'
import { startRoles } from '#app/app.ts'
import { readConfig } from '#config/config.ts'
import { createLog } from '#app/log.ts'
import { sellerEnvironment } from '../../test/support/payments.ts'
import { type StoryClock, stopClock, shadowClock } from './clock.ts'
import { publicUrl } from './company.ts'
import { startFront } from './front.ts'

export type Service = {
  /** The address at which it listens; its public address leads to `frontPort`. */
  url: string
  frontPort: number
  workspaceId: string
  services: Services
  database: Database
  clock: StoryClock
}

/** Made-up locations; their probers are asked nothing. */
const locations = 'fra=Frankfurt,iad=Virginia,sin=Singapore'
const settings = {
  PERIGEE_PORT: '0',
  PERIGEE_PUBLIC_URL: publicUrl,
  PERIGEE_LOCATIONS: locations,
  PERIGEE_PAYMENTS: 'sandbox',
  PERIGEE_SIGN_UP: 'open',
  PERIGEE_SMTP_URL: 'smtp://127.0.0.1:9',
  PERIGEE_MAIL_FROM: 'Perigee <alerts@harbourtea.example>',
  // Sessions tell where people signed in.
  PERIGEE_TRUSTED_PROXIES: '127.0.0.0/8',
  PERIGEE_PLANS: '{"pro":{"slots":15}}',
  PERIGEE_READS_PER_MINUTE: '1000000',
  PERIGEE_WRITES_PER_MINUTE: '1000000',
  PERIGEE_PROBER_THREADS: '1',
  ...sellerEnvironment,
}

/** Started for `work`, at a time; whatever becomes of it, all processes have ended and the folder is gone afterwards. */
export async function withService(startedAt: Date, work: (service: Service) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-images-'))
  // The PostgreSQL of a root user runs as another one, who has to pass through.
  chmodSync(folder, 0o711)
  try {
    await prepareDatabase(folder, startedAt)
    const clock = stopClock(startedAt)
    try {
      await run(folder, clock, work)
    } finally {
      clock.release()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Before anything is in it, so that its defaults take the story's time as well. */
async function prepareDatabase(folder: string, at: Date): Promise<void> {
  const { connection, stop } = await startEmbedded({ folder })
  try {
    const database = openDatabase({ connection, maxConnections: 1 })
    try {
      await shadowClock(database, at)
    } finally {
      await database.close()
    }
  } finally {
    await stop()
  }
}

async function run(
  folder: string,
  clock: ReturnType<typeof stopClock>,
  work: (service: Service) => Promise<void>,
): Promise<void> {
  const config = readConfig({
    ...settings,
    PERIGEE_DATA_DIR: folder,
    PERIGEE_SECRET_KEY: randomBytes(32).toString('base64'),
  })
  // Its probers say that they are there, so that every location is online; without an engine they are asked nothing.
  const { url, owned, stop } = await startRoles(config, createLog({ level: 'warn' }), {
    roles: new Set(['api', 'prober']),
  })
  try {
    if (owned === null) throw new Error('A process with the role api has an owner.')
    const front = await startFront({ port: Number(new URL(url).port), host: new URL(publicUrl).hostname })
    try {
      const { workspaceId, services } = owned
      const { database } = services
      await work({ url, frontPort: front.port, workspaceId, services, database, clock: clock.of(database) })
    } finally {
      await front.close()
    }
  } finally {
    await stop()
  }
}
