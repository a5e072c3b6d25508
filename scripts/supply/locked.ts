// The packages that the lock files name: those of the project with its suites, and those of the documentation's generator.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

export type Locked = {
  /** Its folder below that of the lock file. */
  path: string
  name: string
  version: string
  /** As the lock file has it, or as the package has it that names this one as its part for a system. */
  licence: string | null
  integrity: string | null
  /** A part for one system, or one that Perigee can do without. */
  isOptional: boolean
  hasInstallScript: boolean
  /** The names of the packages that it takes along, where they are there. */
  needs: readonly string[]
}

const names = z.record(z.string(), z.string()).default({})
const entrySchema = z.object({
  name: z.string().optional(),
  version: z.string().optional(),
  license: z.string().optional(),
  integrity: z.string().optional(),
  optional: z.boolean().default(false),
  link: z.boolean().default(false),
  hasInstallScript: z.boolean().default(false),
  dependencies: names,
  peerDependencies: names,
  optionalDependencies: names,
})
const lockSchema = z.object({ packages: z.record(z.string(), entrySchema) })

const lockFiles = ['package-lock.json', 'site/package-lock.json']
const folder = 'node_modules/'

/** All that `npm ci`, the suites and the documentation's generator may install. */
export function lockedPackages(root: string): Locked[] {
  return lockFiles.flatMap((file) => packagesOf(JSON.parse(readFileSync(join(root, file), 'utf8'))))
}

export function packagesOf(lock: unknown): Locked[] {
  const { packages } = lockSchema.parse(lock)
  const families = familyLicences(packages)
  return Object.entries(packages).flatMap(([path, entry]): Locked[] => {
    // The project itself and its workspace are no packages of others.
    if (!path.includes(folder) || entry.link) return []
    const name = entry.name ?? nameAt(path)
    return [
      {
        path,
        name,
        version: entry.version ?? '',
        licence: entry.license ?? families.get(`${name}@${entry.version}`) ?? null,
        integrity: entry.integrity ?? null,
        isOptional: entry.optional,
        hasInstallScript: entry.hasInstallScript,
        needs: Object.keys({ ...entry.dependencies, ...entry.peerDependencies, ...entry.optionalDependencies }),
      },
    ]
  })
}

function nameAt(path: string): string {
  return path.slice(path.lastIndexOf(folder) + folder.length)
}

/**
 * Parts for other systems that the registry lacked have no licence in the lock file (scripts/complete-lock.ts). They have
 * that of the package which they are parts of.
 */
function familyLicences(packages: z.infer<typeof lockSchema>['packages']): Map<string, string> {
  const found = new Map<string, string>()
  for (const [path, { license, optionalDependencies }] of Object.entries(packages))
    if (path.includes(folder) && license !== undefined)
      for (const [name, version] of Object.entries(optionalDependencies)) found.set(`${name}@${version}`, license)
  return found
}
