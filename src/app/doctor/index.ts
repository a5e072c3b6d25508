import { backups } from './backups.ts'
import { browser } from './browser.ts'
import { bus } from './bus.ts'
import { clock } from './clock.ts'
import { configuration } from './configuration.ts'
import { database } from './database.ts'
import { disk } from './disk.ts'
import type { DoctorCheck } from './doctor-check.ts'
import { extras } from './extras.ts'
import { files } from './files.ts'
import { git } from './git.ts'
import { engines, feeds, locations, work } from './installation.ts'
import { mail } from './mail.ts'
import { memory } from './memory.ts'
import { ownAddress } from './own-address.ts'
import { ping } from './ping.ts'
import { resolver } from './resolver.ts'
import { schema } from './schema.ts'
import { service, versions } from './service.ts'
import { waysOut } from './ways-out.ts'

/** All that `perigee doctor` looks at, in the order in which it is told. */
export const doctorChecks: readonly DoctorCheck[] = [
  configuration,
  files,
  versions,
  service,
  database,
  schema,
  bus,
  engines,
  locations,
  work,
  feeds,
  backups,
  clock,
  ping,
  git,
  browser,
  resolver,
  waysOut,
  mail,
  ownAddress,
  disk,
  memory,
  extras,
]
