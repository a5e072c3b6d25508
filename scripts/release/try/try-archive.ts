import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DebianRoot, debianTar } from '../debian-tar.ts'
import { freshRoot, removeRoot } from './fresh-root.ts'
import { printed, tryStart } from './start-trial.ts'

export const minimal: DebianRoot = {
  suite: 'bookworm',
  variant: 'minbase',
  include: [],
  architecture: 'amd64',
  hasDevices: true,
}

/** On a Debian with nothing but its essential packages. */
export async function tryArchive(file: string, name: string, debian: DebianRoot = minimal): Promise<string> {
  const root = freshRoot(debianTar(debian))
  try {
    copyFileSync(file, join(root, 'archive.tar.gz'))
    const { secondsToFirstCheck } = await tryStart(root, {
      prepare: `! command -v node\ntar -xzf /archive.tar.gz\ncd ${name}`,
      start: './perigee',
    })
    // By a link too, from another folder, with the data that the first start made.
    const again = await tryStart(root, {
      prepare: `mkdir -p bin\nln -sf ../${name}/perigee bin/perigee\nexport PERIGEE_DATA_DIR=$PWD/${name}/data`,
      start: 'bin/perigee',
    })
    const version = (await printed(root, `cd /home/*/${name} && ./perigee --version`)).trim()
    return `version ${version}, ${secondsToFirstCheck.toFixed(1)} s from unpacking to the first check, ${again.secondsToFirstCheck.toFixed(1)} s at the second start`
  } finally {
    removeRoot(root)
  }
}
