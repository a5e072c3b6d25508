// A thread of probers: one for each location that this process serves, over one network and one watched event loop.
import { isMainThread, type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { connectPort } from '#bus/memory-port.ts'
import type { OutsideServices } from '#core/outside-services.ts'
import { kinds } from '#kinds/index.ts'
import { createNet, type NetOptions } from '#net/create-net.ts'
import { startProber } from './prober.ts'
import { createReferences, type ReferenceTarget } from './references.ts'
import { watchStalls } from './stall.ts'

export type ProberWorkerData = {
  locations: readonly string[]
  name: string
  allowPrivate: NetOptions['allowPrivate']
  dnsServers: readonly string[]
  services: OutsideServices
  references: readonly ReferenceTarget[]
  port: MessagePort
}

/** What a thread says to the process beside its results. */
export type ProberWarning = { message: string; details: Record<string, unknown> | undefined }

if (!isMainThread && parentPort !== null) run(workerData, parentPort)

function run(options: ProberWorkerData, parent: MessagePort): void {
  const bus = connectPort(options.port)
  const { allowPrivate, dnsServers, services } = options
  const net = createNet({ allowPrivate, services, ...(dnsServers.length === 0 ? {} : { dnsServers }) })
  const stalls = watchStalls()
  const references = createReferences(net, options.references)
  const warn = (warning: ProberWarning): void => parent.postMessage(warning)
  const log = {
    warn: (message: string, details?: Record<string, unknown>): void => warn({ message, details }),
  }
  const probers = options.locations.map((location) =>
    startProber({ location, name: `${options.name}-${location}`, bus, net, kinds, stalls, references, log }),
  )
  parent.on('message', () => {
    void Promise.all(probers.map((prober) => prober.stop())).finally(() => {
      stalls.stop()
      bus.close()
      parent.close()
    })
  })
}
