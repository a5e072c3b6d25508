// npm installs the native packages of this machine's system alone. Those of the others are packed from the registry, once,
// and compared with the lock file each time.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { type Entry, entriesBelow } from './entries.ts'
import { root } from './release-facts.ts'

const packMs = 300_000
/** Outside of node_modules/.cache/perigee, whose content is compiled code. */
export const cacheFolder = join(root, 'node_modules/.cache/perigee-release')

const lock = z
  .object({
    packages: z.record(z.string(), z.object({ version: z.string().optional(), integrity: z.string().optional() })),
  })
  .parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')))

/** The registry does not have the package that the lock file names, so an artefact is left out. */
export class PackageMissing extends Error {}

/** The files of a package as the lock file has it. */
export function packageEntries(name: string, isWanted?: (path: string) => boolean): Entry[] {
  const folder = mkdtempSync(join(tmpdir(), 'perigee-package-'))
  try {
    execFileSync('tar', ['-xzf', packedFile(name), '-C', folder, '--strip-components=1'])
    return entriesBelow(folder, isWanted)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The path of the package's archive, from the cache or the registry. */
export function packedFile(name: string): string {
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {}
  if (version === undefined) throw new Error(`package-lock.json has no ${name}.`)
  if (integrity === undefined)
    throw new PackageMissing(`package-lock.json has no checksum of ${name}@${version}: the registry lacked it.`)
  mkdirSync(cacheFolder, { recursive: true })
  const file = join(cacheFolder, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  if (!existsSync(file)) pack(`${name}@${version}`, file)
  const found = checksumOf(file, integrity)
  if (found === integrity) return file
  rmSync(file)
  throw new Error(`${name}@${version} is not what package-lock.json says: ${found} instead of ${integrity}.`)
}

function checksumOf(file: string, integrity: string): string {
  const algorithm = integrity.split('-')[0] ?? ''
  return `${algorithm}-${createHash(algorithm).update(readFileSync(file)).digest('base64')}`
}

function pack(what: string, file: string): void {
  const folder = mkdtempSync(join(cacheFolder, 'packing-'))
  try {
    const { status, stdout, stderr } = spawnSync(
      'npm',
      ['pack', what, '--prefer-offline', '--json', `--pack-destination=${folder}`],
      { encoding: 'utf8', timeout: packMs },
    )
    if (status !== 0) throw new PackageMissing(`${what} cannot be had from the registry: ${stderr.trim()}`)
    const [packed] = z.array(z.object({ filename: z.string() })).parse(JSON.parse(stdout))
    if (packed === undefined) throw new PackageMissing(`npm packed nothing for ${what}.`)
    renameSync(join(folder, packed.filename), file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
