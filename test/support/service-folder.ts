import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { postgresProcesses } from '#store/embedded/process-identity.ts'
import { type Perigee, spawnPerigee } from './perigee-process.ts'
import { prepareData } from './prepared-data.ts'
import { signalLeft } from './signal.ts'

export type ServiceFolder = {
  path: string
  dataFolder: string
  /** `perigee start` on the data in this folder. */
  start: (environment: Readonly<Record<string, string>>) => Perigee
}

/** Removed when the test is done, with whatever still runs in it. */
export function serviceFolder(): ServiceFolder {
  const started: Perigee[] = []
  const path = mkdtempSync(join(tmpdir(), 'perigee-service-'))
  // The PostgreSQL of a root user runs as another one, who has to pass through.
  chmodSync(path, 0o711)
  const dataFolder = join(path, 'data')
  prepareData(dataFolder)
  after(async () => {
    for (const { child } of started) child.kill('SIGKILL')
    await Promise.all(started.map((perigee) => perigee.ended()))
    for (const pid of postgresProcesses(join(realpathSync(path), 'data', 'postgres'))) signalLeft(pid, 'SIGKILL')
    rmSync(path, { recursive: true, force: true })
  })
  return {
    path,
    dataFolder,
    start: (environment) => {
      const own = { HOME: path, PERIGEE_DATA_DIR: dataFolder, ...environment }
      const perigee = spawnPerigee({ args: ['start'], environment: own })
      started.push(perigee)
      return perigee
    },
  }
}
