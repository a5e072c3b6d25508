// A thread of probers: one for each location that this process serves, over one network and one watched event loop.
import type { MessagePort } from 'node:worker_threads'
import type { ProberBus } from '#bus/bus.ts'
import { connectPort } from '#bus/memory-port.ts'
import type { NatsOptions } from '#bus/nats-options.ts'
import type { OutsideServices } from '#core/monitors/outside-services.ts'
import type { checkedKinds } from '#kinds/checked-kinds.ts'
import { withoutInternalAddresses } from '#kinds/conceal.ts'
import type { AnyKind } from '#kinds/kind.ts'
import { createNet, type NetOptions } from '#net/create-net.ts'
import { isInternalAddress } from '#net/dial/guard.ts'
import { type OwnNetwork, withOwnNetwork } from '#net/dial/own-network.ts'
import { createDestinations, type Destination } from '#net/ground/destinations.ts'
import { openGround } from '#net/ground/open-ground.ts'
import { createTraffic, type Traffic } from '#net/ground/trace.ts'
import type { Net } from '#net/net.ts'
import type { Span } from '#otlp/span.ts'
import { createTracer, type Tracer } from '#otlp/tracer.ts'
import { type Prober, type ProberOptions, startProber } from './prober.ts'
import { createRouteTraces, type RouteTraces, type RouteTracesOptions } from './route-traces.ts'
import { rarely } from './rare-warnings.ts'
import { type Aside, createAsides } from './set-aside.ts'
import { watchStalls } from './stall.ts'
import { createTally, type ProberCounts, type ProberLoad } from './tally.ts'
import { unchecked } from './unchecked.ts'
import { markWork } from './work-marks.ts'
import { systemTime } from '#time/time.ts'

/** How a thread reaches the engines: through the process that started it, or by connections of its own. */
export type ProberTransport = { type: 'memory'; port: MessagePort } | { type: 'nats'; nats: NatsOptions }

export type ProberWorkerData = {
  locations: readonly { code: string; name: string }[]
  name: string
  /** What its probers check alone; null for all that there is. */
  only: 'browser' | null
  witness: string
  allowPrivate: NetOptions['allowPrivate']
  denied: readonly string[]
  /** Whether addresses inside this machine's network are kept from who reads the results. */
  hidesInternal: boolean
  /** For monitors whose owner let them reach the own network; null where that is not the owner's to say. */
  ownNetwork: OwnNetwork | null
  dnsServers: readonly string[]
  /** Whether checks take up TLS sessions again where their monitors do not say. */
  resumesTls: boolean
  /** Whether visits with a browser may run scripts of their monitors. */
  runsScripts: boolean
  services: OutsideServices
  references: readonly Destination[]
  usesRoots: boolean
  transport: ProberTransport
  /** Of all rounds, those that are traced; null for none. */
  traceShare: number | null
  /** Made by `createWorkMemory`. */
  memory: SharedArrayBuffer
  asides: readonly Aside[]
  /** The trial with which the thread before this one ended, and which has no answer yet. */
  endedTrial: { location: string; trialId: string; reason: string } | null
}

/** What the process says to a thread. */
export type ThreadOrder = { type: 'stop' } | { type: 'set aside'; aside: Aside }

/** `times` of what is rarely said, else null. */
export type ProberWarning = { message: string; details: Record<string, unknown>; times: number | null }

/** What a thread says to the process beside its results; `ready` once, when all its probers have begun. */
export type ProberWord =
  | { type: 'ready' }
  | { type: 'warning'; warning: ProberWarning }
  | { type: 'counts'; counts: ProberCounts }
  | { type: 'spans'; spans: Span[] }

const tellMs = 1_000
/** Spans that a thread holds for the process; with more of them in a second, some are left out. */
const maxSpans = 4_096

export type ThreadParts = { parent: MessagePort; kinds: typeof checkedKinds }

/** Runs until the process says stop. */
export async function runProbers(options: ProberWorkerData, { parent, kinds: all }: ThreadParts): Promise<void> {
  const { hidesInternal, dnsServers, usesRoots, traceShare } = options
  const destinations = createDestinations()
  const marks = markWork(options.memory)
  const traffic = createTraffic({ onConnected: destinations.accepted, onEntered: marks.enter })
  const asides = createAsides(options.asides, () => performance.now())
  const { net, privateNet } = openNets(options, traffic)
  const kinds = hidesInternal ? withoutInternalAddresses(all, isInternalAddress) : all
  const stalls = watchStalls()
  const ground = openGround({
    net: privateNet ?? net,
    traffic,
    destinations,
    configured: options.references,
    usesRoots,
    dnsServers,
  })
  const tell = (word: ProberWord): void => parent.postMessage(word)
  const say = (warning: ProberWarning): void => tell({ type: 'warning', warning })
  const log = createThreadLog(say)
  const buses = await openBuses(options, log)
  const observer = createTally()
  const { tracer, takeSpans } = createThreadTracer(traceShare)
  const isShown = shownWhere(hidesInternal)
  const routes = createThreadRoutes({ net, privateNet, isShown }, log)
  const probers = options.locations.map(({ code: location, name: locationName }) => {
    const name = `${options.name}-${location}`
    const bus = buses.of(location)
    const watched = { stalls, ground, traffic, marks, asides, observer, tracer, log }
    const identity = { location, locationName, name, witness: options.witness, only: options.only }
    const own = { bus, net, privateNet, kinds, lookFor, isShown, routes }
    return startProber({ ...identity, ...own, ...watched, time: systemTime, random: Math.random })
  })
  answerEnded(options, buses)
  tell({ type: 'ready' })
  const tellCounts = (): void => {
    const counts = observer.take({ ...loadOf(probers), stalls: stalls.stalls })
    if (counts !== null) tell({ type: 'counts', counts })
    const spans = takeSpans()
    if (spans.length > 0) tell({ type: 'spans', spans })
  }
  const timer = setInterval(tellCounts, tellMs)
  parent.on('message', (order: ThreadOrder) => {
    if (order.type === 'set aside') return asides.add(order.aside)
    void Promise.allSettled(probers.map((prober) => prober.stop()))
      .then(() => buses.close())
      .finally(() => {
        stalls.stop()
        marks.stop()
        ground.stop()
        routes.stop()
        clearInterval(timer)
        tellCounts()
        parent.close()
      })
  })
}

function openNets(options: ProberWorkerData, traffic: Traffic): { net: Net; privateNet: Net | null } {
  const { allowPrivate, denied, hidesInternal, ownNetwork, dnsServers, services, resumesTls, runsScripts } = options
  const asked = { services, ...(dnsServers.length === 0 ? {} : { dnsServers }) }
  const reaching = { allowPrivate, denied, hidesInternal, resumesTls, runsScripts, traffic, ...asked }
  const privateNet = ownNetwork === null ? null : createNet(withOwnNetwork(reaching, ownNetwork))
  return { net: createNet(reaching), privateNet }
}

/** The rules of fingerprints are many, and few locations are ever asked for software. */
const lookFor: AnyKind['check'] = async (configuration, net, signal) => {
  const { lookFor: look } = await import('#fingerprints/look-for.ts')
  return look(configuration, net, signal)
}

function createThreadLog(say: (warning: ProberWarning) => void): ProberOptions['log'] {
  const sayRarely = rarely(
    (message, details, times) => say({ message, details, times }),
    () => performance.now(),
  )
  return {
    warn: (message, details = {}) => say({ message, details, times: null }),
    warnRarely: (message, details) => sayRarely(message, details, 1),
  }
}

/** Spans are told to the process now and then. */
function createThreadTracer(share: number | null): { tracer: Tracer | null; takeSpans: () => Span[] } {
  const spans: Span[] = []
  const end = (span: Span): void => {
    if (spans.length < maxSpans) spans.push(span)
  }
  return { tracer: share === null ? null : createTracer({ share, end }), takeSpans: () => spans.splice(0) }
}

function createThreadRoutes(
  ways: Pick<RouteTracesOptions, 'net' | 'privateNet' | 'isShown'>,
  { warnRarely }: ProberOptions['log'],
): RouteTraces {
  const onFailed = (error: unknown): void => warnRarely('A route could not be looked for.', { error: String(error) })
  return createRouteTraces({ ...ways, onFailed, time: systemTime })
}

function shownWhere(hidesInternal: boolean): (address: string) => boolean {
  return (address) => !hidesInternal || !isInternalAddress(address)
}

/** A person waits for it, and the thread that it ended cannot answer any more. */
function answerEnded({ endedTrial }: ProberWorkerData, buses: Buses): void {
  if (endedTrial === null) return
  const { location, trialId, reason } = endedTrial
  buses.of(location).answerTrial(location, trialId, unchecked(reason))
}

function loadOf(probers: readonly Prober[]): ProberLoad {
  const sum: ProberLoad = { running: 0, waiting: 0, outbox: 0 }
  for (const prober of probers) {
    const { running, waiting, outbox } = prober.load()
    sum.running += running
    sum.waiting += waiting
    sum.outbox += outbox
  }
  return sum
}

type Buses = { of: (location: string) => ProberBus; close: () => Promise<void> }

/** On NATS each location has a connection of its own, because its credential may reach nothing of the others. */
async function openBuses(
  { transport, locations, name }: ProberWorkerData,
  log: { warn: (message: string, details?: Record<string, unknown>) => void },
): Promise<Buses> {
  if (transport.type === 'memory') {
    const bus = connectPort(transport.port)
    return { of: () => bus, close: async () => bus.close() }
  }
  const { nats } = transport
  const { connectProberBus } = await import('#bus/nats.ts')
  const opened = await Promise.all(
    locations.map(async ({ code }) => [code, await connectProberBus({ nats, name, location: code, log })] as const),
  )
  const byCode = new Map(opened)
  return {
    of: (location) => {
      const bus = byCode.get(location)
      if (bus === undefined) throw new Error(`There is no connection for the location ${location}.`)
      return bus
    },
    close: async () => {
      await Promise.all(opened.map(([, bus]) => bus.close()))
    },
  }
}
