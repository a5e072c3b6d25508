// The Debian package: the files of the archive below /usr/lib/perigee, the unit, and a user of the system's.
import { execFileSync } from 'node:child_process'
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Entry, arranged, fileEntry, modes, sizeOf, under } from './entries.ts'
import type { Platform } from './platforms.ts'
import { release, root } from './release-facts.ts'
import { installedShellEntries } from './shell-files.ts'

const packMs = 600_000
const home = 'usr/lib/perigee'
const sources = join(root, 'scripts/release/debian')

export function debianName({ debian }: Platform): string {
  return `perigee_${release.version}_${debian}.deb`
}

export function writeDebian(
  file: string,
  { platform, complete, time }: { platform: Platform; complete: readonly Entry[]; time: number },
): void {
  const staging = mkdtempSync(join(tmpdir(), 'perigee-debian-'))
  try {
    const entries = installedEntries(complete, time)
    unpackInto(staging, entries)
    unpackInto(join(staging, 'DEBIAN'), controlEntries(platform, entries))
    // More than level 1 takes four times as long for a tenth of the size. One thread, because the number of threads changes what xz writes.
    execFileSync('dpkg-deb', ['-Zxz', '-z1', '--threads-max=1', '--root-owner-group', '--build', staging, file], {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(time) },
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: packMs,
    })
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

export function installedEntries(complete: readonly Entry[], time: number): Entry[] {
  const documents = globSync('docs/**/*.md', { cwd: root }).filter(
    (path) => !/^docs\/(?:design|decisions)\//.test(path),
  )
  return [
    ...under(
      home,
      complete.filter(({ path }) => path !== 'LICENSE'),
    ),
    fileEntry('usr/bin/perigee', readFileSync(join(sources, 'perigee.sh')), modes.program),
    fileEntry('usr/lib/systemd/system/perigee.service', unit()),
    fileEntry('usr/lib/sysctl.d/50-perigee-ping.conf', readFileSync(join(root, 'deploy/systemd/perigee-ping.conf'))),
    fileEntry('etc/perigee/environment', readFileSync(join(sources, 'environment'))),
    fileEntry('usr/share/doc/perigee/copyright', copyright()),
    fileEntry('usr/share/doc/perigee/changelog.gz', gzipSync(changelog(time), { level: 9 })),
    fileEntry('usr/share/lintian/overrides/perigee', readFileSync(join(sources, 'lintian-overrides'))),
    ...installedShellEntries(),
    ...documents.map((path) => fileEntry(`usr/share/doc/perigee/${path}`, readFileSync(join(root, path)))),
  ]
}

/** The unit of a checkout in /opt, with the places of the package. */
export function unit(): string {
  let text = readFileSync(join(root, 'deploy/systemd/perigee.service'), 'utf8')
  for (const [from, to] of [
    [
      /^# Everything in one process[^[]*/,
      '# Everything in one process, with the PostgreSQL of this package. Settings are in /etc/perigee/environment.\n',
    ],
    ['file:///opt/perigee/docs/', 'file:///usr/share/doc/perigee/docs/'],
    ['WorkingDirectory=/opt/perigee', 'WorkingDirectory=/var/lib/perigee'],
    [
      '/opt/perigee/node_modules/.bin/node --max-semi-space-size=16 bin/perigee.js start',
      '/usr/lib/perigee/perigee start',
    ],
  ] as const) {
    const changed = text.replace(from, to)
    if (changed === text) throw new Error(`deploy/systemd/perigee.service has no ${from} any more.`)
    text = changed
  }
  if (text.includes('/opt/'))
    throw new Error('deploy/systemd/perigee.service names a place that the package does not have.')
  return text
}

function controlEntries({ debian }: Platform, entries: readonly Entry[]): Entry[] {
  const control = `Package: perigee
Version: ${release.version}
Architecture: ${debian}
Maintainer: Perigee maintainers <perigee@localhost>
Installed-Size: ${Math.ceil(sizeOf(entries) / 1024)}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6, adduser
Recommends: ca-certificates, git
Suggests: bubblewrap
Section: net
Priority: optional
Description: Uptime monitoring that one command starts
 Perigee checks websites, APIs, certificates, domains, DNS, mail servers and
 more, opens an incident when enough locations agree, alerts, and keeps the
 history in a PostgreSQL of its own.
`
  return [
    fileEntry('control', control),
    fileEntry('conffiles', '/etc/perigee/environment\n'),
    script('postinst'),
    script('prerm'),
    script('postrm'),
  ]
}

function script(name: string): Entry {
  return fileEntry(name, readFileSync(join(sources, name)), modes.program)
}

function copyright(): string {
  return `${readFileSync(join(root, 'LICENSE'), 'utf8')}
The licences of Node, PostgreSQL and the libraries that the package contains:

  /usr/lib/perigee/LICENSE.node
  /usr/lib/perigee/LICENSE.postgresql
  /usr/lib/perigee/app/THIRD-PARTY-LICENSES.md
  /usr/lib/perigee/app/web/dist/licenses.md
`
}

function changelog(time: number): string {
  const date = new Date(time * 1000).toUTCString().replace('GMT', '+0000')
  return `perigee (${release.version}) stable; urgency=medium

  * Release ${release.version}.

 -- Perigee maintainers <perigee@localhost>  ${date}
`
}

/** The modes are set once more, because a umask takes bits away from those of what is made. */
function unpackInto(folder: string, entries: readonly Entry[]): void {
  mkdirSync(folder, { recursive: true })
  chmodSync(folder, modes.folder)
  for (const entry of arranged(entries)) {
    const path = join(folder, entry.path)
    if (entry.type === 'folder') mkdirSync(path, { recursive: true })
    else if (entry.type === 'link') symlinkSync(entry.target, path)
    else writeFileSync(path, entry.bytes)
    if (entry.type !== 'link') chmodSync(path, entry.mode)
  }
}
