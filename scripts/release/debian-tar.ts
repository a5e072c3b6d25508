// Archives of a Debian, made by mmdebstrap. That works as root on Debian.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from './locked-packages.ts'

const debianMs = 900_000
/** Files of a Debian that are newer bear this time, so that the same packages make the same archive on any day. */
const newestFile = Date.UTC(2026, 0, 1) / 1000
/** mmdebstrap copies the name and the name servers of the machine that it runs on. */
const ofThisMachine = ['etc/hostname', 'etc/resolv.conf']

export type DebianRoot = {
  suite: 'bookworm'
  variant: 'minbase' | 'essential'
  include: readonly string[]
  architecture: 'amd64' | 'arm64'
  /** Whether it has device files, which an image must not have. */
  hasDevices: boolean
}

export type DebianPackage = { name: string; version: string; architecture: string }

/** The archive of a new Debian, made once and kept: a second release needs no network. */
export function debianTar(wanted: DebianRoot): string {
  const file = keptFile(wanted)
  if (existsSync(file)) return file
  mkdirSync(cacheFolder, { recursive: true })
  const unfinished = `${file}.unfinished.tar`
  execFileSync(
    'mmdebstrap',
    [
      '--quiet',
      `--variant=${wanted.variant}`,
      `--architectures=${wanted.architecture}`,
      ...(wanted.hasDevices ? [] : ['--skip=output/dev']),
      ...(wanted.include.length === 0 ? [] : [`--include=${wanted.include.join(',')}`]),
      // Without documents; Debian's licences stay.
      '--dpkgopt=path-exclude=/usr/share/man/*',
      '--dpkgopt=path-exclude=/usr/share/locale/*',
      '--dpkgopt=path-exclude=/usr/share/doc/*',
      '--dpkgopt=path-include=/usr/share/doc/*/copyright',
      ...ofThisMachine.map((path) => `--customize-hook=rm -f "$1/${path}"`),
      wanted.suite,
      unfinished,
    ],
    { stdio: 'inherit', timeout: debianMs, env: { ...process.env, SOURCE_DATE_EPOCH: String(newestFile) } },
  )
  renameSync(unfinished, file)
  return file
}

/** Has the next one made from what Debian offers then. */
export function forgetDebianTar(wanted: DebianRoot): void {
  rmSync(keptFile(wanted), { force: true })
}

function keptFile(wanted: DebianRoot): string {
  const made = JSON.stringify({ ...wanted, newestFile, ofThisMachine })
  const key = createHash('sha256').update(made).digest('hex').slice(0, 12)
  return join(cacheFolder, `debian-${wanted.suite}-${wanted.architecture}-${key}.tar`)
}

/** What is installed in the archive, by the names of its packages. */
export function debianPackages(tar: string): DebianPackage[] {
  return packagesOfStatus(execFileSync('tar', ['-xOf', tar, './var/lib/dpkg/status'], { encoding: 'utf8' }))
}

/** Reads dpkg's list of packages (deb822(5)). */
export function packagesOfStatus(status: string): DebianPackage[] {
  return status
    .split(/\n{2,}/)
    .filter((paragraph) => fieldOf(paragraph, 'Status') === 'install ok installed')
    .map((paragraph) => ({
      name: fieldOf(paragraph, 'Package'),
      version: fieldOf(paragraph, 'Version'),
      architecture: fieldOf(paragraph, 'Architecture'),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function fieldOf(paragraph: string, name: string): string {
  return new RegExp(`^${name}: (.+)$`, 'm').exec(paragraph)?.[1] ?? ''
}
