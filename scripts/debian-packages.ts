import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const installMs = 600_000
/** Two suites may begin at the same time, and apt-get fails where another one reads the lists. */
const lock = join(tmpdir(), 'perigee-debian-packages.lock')
/** Debian asks this file whether the services of a package may be started. */
const policyFile = '/usr/sbin/policy-rc.d'
/** "Forbidden by policy". */
const refusing = '#!/bin/sh\nexit 101\n'

/**
 * Installs what is missing, as root. Throws when a package cannot be installed: what is missing is a failure of the
 * tests that need it, not a skipped test. Nothing is started by its installation; the tests start servers of their own.
 */
export function installPackages(packages: readonly string[]): void {
  if (packages.every(isInstalled)) return
  execFileSync('flock', [lock, process.execPath, import.meta.filename, ...packages], {
    stdio: 'inherit',
    timeout: 2 * installMs,
  })
}

function install(packages: readonly string[]): void {
  const missing = packages.filter((name) => !isInstalled(name))
  if (missing.length === 0) return
  const options = {
    stdio: 'inherit',
    timeout: installMs,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const
  execFileSync('apt-get', ['update', '-q'], options)
  withoutServices(() => {
    execFileSync(
      'apt-get',
      ['-o', 'DPkg::Lock::Timeout=300', 'install', '-qy', '--no-install-recommends', ...missing],
      options,
    )
  })
  const absent = missing.filter((name) => !isInstalled(name))
  if (absent.length > 0) throw new Error(`Not installed: ${absent.join(', ')}`)
}

function isInstalled(name: string): boolean {
  try {
    const status = execFileSync('dpkg-query', ['-W', '-f', '${db:Status-Status}', name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return status === 'installed'
  } catch {
    return false
  }
}

/** A machine that has a policy of its own keeps it. */
function withoutServices(work: () => void): void {
  if (existsSync(policyFile)) return work()
  writeFileSync(policyFile, refusing, { mode: 0o755 })
  try {
    work()
  } finally {
    rmSync(policyFile, { force: true })
  }
}

if (import.meta.main) install(process.argv.slice(2))
