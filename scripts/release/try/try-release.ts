import { basename } from 'node:path'
import { loadavg } from 'node:os'
import { megabytes } from '../artefact.ts'
import type { Artefact } from '../build.ts'
import { installPackages } from '../../debian-packages.ts'
import { tryArchive } from './try-archive.ts'
import { tryDebian } from './try-debian.ts'
import { tryImage } from './try-image.ts'
import { tryNpm } from './try-npm.ts'

/** Starts every artefact for this machine, and prints how long that took. Throws when one does not do what it should. */
export async function tryRelease(artefacts: readonly Artefact[]): Promise<void> {
  installPackages(['mmdebstrap', 'podman', 'crun', 'iproute2', 'procps', 'systemd'])
  for (const artefact of artefacts) {
    const told = await tryOne(artefact)
    if (told === null) continue
    const load = loadavg()[0]?.toFixed(1)
    console.log(`${basename(artefact.file)}: ${megabytes(artefact.file)}, ${told} (load ${load})`)
  }
}

async function tryOne({ kind, file, platform }: Artefact): Promise<string | null> {
  if (kind === 'npm') return tryNpm(file)
  if (platform?.name !== 'linux-x64') return null
  switch (kind) {
    case 'archive':
      return tryArchive(file, basename(file, '.tar.gz'))
    case 'image':
      return tryImage(file)
    case 'deb':
      return tryDebian(file)
    // test/references/sdk.test.ts installs it and plays it against the service.
    case 'sdk':
    case 'docs':
    case 'sbom':
      return null
  }
}
