// The archive that needs nothing: Node, PostgreSQL and Perigee, to be unpacked and started.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Entry, fileEntry, modes, under } from './entries.ts'
import { koffiEntries, nodeEntries, postgresEntries } from './native-parts.ts'
import type { Platform } from './platforms.ts'
import { packageFacts } from './program.ts'
import { release, root } from './release-facts.ts'
import { shellEntries } from './shell-files.ts'

export function archiveName({ name }: Platform): string {
  return `perigee-${release.version}-${name}`
}

/** The archive, the image and the Debian package share these files: a folder with everything, the launcher on top. */
export function completeEntries(platform: Platform, program: readonly Entry[]): Entry[] {
  return [
    fileEntry('perigee', readFileSync(join(root, 'scripts/release/launcher.sh')), modes.program),
    fileEntry('LICENSE', readFileSync(join(root, 'LICENSE'))),
    fileEntry('LICENSE.postgresql', readFileSync(join(root, 'scripts/release/license-postgresql.txt'))),
    ...nodeEntries(platform),
    ...under('app', [...program, ...koffiEntries(platform), ...postgresEntries(platform)]),
  ]
}

export function archiveEntries(platform: Platform, complete: readonly Entry[]): Entry[] {
  return under(archiveName(platform), [...complete, ...shellEntries(), fileEntry('README.txt', readme(platform))])
}

/** The libraries are in the bundle, or in node_modules beside it, so nothing is left for npm to install. */
export function archivePackageJson(): object {
  return packageFacts()
}

function readme({ isTried }: Platform): string {
  return `Perigee ${release.version}: uptime monitoring that one command starts.

    ./perigee start

serves http://127.0.0.1:3000, prints a link to sign up with, and keeps its data in ./data. "./perigee --help" lists the
commands. Everything is in this folder: Node, PostgreSQL and Perigee. To upgrade, stop Perigee, unpack the new archive
beside this one, and start it with the same data folder (PERIGEE_DATA_DIR). share/ has the page of the manual, and what
bash, zsh and fish complete commands by.
${isTried ? '' : '\nThis archive was never started on a machine of its system. Please say how it went.\n'}`
}
