// Archives of a Debian, made by mmdebstrap. That works as root on Debian.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from './locked-packages.ts'

const debianMs = 900_000

export type DebianRoot = {
  suite: 'bookworm'
  variant: 'minbase' | 'essential'
  include: readonly string[]
  architecture: 'amd64' | 'arm64'
  /** Whether it has device files, which an image must not have. */
  hasDevices: boolean
}

/** The archive of a new Debian, made once and kept: a second release needs no network. */
export function debianTar(wanted: DebianRoot): string {
  const key = createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 12)
  const file = join(cacheFolder, `debian-${wanted.suite}-${wanted.architecture}-${key}.tar`)
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
      wanted.suite,
      unfinished,
    ],
    { stdio: 'inherit', timeout: debianMs },
  )
  renameSync(unfinished, file)
  return file
}
