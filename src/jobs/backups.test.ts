import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { clusterTroubles } from '#core/operator-status.ts'
import { readClusterStatus } from '#store/installation/cluster-status.ts'
import { backupChore, type BackupOrders } from './backups.ts'
import { testDatabase } from '../../test/support/database.ts'

const day = 86_400_000
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const signal = new AbortController().signal

describe('backups of the schedule', async () => {
  const database = await testDatabase({ maxConnections: 5 })
  const folder = mkdtempSync(join(tmpdir(), 'perigee-backups-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const orders: BackupOrders = {
    folder,
    everyMs: day,
    keep: 2,
    passphrase: null,
    release: '0.1.0',
    readKeys: () => null,
  }
  let at = new Date('2026-11-21T03:00:00Z')
  const run = (changed: Partial<BackupOrders> = {}): Promise<void> =>
    backupChore({ database, log: silent, now: () => at }, { ...orders, ...changed }).run(signal)
  const troubles = async (): Promise<string[]> =>
    clusterTroubles(await readClusterStatus(database)).filter((line) => /backup/.test(line))

  it('are made when they are due, by one process, and the oldest are removed; files of others stay', async () => {
    writeFileSync(join(folder, 'perigee-backup-mine.pgb'), 'mine')
    const left = join(folder, 'perigee-backup-20261101T030000Z.pgb.part')
    writeFileSync(left, 'left by a process that was killed')
    utimesSync(left, new Date('2026-11-01T03:00:00Z'), new Date('2026-11-01T03:00:00Z'))
    await Promise.all([run(), run()])
    await run()
    assert.deepEqual(readdirSync(folder), ['perigee-backup-20261121T030000Z.pgb', 'perigee-backup-mine.pgb'])
    for (let days = 1; days <= 2; days += 1) {
      at = new Date(at.getTime() + day)
      await run()
    }
    assert.deepEqual(readdirSync(folder), [
      'perigee-backup-20261122T030000Z.pgb',
      'perigee-backup-20261123T030000Z.pgb',
      'perigee-backup-mine.pgb',
    ])
  })

  it('that fail are a trouble of the installation until one is made', async () => {
    at = new Date(at.getTime() + day)
    await assert.rejects(run({ folder: '/proc/nowhere' }), /cannot be written/)
    assert.match((await troubles()).join(), /No backup could be made for .*: The backup cannot be written to/)
    await run()
    assert.deepEqual(await troubles(), [])
  })
})
