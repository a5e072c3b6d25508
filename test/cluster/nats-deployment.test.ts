import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { connect, type NatsConnection, nkeyAuthenticator } from '@nats-io/transport-node'
import type { Bus } from '#bus/bus.ts'
import type { NatsOptions } from '#bus/nats-options.ts'
import { connectEngineBus, connectProberBus, type ProberConnection } from '#bus/nats.ts'
import { type PublicSigningKey, publicSigningKey } from '#core/proofs/signature.ts'
import type { Result } from '#core/results/result.ts'
import { configuration, takeAll } from '../support/bus-contract.ts'
import { resultIn } from '../support/nats-bus.ts'
import { type Hub, startHub, startLeaf } from '../support/nats-deployment.ts'
import { noNatsServer } from '../support/nats-server.ts'
import { until } from '../support/until.ts'

const log = { warn: (): void => {} }
const byThief = 'sent by a thief'
const secret = { ...configuration, requestHeaders: { authorization: 'a secret of fra' } }

describe('the broker of deploy/nats', { skip: noNatsServer }, () => {
  const ends: (() => Promise<void>)[] = []
  after(async () => {
    for (const end of ends.toReversed()) await end()
  })

  async function open(): Promise<{ hub: Hub; engine: Bus; handled: Result[] }> {
    const hub = await startHub(['fra', 'nyc', 'sin:leaf'])
    ends.push(hub.server.stop)
    const engine = await connectEngineBus({ nats: hub.optionsOf('core'), name: 'engine', log, startMs: 5_000 })
    ends.push(engine.close)
    const handled: Result[] = []
    await takeAll(engine, async (results) => void handled.push(...results))
    engine.onConfigurationRequest(async (location) => (location === 'fra' ? [secret] : []))
    return { hub, engine, handled }
  }

  async function prober(location: string, nats: NatsOptions): Promise<ProberConnection> {
    const bus = await connectProberBus({ nats, name: 'prober', location, log, startMs: 5_000 })
    ends.push(bus.close)
    return bus
  }

  /** Connects as a thief would: with a stolen key and any client. */
  async function thief(hub: Hub, user: string, inboxPrefix = `_INBOX_${user}`): Promise<NatsConnection> {
    const { folder, port } = hub.server
    const client = await connect({
      servers: `localhost:${port}`,
      authenticator: nkeyAuthenticator(readFileSync(join(folder, 'keys', `${user}.nk`)).subarray(0, 58)),
      tls: { caFile: join(folder, 'authority.pem') },
      inboxPrefix,
    })
    ends.push(() => client.close())
    return client
  }

  /** Subjects of what thieves sent and the core heard. */
  async function overhear(hub: Hub): Promise<{ core: NatsConnection; heard: string[] }> {
    const core = await thief(hub, 'core', '_INBOX')
    const heard: string[] = []
    core.subscribe('>', {
      callback: (_refusal, message) => {
        if (message.string() === byThief) heard.push(message.subject)
      },
    })
    await core.flush()
    return { core, heard }
  }

  it('lets a location do its work, directly and through a leaf', async () => {
    const opened = await open()
    await proveWork('fra', await prober('fra', opened.hub.optionsOf('fra')), opened)
    const leaf = await startLeaf(opened.hub, 'sin')
    ends.push(leaf.stop)
    await proveWork('sin', await prober('sin', leaf.options), opened)
  })

  const foreignPublications = [
    'results.nyc.1',
    'presence.nyc.p1',
    'config.nyc',
    'countersign.nyc',
    'tried.nyc.1',
    'trial.fra.p1',
    'assign.fra.p1',
    'assign.nyc.p1',
    'changes',
    '_INBOX_nyc.x',
    '$JS.API.INFO',
    '$JS.API.STREAM.INFO.results',
    '$JS.API.STREAM.DELETE.results',
    '$JS.API.STREAM.PURGE.results',
    '$JS.API.STREAM.MSG.GET.results',
    '$JS.API.STREAM.CREATE.mine',
    '$JS.API.CONSUMER.MSG.NEXT.results.partition-1',
    '$JS.API.CONSUMER.DELETE.results.partition-1',
    '$JS.ACK.results.partition-1.1.1.1.1.1',
  ]
  const foreignSubscriptions = [
    'assign.nyc.*',
    'trial.nyc.*',
    'tried.fra.*',
    'assign.>',
    'config.*',
    'countersign.*',
    'countersign.fra',
    'config.fra',
    'results.>',
    'presence.>',
    'changes',
    '_INBOX_nyc.>',
    '_INBOX.>',
    '>',
    '*.*.*',
  ]

  const borrowed = [
    '$JS.API.STREAM.PURGE.results',
    '$JS.API.STREAM.DELETE.results',
    '$JS.API.STREAM.MSG.DELETE.results',
    '$JS.API.CONSUMER.DELETE.results.partition-1',
    '$JS.API.CONSUMER.CREATE.results',
    '$JS.API.STREAM.UPDATE.results',
    '$JS.API.STREAM.LEADER.STEPDOWN.results',
  ]

  it('lets a stolen credential reach nothing of other locations, of the stream, or of the core', async () => {
    const { hub } = await open()
    const { core, heard } = await overhear(hub)
    const stolen = await thief(hub, 'fra')
    const refused: string[] = []
    void (async () => {
      for await (const status of stolen.status()) if (status.type === 'error') refused.push(status.error.message)
    })()
    for (const subject of foreignPublications) stolen.publish(subject, byThief)
    const overheard: string[] = []
    const denied: string[] = []
    for (const subject of foreignSubscriptions)
      stolen.subscribe(subject, {
        callback: (refusal, message) => {
          if (refusal === null) overheard.push(message.subject)
          else denied.push(refusal.message)
        },
      })
    await stolen.flush()
    for (const subject of ['assign.nyc.p1', 'config.nyc', 'results.nyc.1', 'presence.nyc.p', 'changes', '_INBOX_nyc.x'])
      core.publish(subject, 'for others')
    await core.flush()
    await stolen.flush()
    await until('every refusal is heard', async () => denied.length === foreignSubscriptions.length)
    for (const subject of foreignPublications)
      assert.ok(
        refused.some((text) => text.includes(`Permissions Violation for Publish to "${subject}"`)),
        `publishing to ${subject} was refused`,
      )
    assert.deepEqual(overheard, [])
    assert.deepEqual(heard, [])
  })

  it('lets a stolen leaf reach no more than its location', async () => {
    const { hub, engine, handled } = await open()
    const leaf = await startLeaf(hub, 'sin')
    ends.push(leaf.stop)
    await proveWork('sin', await prober('sin', leaf.options), { engine, handled })
    const { core, heard } = await overhear(hub)
    const stolen = await connect({ servers: leaf.options.servers[0] ?? '', inboxPrefix: '_INBOX_sin' })
    ends.push(() => stolen.close())
    const overheard: string[] = []
    for (const subject of [...foreignSubscriptions, 'assign.sin.*'])
      stolen.subscribe(subject, { callback: (_refusal, message) => void overheard.push(message.subject) })
    await stolen.flush()
    for (const subject of foreignPublications) stolen.publish(subject, byThief)
    stolen.publish('presence.sin.last', byThief)
    await until('the last arrives at the hub', async () => heard.includes('presence.sin.last'))
    assert.deepEqual(heard, ['presence.sin.last'])
    // The thief hears its own messages at its own leaf, so they are dropped before the test listens on.
    await stolen.flush()
    overheard.length = 0
    for (const subject of ['assign.nyc.p1', 'config.nyc', 'results.nyc.1', 'changes', '_INBOX_nyc.x'])
      core.publish(subject, 'for others')
    await until('what is for the location arrives', async () => {
      core.publish('assign.sin.p1', 'for it')
      return overheard.includes('assign.sin.p1')
    })
    assert.deepEqual(new Set(overheard), new Set(['assign.sin.p1']))
  })

  it('tells a thief by no acknowledgement what the thief may not say itself', async () => {
    const hub = await startHub(['fra', 'nyc'])
    ends.push(hub.server.stop)
    const engine = await connectEngineBus({ nats: hub.optionsOf('core'), name: 'engine', log, startMs: 5_000 })
    ends.push(engine.close)
    const stolen = await thief(hub, 'fra')
    await (
      await prober('nyc', hub.optionsOf('nyc'))
    ).publishResults(
      'nyc',
      [1, 2, 3].map((part) => resultIn(part, 'nyc')),
    )
    const waiting = async (): Promise<number> => (await engine.readBacklog())[0]?.messages ?? 0
    assert.equal(await waiting(), 3)
    // The broker acknowledges to any subject that a publication names, with rights of its own.
    for (const reply of borrowed) stolen.publish('results.fra.4', '[]', { reply })
    await stolen.request('results.fra.4', '[]', { timeout: 5_000 })
    assert.equal(await waiting(), 3 + borrowed.length + 1)
    const handled = new Set<string>()
    await takeAll(engine, async (results) => {
      for (const { location } of results) handled.add(location)
    })
    assert.deepEqual(handled, new Set(['nyc']))
  })

  it('sends configurations to nobody but the location that may ask for them', async () => {
    const { hub } = await open()
    const stolen = await thief(hub, 'fra')
    const other = await thief(hub, 'nyc')
    const leaked: string[] = []
    other.subscribe('_INBOX_nyc.>', { callback: (_refusal, message) => void leaked.push(message.string()) })
    other.subscribe('assign.nyc.*', { callback: (_refusal, message) => void leaked.push(message.string()) })
    await other.flush()
    for (const reply of ['_INBOX_nyc.x', 'assign.nyc.p1', '_INBOX_fra-2.x'])
      stolen.publish('config.fra', '[]', { reply })
    const own = await stolen.request('config.fra', '[]', { timeout: 5_000 })
    assert.match(own.string(), /a secret of fra/)
    await other.flush()
    assert.deepEqual(leaked, [])
  })

  it('believes no result that says another location than its sender has', async () => {
    const { hub, handled } = await open()
    const stolen = await thief(hub, 'fra')
    const forged = resultIn(4, 'nyc')
    const tuple = (location: string): string => JSON.stringify([[forged.monitorId, 1, 1, location]])
    await stolen.request('results.fra.4', tuple('nyc'), { timeout: 5_000 })
    await stolen.request('results.fra.4', tuple('fra'), { timeout: 5_000 })
    await until('its own arrives', async () => handled.length > 0)
    assert.deepEqual(
      handled.map(({ location }) => location),
      ['fra'],
    )
  })

  it('throws out a location whose key was taken away, lets it in with a new one, and leaves the others alone', async () => {
    const { hub, engine, handled } = await open()
    const fra = await prober('fra', hub.optionsOf('fra'))
    const nyc = await prober('nyc', hub.optionsOf('nyc'))
    const key = join(hub.server.folder, 'keys', 'fra.nk')
    const stolen = readFileSync(key, 'utf8')
    rmSync(key)
    hub.setLocations(['nyc'])
    await until('it is thrown out', async () => !fra.isConnected())
    await assert.rejects(fra.publishResults('fra', [resultIn(1, 'fra')]))
    assert.ok(nyc.isConnected() && engine.isConnected())
    hub.setLocations(['fra', 'nyc'])
    assert.notEqual(readFileSync(key, 'utf8'), stolen)
    await until('it is let in', async () => fra.isConnected(), 20_000)
    await proveWork('fra', fra, { engine, handled })
  })

  it('leaves a leaf whose password was taken away with nothing, when the broker is started again', async () => {
    const { hub, engine } = await open()
    const leaf = await startLeaf(hub, 'sin')
    ends.push(leaf.stop)
    const sin = await prober('sin', leaf.options)
    const isDurable = (): Promise<boolean> =>
      sin.publishResults('sin', [resultIn(1, 'sin')]).then(
        () => true,
        () => false,
      )
    await until('the leaf is let in', isDurable)
    const restart = async (): Promise<void> => {
      await hub.server.kill()
      await hub.server.start()
      await until('the core is back', async () => engine.isConnected(), 20_000)
    }
    hub.setLocations(['fra', 'nyc'])
    await restart()
    let heard = 0
    sin.onAssignments('sin', 'p1', () => {
      heard += 1
    })
    // Five seconds in which the core sends and the leaf tries.
    const sending = setInterval(() => engine.assign('sin', 'p1', []), 10)
    assert.equal(await isDurable(), false)
    clearInterval(sending)
    assert.equal(heard, 0)
    hub.setLocations(['fra', 'nyc', 'sin:leaf'])
    await restart()
    await until('it is let in again', isDurable, 30_000)
    await until('it hears again', async () => {
      engine.assign('sin', 'p1', [])
      return heard > 0
    })
  })

  it('lets in nobody without a key, and a leaf by its own door only', async () => {
    const hub = await startHub(['fra', 'sin:leaf'])
    ends.push(hub.server.stop)
    const { folder } = hub.server
    const password = readFileSync(join(folder, 'keys', 'sin-leaf.password'), 'utf8').trim()
    const logins: NatsOptions['login'][] = [
      { type: 'none' },
      { type: 'token', token: 'guessed' },
      { type: 'password', user: 'sin-leaf', password },
    ]
    for (const login of logins)
      await assert.rejects(
        connectProberBus({ nats: { ...hub.optionsOf('fra'), login }, name: 'p', location: 'fra', log, startMs: 0 }),
        { name: 'BusStartError', message: /could not be reached: .*Authorization Violation/i },
      )
  })
})

/** A key that says for which location it was answered. */
function countersigner(location: string): PublicSigningKey {
  return { ...publicSigningKey('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'), kid: location }
}

async function proveWork(
  location: string,
  bus: ProberConnection,
  { engine, handled }: { engine: Bus; handled: Result[] },
): Promise<void> {
  const present: string[] = []
  engine.onPresence(({ location: from }) => present.push(from))
  const assigned: number[] = []
  bus.onAssignments(location, 'p.1', (list) => assigned.push(...list.map(({ round }) => round)))
  await until('both sides hear each other', async () => {
    bus.announce({ location, prober: 'p.1', isLeaving: false })
    engine.assign(location, 'p.1', [{ monitorId: 'm', version: 1, round: 9 }])
    return present.includes(location) && assigned.includes(9)
  })
  const result = resultIn(8, location)
  await bus.publishResults(location, [result])
  await until('the result is handled', async () => handled.some(({ monitorId }) => monitorId === result.monitorId))
  assert.deepEqual(await bus.requestConfigurations(location, []), location === 'fra' ? [secret] : [])
  const end = engine.onCountersigning(async (from) => ({ keys: [countersigner(from)], heads: [] }))
  await until('an offer is answered', async () => {
    const offer = { since: null, signatures: [], fork: null }
    const reply = await bus.offerCountersignatures(offer).catch(() => null)
    return isDeepStrictEqual(reply?.keys, [countersigner(location)])
  })
  end()
  const { verdict } = result
  bus.onTrials(location, 'p.1', async () => verdict)
  await until('a trial is answered', async () => {
    const trial = { configuration: { ...configuration, monitorId: randomUUID() }, withinMs: 1_000 }
    const answer = await engine.tryCheck(location, 'p.1', trial).catch(() => undefined)
    return answer !== undefined && isDeepStrictEqual(answer, verdict)
  })
}
