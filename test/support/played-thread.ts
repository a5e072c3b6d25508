import assert from 'node:assert/strict'
import { after } from 'node:test'
import { createMemoryBus, type MemoryBus } from '#bus/memory.ts'
import type { CheckConfiguration } from '#core/monitors/check.ts'
import { publicServices } from '#core/monitors/outside-services.ts'
import { type ProberProcessOptions, startProberProcess } from '#prober/prober-process.ts'
import { startProberThreads, type ProberThreadsOptions } from '#prober/threads.ts'

type Warning = { message: string; details?: Record<string, unknown> | undefined }

export const burningWorker = new URL('./burning-worker.ts', import.meta.url)

export type Played = {
  bus: MemoryBus
  /** Names of the probers, in the order in which they started or came back. */
  present: string[]
  warnings: Warning[]
  deaths: () => number
  areReady: () => boolean
  /** Whether they began once, and how many are not ready now. */
  begun: () => [haveBegun: boolean, missing: number]
  stop: () => Promise<void>
}

type PlayedOptions = Partial<ProberThreadsOptions> & {
  /** The thread is in a process of its own, if so. */
  apart?: Omit<ProberProcessOptions, 'log'>
}

/** One thread of probers beside a bus whose engine the test plays. */
export function playThread({ apart, ...options }: PlayedOptions = {}): Played {
  const bus = createMemoryBus()
  const present: string[] = []
  const warnings: Warning[] = []
  let deaths = 0
  bus.onPresence(({ prober }) => present.push(prober))
  const log: ProberThreadsOptions['log'] = { warn: (message, details) => warnings.push({ message, details }) }
  const given: ProberThreadsOptions = {
    threads: 1,
    name: 'test',
    witness: 'this machine',
    only: null,
    locations: [{ code: 'here', name: 'Here' }],
    allowPrivate: 'all',
    denied: [],
    hidesInternal: false,
    ownNetwork: null,
    dnsServers: [],
    resumesTls: false,
    runsScripts: false,
    services: publicServices,
    references: [],
    usesRoots: false,
    bus: { type: 'memory', attach: bus.attach },
    log,
    onDied: () => deaths++,
    ...options,
  }
  const threads = apart === undefined ? startProberThreads(given) : startProberProcess({ log, ...apart }).begin(given)
  const stop = async (): Promise<void> => {
    await threads.stop()
    await bus.close()
  }
  after(stop)
  return {
    bus,
    present,
    warnings,
    deaths: () => deaths,
    areReady: () => threads.areReady,
    begun: () => [threads.haveBegun, threads.missing],
    stop,
  }
}

export function assign({ bus, present }: Played, ids: readonly string[], round: number): void {
  const list = ids.map((monitorId) => ({ monitorId, version: 1, round }))
  bus.assign('here', present[0] ?? assert.fail('No prober is there.'), list)
}

export function tcpCheck(monitorId: string, url: string, keyword: string | null = null): CheckConfiguration {
  return {
    monitorId,
    version: 1,
    kind: 'tcp',
    url,
    method: 'GET',
    timeoutMs: 2000,
    expectedStatusMin: 200,
    expectedStatusMax: 399,
    keyword,
    requestHeaders: {},
    requestBody: null,
    options: {},
  }
}
