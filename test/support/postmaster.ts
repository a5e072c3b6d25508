import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The pid of the first process of the PostgreSQL that a service keeps in this data folder. */
export function postmasterOf(dataFolder: string): number {
  const [pid = ''] = readFileSync(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  return Number(pid)
}
