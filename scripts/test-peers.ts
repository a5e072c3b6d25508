import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installPackages } from './debian-packages.ts'
import './install-suites.ts'

// `npm run test:peers`, as root: tries the kinds against Debian's servers, and beside other monitors. Files may be
// given. With `-- --write` docs/verdicts.md is given the rows of the verdicts; `npx oxfmt docs/verdicts.md` then aligns
// them.

/** Servers as they come, and the monitors whose verdicts are compared with ours. */
const packages = [
  'amqp-tools',
  'apache2-bin',
  'apprise',
  'bind9',
  'bind9-dnsutils',
  'bubblewrap',
  'chrony',
  'dovecot-imapd',
  'dovecot-pop3d',
  'fish',
  'fping',
  'git',
  'iproute2',
  // check_curl needs both, and its package only recommends them.
  'libcurl4',
  'liburiparser1',
  'ldap-utils',
  'lighttpd',
  'mandoc',
  'mariadb-server',
  'microsocks',
  'monitoring-plugins-basic',
  'monitoring-plugins-standard',
  'mosquitto',
  'mosquitto-clients',
  'mtr-tiny',
  'nginx-light',
  'openssh-server',
  'php-cli',
  'podman',
  'postfix',
  'postgresql',
  'prometheus',
  'prometheus-alertmanager',
  'prometheus-blackbox-exporter',
  'python3-prometheus-client',
  'rabbitmq-server',
  'rbldnsd',
  'redis-server',
  'slapd',
  'snmp',
  'snmpd',
  'socat',
  'tinyproxy-bin',
  'traceroute',
  'vsftpd',
  'zsh',
]

/** More than cores, because the tests wait four fifths of their time: for servers to start, and for silent ones. */
const lanes = availableParallelism() + 2
/** How long tests that were told to end may take to end their servers. */
const endMs = 5000

installPackages(packages)
process.exitCode = await run()

/**
 * Ends as the tests end. Runner and tests are a process group that a signal reaches as a whole: a test that is told to
 * end ends its servers, whatever becomes of the runner.
 */
async function run(): Promise<number> {
  const given = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
  const files = given.length > 0 ? given : globSync('test/peers/*.test.ts').toSorted()
  if (files.length === 0) throw new Error('There are no tests in test/peers.')
  // Servers that gave up their rights have to pass through.
  const folder = mkdtempSync(join(tmpdir(), 'perigee-peers-'))
  chmodSync(folder, 0o711)
  const onSignal = new URL('../test/support/exit-on-signal.ts', import.meta.url).href
  const flags = [`--import=${onSignal}`, `--test-concurrency=${lanes}`, '--test-timeout=120000']
  const tests = spawn(process.execPath, ['--test', ...flags, ...files], {
    stdio: 'inherit',
    detached: true,
    env: {
      ...process.env,
      TMPDIR: folder,
      PERIGEE_ORACLES: process.argv.includes('--write') ? 'write' : 'compare',
    },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => signalGroup(tests, signal))
  const [code] = await once(tests, 'exit')
  const until = performance.now() + endMs
  while (signalGroup(tests, 0) && performance.now() < until) await sleep(20)
  signalGroup(tests, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  return typeof code === 'number' ? code : 1
}

/** Whether there was anybody left in the group; with 0 nothing is sent. */
function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals | 0): boolean {
  try {
    return pid !== undefined && process.kill(-pid, signal)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}
