import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pause } from '../../../test/support/pause.ts'
import { until } from '../../../test/support/until.ts'
import { createDestinations } from './destinations.ts'
import { createGround, type Ground, type Standing } from './ground.ts'
import { newTrace, type Trace } from './trace.ts'

type World = {
  /** Addresses that accepted connections of this machine before. */
  known?: string[]
  configured?: string[]
  roots?: string[]
  gateways?: string[]
  /** What answers now. */
  answering: string[]
  resolverAnswers?: boolean
}

function groundOf(world: World): Ground {
  const { known = [], configured = [], roots = [], gateways = [], answering } = world
  const destinations = createDestinations()
  for (const address of known) destinations.accepted(address, 443)
  return createGround({
    destinations,
    configured: configured.map((host) => ({ host, port: 443 })),
    roots: roots.map((host) => ({ host, port: 53 })),
    gateways: () => gateways.map((host) => ({ host, port: 53 })),
    connect: async ({ host }) => answering.includes(host),
    resolverAnswers: async () => world.resolverAnswers ?? true,
  })
}

function traceOf(address: string, changes: Partial<Trace> = {}): Trace {
  return { ...newTrace(), addresses: new Set([address]), ...changes }
}

const target = '5.9.9.9'
const silent = traceOf(target)

/** A target that is silent, and a name that no name server answers. */
function failing(): Trace[] {
  return [traceOf(target), { ...newTrace(), unresolved: 'silent' }]
}

describe('the ground of a failure', { concurrency: true }, () => {
  const table: { what: string; world: World; trace?: Trace; expected: Standing }[] = [
    {
      what: 'held while another destination answers',
      world: { known: [target, '8.8.8.8'], answering: ['8.8.8.8'] },
      expected: 'held',
    },
    {
      what: 'is lost while no destination answers that did',
      world: { known: [target, '8.8.8.8', '9.9.9.9'], answering: [] },
      expected: 'lost',
    },
    {
      what: 'held while one of many destinations answers',
      world: { known: ['8.8.8.8', '9.9.9.9', '1.1.1.1'], answering: ['1.1.1.1'] },
      expected: 'held',
    },
    {
      what: 'held while a root name server answers, also where all other destinations are down',
      world: { known: ['8.8.8.8'], roots: ['192.5.5.241'], answering: ['192.5.5.241'] },
      expected: 'held',
    },
    {
      what: 'is not verified by the target itself',
      world: { known: [target], answering: [target] },
      expected: 'unverified',
    },
    {
      what: 'is not verified where nothing ever answered, root name servers included',
      world: { roots: ['192.5.5.241'], answering: [] },
      expected: 'unverified',
    },
    {
      what: 'is lost while the references of the operator are silent',
      world: { configured: ['one.example'], answering: [] },
      expected: 'lost',
    },
    {
      what: 'is not verified by public references for a private target',
      world: { configured: ['one.example'], roots: ['192.5.5.241'], answering: ['one.example', '192.5.5.241'] },
      trace: traceOf('192.168.1.1'),
      expected: 'unverified',
    },
    {
      what: 'held by public destinations for no private target',
      world: { known: ['8.8.8.8', '192.168.1.9'], answering: ['8.8.8.8'] },
      trace: traceOf('192.168.1.1'),
      expected: 'lost',
    },
    {
      what: 'held by a neighbour for a private target',
      world: { known: ['8.8.8.8', '192.168.1.9'], answering: ['192.168.1.9'] },
      trace: traceOf('192.168.1.1'),
      expected: 'held',
    },
    {
      what: 'held by the gateway for a private target without neighbours',
      world: { known: ['192.168.1.9'], gateways: ['192.168.1.1'], answering: ['192.168.1.1'] },
      trace: traceOf('192.168.1.9'),
      expected: 'held',
    },
    {
      what: 'held by the gateway for a private target whose neighbours are down as well',
      world: { known: ['192.168.1.8', '192.168.1.9'], gateways: ['192.168.1.1'], answering: ['192.168.1.1'] },
      trace: traceOf('192.168.1.9'),
      expected: 'held',
    },
    {
      what: 'is not verified by a gateway that never answered',
      world: { known: ['192.168.1.9'], gateways: ['192.168.1.1'], answering: [] },
      trace: traceOf('192.168.1.9'),
      expected: 'unverified',
    },
    {
      what: 'is not verified for the gateway itself',
      world: { gateways: ['192.168.1.1'], answering: ['192.168.1.1'] },
      trace: traceOf('192.168.1.1'),
      expected: 'unverified',
    },
    {
      what: 'held by no more than itself for a target on this machine',
      world: { known: ['8.8.8.8'], answering: [] },
      trace: traceOf('127.0.0.1'),
      expected: 'held',
    },
    {
      what: 'held where the target spoke itself',
      world: { known: ['8.8.8.8'], answering: [] },
      trace: traceOf(target, { heardMs: performance.now() + 60_000 }),
      expected: 'held',
    },
    {
      what: 'is lost where the kernel has no route of a family that worked',
      world: { known: ['8.8.8.8'], answering: ['8.8.8.8'] },
      trace: traceOf(target, { noRoute: [4] }),
      expected: 'lost',
    },
    {
      what: 'held where the kernel has no route of a family that never worked',
      world: { known: ['8.8.8.8'], answering: ['8.8.8.8'] },
      trace: traceOf('2606:4700::1', { noRoute: [6] }),
      expected: 'held',
    },
    {
      what: 'is lost for a name while no name server answers anything',
      world: { known: ['8.8.8.8'], answering: ['8.8.8.8'], resolverAnswers: false },
      trace: { ...newTrace(), unresolved: 'silent' },
      expected: 'lost',
    },
    {
      what: 'held for a name that name servers do not answer, while they answer others',
      world: { answering: [], resolverAnswers: true },
      trace: { ...newTrace(), unresolved: 'silent' },
      expected: 'held',
    },
  ]
  for (const { what, world, trace = silent, expected } of table)
    it(what, async () => {
      const ground = groundOf(world)
      assert.equal(await ground.standing({ ...trace, startedMs: performance.now() }), expected)
      ground.stop()
    })

  it('was lost where references were silent for three seconds of the check, and answer at its end', async () => {
    const answering: string[] = []
    const ground = groundOf({ known: ['8.8.8.8', '9.9.9.9'], answering })
    const trace = traceOf(target)
    ground.watch(trace)
    await pause(5_000)
    answering.push('8.8.8.8', '9.9.9.9')
    ground.unwatch(trace)
    assert.equal(await ground.standing(trace), 'lost')
    assert.equal(await ground.isBack(trace, performance.now() + 5_000), true)
    assert.equal(ground.answersNow(trace), true)
    ground.stop()
  })

  it('was lost where name servers were silent for three seconds of the check, and answer at its end', async () => {
    const world = { answering: [], resolverAnswers: false }
    const ground = groundOf(world)
    const trace = newTrace()
    ground.watch(trace)
    await pause(5_000)
    world.resolverAnswers = true
    ground.unwatch(trace)
    assert.equal(await ground.standing({ ...trace, unresolved: 'silent' }), 'lost')
    assert.equal(await ground.isBack({ ...trace, unresolved: 'silent' }, performance.now() + 5_000), true)
    ground.stop()
  })

  it('is lost for a name whose name servers could not be reached, and can be a moment later', async () => {
    const ground = groundOf({ answering: [] })
    assert.equal(await ground.standing({ ...newTrace(), unresolved: 'unreachable' }), 'lost')
    ground.stop()
  })

  it('is lost for a private target while the gateway is silent that answered before', async () => {
    const answering = ['192.168.1.1']
    const ground = groundOf({ known: ['192.168.1.9'], gateways: ['192.168.1.1'], answering })
    assert.equal(await ground.standing(traceOf('192.168.1.9')), 'held')
    answering.length = 0
    const later = traceOf('192.168.1.9')
    await pause(1_500)
    assert.equal(await ground.standing(later), 'lost')
    ground.stop()
  })

  it('is told of a check that failed at once by what was asked for the one before', async () => {
    const ground = groundOf({ known: ['8.8.8.8'], answering: [], resolverAnswers: false })
    const first = failing().map(async (trace) => ground.standing(trace))
    await pause(100)
    const second = failing().map(async (trace) => ground.standing(trace))
    assert.deepEqual(await Promise.all([...first, ...second]), ['lost', 'lost', 'lost', 'lost'])
    ground.stop()
  })

  it('knows for how long it has been lost, until references answer, also while no check is made', async () => {
    const world = { known: ['8.8.8.8'], answering: new Array<string>(), resolverAnswers: false }
    const ground = groundOf(world)
    assert.equal(ground.lostForMs(), null)
    const beganMs = performance.now()
    await Promise.all(failing().map((trace) => ground.standing(trace)))
    const lostMs = ground.lostForMs()
    assert.ok(lostMs !== null && lostMs >= 3_000 && lostMs <= performance.now() - beganMs + 1)
    world.answering.push('8.8.8.8')
    await pause(2_500)
    assert.notEqual(ground.lostForMs(), null, 'no name server answers yet')
    world.resolverAnswers = true
    await until('it is back', () => ground.lostForMs() === null)
    ground.stop()
  })

  it('is back as soon as a target says a word', async () => {
    const ground = groundOf({ known: ['8.8.8.8'], answering: [] })
    await ground.standing(traceOf(target))
    assert.notEqual(ground.lostForMs(), null)
    const trace = traceOf(target)
    ground.watch(trace)
    trace.heardMs = performance.now()
    ground.unwatch(trace)
    assert.equal(ground.lostForMs(), null)
    ground.stop()
  })

  it('is not back before references answer', async () => {
    const ground = groundOf({ known: ['8.8.8.8'], answering: [] })
    assert.equal(await ground.isBack(silent, performance.now() + 200), false)
    assert.equal(ground.answersNow(silent), false)
    ground.stop()
  })
})
