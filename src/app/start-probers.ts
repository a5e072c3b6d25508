import { availableParallelism } from 'node:os'
import type { Config } from '#config/config.ts'
import { isOneOwners, takesStrangers } from '#config/strangers.ts'
import type { Log } from './log.ts'
import type { ThreadsObserver } from '#metrics/metrics-checks.ts'
import { bootId } from '#store/embedded/process-identity.ts'
import type { Tracing } from './tracing.ts'
import { type ProberThreads, type ProberThreadsOptions, startProberThreads } from '#prober/threads.ts'

export type ProbersOptions = {
  config: Config
  name: string
  bus: ProberThreadsOptions['bus']
  log: Log
  observer: ThreadsObserver
  /** Null where nothing is traced. */
  tracing: Tracing | null
  /** At which this service listens. */
  port: number
}

/** Probers of the configured locations, in one thread for each core that the main thread leaves. */
export function startProbers({ config, observer, port, tracing, ...options }: ProbersOptions): ProberThreads {
  return startProberThreads({
    ...options,
    onDied: observer.died,
    onCounted: observer.counted,
    onSetAside: observer.setAside,
    traces: tracing === null ? null : { share: tracing.share, onSpans: tracing.add },
    threads: config.proberThreads ?? Math.max(1, availableParallelism() - 1),
    locations: config.locations,
    allowPrivate: config.allowPrivateTargets,
    denied: config.deniedTargets,
    hidesInternal: takesStrangers(config),
    ownNetwork: isOneOwners(config) ? { ownPorts: [port] } : null,
    dnsServers: config.dnsServers,
    services: config.services,
    references: config.referenceTargets,
    usesRoots: config.asksRootServers,
    // The locations of one process are one witness, also where the machine has no boot id.
    witness: config.witness ?? bootId() ?? options.name,
  })
}
