// Measures what the documents claim of speed and memory. `npm run bench` runs all benches but those that take an hour or
// longer, `-- intake list` some, and `-- growth --only monitors` one with options of its own.
// Each runs in a process of its own, so that none inherits another's heap or compiled code.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'
import { alert } from './alert.ts'
import { alertLoad } from './alert-load.ts'
import { storm } from './storm.ts'
import { apply } from './apply.ts'
import { backup } from './backup.ts'
import { bus } from './bus.ts'
import { calls } from './calls.ts'
import { checks } from './checks.ts'
import { checksOverTls } from './checks-tls.ts'
import { evidence } from './evidence.ts'
import { growth } from './growth.ts'
import { history } from './history.ts'
import { cluster } from './cluster.ts'
import { compaction } from './compaction.ts'
import { consolePage } from './console.ts'
import { consoleBrowser } from './console-browser.ts'
import { intake } from './intake.ts'
import { kinds } from './kinds.ts'
import { lighthouseScores } from './lighthouse.ts'
import { list } from './list.ts'
import { million } from './million.ts'
import { money } from './money.ts'
import { netExchange } from './net-exchange.ts'
import { otlp } from './otlp.ts'
import { pages } from './pages.ts'
import { peers } from './peers.ts'
import { pings } from './pings.ts'
import { rest } from './rest.ts'
import { schedule } from './schedule.ts'
import { signed } from './signed.ts'
import { status } from './status.ts'
import { traces } from './traces.ts'
import { describeMachine } from './support/machine.ts'
import { versionOrders } from './version-orders.ts'
import { views } from './views.ts'
import { vulnerabilities } from './vulnerabilities.ts'

/** Each prints its figures; the last line names the goal. Whether it is reached is for the reader to see. */
const benches = new Map<string, (options: readonly string[]) => Promise<void>>(
  Object.entries({
    checks,
    'checks-tls': checksOverTls,
    evidence,
    intake,
    schedule,
    rest,
    alert,
    'alert-load': alertLoad,
    storm,
    calls,
    list,
    console: consolePage,
    'console-browser': consoleBrowser,
    lighthouse: lighthouseScores,
    history,
    compaction,
    signed,
    bus,
    cluster,
    'net-exchange': netExchange,
    kinds,
    pings,
    pages,
    peers,
    'version-orders': versionOrders,
    vulnerabilities,
    money,
    status,
    apply,
    otlp,
    traces,
    views,
    backup,
    growth,
    million,
  }),
)
/** Run by name alone. */
const longOnes = new Set(['growth', 'million'])

// An exit ends the processes that were started; death by a signal would not. Their folders stay in that case.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => process.exit(128 + constants.signals[signal]))

const given = process.argv.slice(2)
const firstOption = given.findIndex((argument) => argument.startsWith('--'))
const asked = firstOption === -1 ? given : given.slice(0, firstOption)
const options = given.slice(asked.length)
const names = asked.length === 0 ? [...benches.keys()].filter((name) => !longOnes.has(name)) : asked
const unknown = names.filter((name) => !benches.has(name))
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}; there are ${[...benches.keys()].join(', ')}.`)
  process.exitCode = 2
} else if (options.length > 0 && names.length > 1) {
  console.error(`Options belong to one bench: name it, as in "${names[0]} ${options.join(' ')}".`)
  process.exitCode = 2
} else if (names.length === 1) await run(names[0] ?? '')
else for (const name of names) await runApart(name)

async function run(name: string): Promise<void> {
  console.log(`\n${name}\n${describeMachine()}`)
  await benches.get(name)?.(options)
}

async function runApart(name: string): Promise<void> {
  const child = spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), name], {
    stdio: 'inherit',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) process.exitCode = 1
}
