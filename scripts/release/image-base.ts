// The Debian below Perigee in the image, pinned by its digest in image-base.json. Debian changes with each of its updates,
// so a release that takes one that was not looked at is refused.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { sha256 } from './artefact.ts'
import { type DebianPackage, type DebianRoot, debianPackages, debianTar, forgetDebianTar } from './debian-tar.ts'
import { root } from './release-facts.ts'

const file = join(root, 'scripts/release/image-base.json')
const pinSchema = z.object({ digest: z.string(), packages: z.record(z.string(), z.string()) })
const pinsSchema = z.partialRecord(z.enum(['amd64', 'arm64']), pinSchema)
type Pin = z.infer<typeof pinSchema>

/** Node needs libstdc++; git serves repository monitors; tini, as process 1, collects what git leaves behind. */
export const include = ['ca-certificates', 'git', 'libstdc++6', 'tini']

function wantedFor(architecture: DebianRoot['architecture']): DebianRoot {
  return { suite: 'bookworm', variant: 'essential', include, architecture, hasDevices: false }
}

/** The path of the archive. Throws where it is not the pinned one. */
export function imageBase(architecture: DebianRoot['architecture']): string {
  const wanted = wantedFor(architecture)
  const pin = readPins()[architecture]
  // One that was kept from before the pin was renewed is made again.
  if (pin !== undefined && digestOf(debianTar(wanted)) !== pin.digest) forgetDebianTar(wanted)
  const tar = debianTar(wanted)
  const problem = pinProblem(pin, { digest: digestOf(tar), packages: versionsOf(debianPackages(tar)) })
  if (problem !== null)
    throw new Error(
      `The Debian of the image for ${architecture} ${problem} "npm run release -- --renew-base" pins it as Debian has it now; commit scripts/release/image-base.json.`,
    )
  return tar
}

/** Why the Debian that was made may not be shipped, null where it is the pinned one. */
export function pinProblem(pin: Pin | undefined, { digest, packages }: Pin): string | null {
  if (pin === undefined) return 'is pinned by no digest.'
  if (pin.digest === digest) return null
  const names = [...new Set([...Object.keys(pin.packages), ...Object.keys(packages)])].toSorted()
  const changed = names.filter((name) => pin.packages[name] !== packages[name])
  const what = changed.map((name) => `${name} ${pin.packages[name] ?? 'was not there'} → ${packages[name] ?? 'gone'}`)
  const why = what.length === 0 ? 'though its packages are the same' : what.join(', ')
  return `is ${digest} and not ${pin.digest}: ${why}.`
}

/** Makes the Debian anew and pins what came out, with its packages, so that a review sees what changes. */
export function renewImageBase(architecture: DebianRoot['architecture']): void {
  const wanted = wantedFor(architecture)
  forgetDebianTar(wanted)
  const tar = debianTar(wanted)
  const pin: Pin = { digest: digestOf(tar), packages: versionsOf(debianPackages(tar)) }
  writeFileSync(file, `${JSON.stringify({ ...readPins(), [architecture]: pin }, null, 2)}\n`)
  console.log(`scripts/release/image-base.json: the Debian for ${architecture} is ${pin.digest}.`)
}

function readPins(): z.infer<typeof pinsSchema> {
  return pinsSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
}

function digestOf(tar: string): string {
  return `sha256:${sha256(tar)}`
}

function versionsOf(packages: readonly DebianPackage[]): Record<string, string> {
  return Object.fromEntries(packages.map(({ name, version }) => [name, version]))
}
