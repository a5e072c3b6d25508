import { execFile } from 'node:child_process'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { comparePage, compareVerdicts, oracleSkipReason } from './oracle/compare.ts'
import { hereCases, insideCases } from './oracle/ping.ts'

const skip = oracleSkipReason(['check_icmp', 'ip', 'unshare'])

/** A network namespace with loopback and a route to nowhere, where no host answers echo requests over IPv4. */
const commands = `
ip link set lo up
ip route add unreachable 203.0.113.9
echo 1 > /proc/sys/net/ipv4/icmp_echo_ignore_all
exec "$0" "$@"
`

const run = promisify(execFile)

describe('ping, beside monitoring-plugins and blackbox_exporter', { skip }, async () => {
  await compareVerdicts(hereCases())

  it('agrees in a network where hosts are silent and routes are missing', async () => {
    const { NODE_TEST_CONTEXT: _runner, ...environment } = process.env
    const script = new URL('oracle/ping-inside.ts', import.meta.url).pathname
    const settings = { timeout: 60_000, env: environment }
    // When this process ends in any way, every process in that namespace ends with it.
    const alone = ['--net', '--pid', '--fork', '--kill-child']
    await run('unshare', [...alone, 'sh', '-ec', commands, process.execPath, script], settings)
  })

  comparePage([...hereCases(), ...insideCases()])
})
