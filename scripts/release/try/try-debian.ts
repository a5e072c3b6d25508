import { copyFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DebianRoot, debianTar } from '../debian-tar.ts'
import { freshRoot, removeRoot } from './fresh-root.ts'
import { printed, tryStart } from './start-trial.ts'

const withAdduser: DebianRoot = {
  suite: 'bookworm',
  variant: 'minbase',
  include: ['adduser'],
  architecture: 'amd64',
  hasDevices: true,
}

/** Installed, started as the unit starts it, asked by root, removed and purged. systemd itself runs in no chroot. */
export async function tryDebian(file: string): Promise<string> {
  const root = freshRoot(debianTar(withAdduser))
  const asRoot = '0:0'
  try {
    copyFileSync(file, join(root, 'perigee.deb'))
    const start = 'setpriv --reuid=perigee --regid=perigee --init-groups /usr/lib/perigee/perigee'
    const { secondsToFirstCheck } = await tryStart(root, {
      prepare: 'dpkg --install /perigee.deb\ncd /var/lib/perigee\nexport PERIGEE_DATA_DIR=/var/lib/perigee',
      start,
      as: asRoot,
    })
    const version = (await printed(root, 'perigee --version', asRoot)).trim()
    await printed(root, 'dpkg --remove perigee && dpkg --purge perigee', asRoot)
    for (const gone of ['usr/lib/perigee', 'usr/bin/perigee', 'etc/perigee', 'usr/lib/systemd/system/perigee.service'])
      if (existsSync(join(root, gone))) throw new Error(`/${gone} is left after a purge.`)
    if (!readFileSync(join(root, 'var/lib/perigee/postgres/PG_VERSION'), 'utf8').startsWith('18'))
      throw new Error('The data are gone after a purge.')
    return `version ${version}, ${secondsToFirstCheck.toFixed(1)} s from dpkg --install to the first check; removed and purged, the data stay`
  } finally {
    removeRoot(root)
  }
}
