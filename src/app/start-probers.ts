import { availableParallelism } from 'node:os'
import type { Config } from '#config/config.ts'
import { isOneOwners, takesStrangers } from '#config/strangers.ts'
import type { Log } from './log.ts'
import type { ThreadsObserver } from '#metrics/metrics-checks.ts'
import { proberEnvironment } from '#config/config-prober.ts'
import { bootId } from '#store/embedded/process-identity.ts'
import type { Tracing } from './tracing.ts'
import { type ProberProcess, startProberProcess } from '#prober/prober-process.ts'
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
  /** Null for threads of this process. */
  apart: ProberProcess | null
  /** What they check alone. Default: they make all checks. */
  only?: ProberThreadsOptions['only']
}

/**
 * The process in which the probers of this one will be, which needs some time until it can begin; null where they are
 * threads of this process, because they would have to share the only core with it.
 */
export function openProberProcess({ proberProcess }: Pick<Config, 'proberProcess'>, log: Log): ProberProcess | null {
  const isWanted = proberProcess === 'auto' ? availableParallelism() > 1 : proberProcess === 'on'
  return isWanted ? startProberProcess({ environment: proberEnvironment(), log }) : null
}

/** Probers of the configured locations, in one thread for each core that the main thread leaves. */
export function startProbers({
  config,
  observer,
  port,
  tracing,
  apart,
  only = null,
  ...given
}: ProbersOptions): ProberThreads {
  const options: ProberThreadsOptions = {
    ...given,
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
    resumesTls: config.resumesTls,
    runsScripts: config.runsScripts,
    services: config.services,
    references: config.referenceTargets,
    usesRoots: config.asksRootServers,
    // The locations of one process are one witness, also where the machine has no boot id.
    only,
    witness: config.witness ?? bootId() ?? given.name,
  }
  return apart === null ? startProberThreads(options) : apart.begin(options)
}
