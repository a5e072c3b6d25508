import { connectProberBus } from '#bus/nats.ts'
import { BusStartError } from '#bus/nats-options.ts'
import { CountersignFileError, openCountersignFile } from '#prober/countersign-file.ts'
import { startCountersigner } from '#prober/countersigner.ts'
import { StartError } from '#store/database/start-error.ts'
import { MissingMeans } from '#net/dial/own-trouble.ts'
import { systemTime } from '#time/time.ts'
import type { Running } from './app.ts'
import { startProbers } from './start-probers.ts'
import { createProberSystem } from './system.ts'
import { type Config, httpAddress } from '#config/config.ts'
import { endAll, type Ends } from './end-all.ts'
import { createFailureLog } from './failure-log.ts'
import { ListenError, listen } from '#http/listen.ts'
import { createSystemHttp } from '#http/system-server.ts'
import type { Log } from './log.ts'
import { createMetrics } from '#metrics/metrics.ts'
import { processName } from './process-name.ts'
import { readRelease } from './release.ts'
import { openTracing } from './tracing.ts'

const closeHttpMs = 5_000

/** Null for a prober that makes all checks. */
type Only = 'browser' | null

/** Probers alone: they need a broker and nothing else, and keep no secret at rest. */
export async function startProberApp(config: Config, log: Log, only: Only = null): Promise<Running> {
  const ends: Ends = []
  const stop = (): Promise<void> => endAll(ends)
  try {
    if (only === 'browser') await assertBrowser()
    return { ...(await start({ config, log, only }, ends)), failed: new Promise(() => {}), stop }
  } catch (error) {
    await stop()
    const isTold =
      error instanceof ListenError || error instanceof BusStartError || error instanceof CountersignFileError
    throw isTold ? new StartError(error.message, { cause: error }) : error
  }
}

type Starting = { config: Config; log: Log; only: Only }

async function start({ config, log, only }: Starting, ends: Ends): Promise<{ url: string }> {
  const { nats, locations } = config
  const [first] = locations
  if (nats === null || first === undefined) throw new StartError('A prober needs PERIGEE_NATS_URL.')
  const name = processName()
  const roles = new Set(['prober'] as const)
  // A credential that is refused ends the start here; the threads' own connections would try for ever.
  const watch = await connectProberBus({ nats, name: `${name}-watch`, location: first.code, log })
  ends.push(watch.close)
  const metrics = createMetrics({ roles, version: readRelease() })
  const tracing = openTracing({ config, name, roles, log, metrics })
  if (tracing !== null) ends.push(tracing.close)
  const { port } = config
  const probers = startProbers({
    config,
    name,
    port,
    bus: { type: 'nats', nats },
    log,
    observer: metrics.checks,
    tracing,
    apart: null,
    only,
  })
  ends.push(probers.stop)
  if (config.countersignFile !== null)
    ends.push(
      startCountersigner({
        location: first.code,
        file: openCountersignFile(config.countersignFile),
        offer: watch.offerCountersignatures,
        time: systemTime,
        log,
      }),
    )
  const system = createProberSystem({ config, roles, name, bus: watch, probers, metrics })
  const http = createSystemHttp(system, createFailureLog(log))
  const listening = await listen(http, config)
  ends.push(() => listening.close(closeHttpMs))
  return { url: httpAddress(config.host, listening.port) }
}

/** Else it would take every visit of its location from probers that can make them. */
async function assertBrowser(): Promise<void> {
  const { createBrowserBoxes } = await import('#net/browser/browser-box.ts')
  try {
    await createBrowserBoxes(null, () => performance.now())()
  } catch (error) {
    const why =
      error instanceof MissingMeans && error.cause instanceof Error
        ? `${error.message} (${error.cause.message.trim()})`
        : String(error)
    throw new StartError(`${why}.`, { cause: error })
  }
}
