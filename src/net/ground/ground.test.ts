import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pause } from '../../../test/support/pause.ts'
import { until } from '../../../test/support/until.ts'
import { type AskedWorld, askedGround } from '../../../test/support/asked-ground.ts'
import type { Ground, Standing } from './ground.ts'
import { newTrace, type Trace, type Unresolved } from './trace.ts'

function traceOf(address: string, changes: Partial<Trace> = {}): Trace {
  return { ...newTrace(), addresses: new Set([address]), ...changes }
}

const target = '5.9.9.9'
const silent = traceOf(target)

/** A name that no name server answers, or with trouble of its own. */
function unresolved(how: Unresolved = 'silent'): Trace {
  return { ...newTrace(), unresolved: how, isNamed: true }
}

/** Lets references answer a check, and then what `world` says. Asks are a second apart. */
async function groundAfter(before: Partial<AskedWorld>, world: AskedWorld): Promise<Ground> {
  const changing = { ...world, ...before }
  const ground = askedGround(changing)
  await Promise.all([traceOf('7.7.7.7'), traceOf('192.168.7.7'), unresolved()].map((trace) => ground.standing(trace)))
  await pause(1_100)
  Object.assign(changing, { resolverAnswers: true }, world)
  return ground
}

/** A target that is silent, and a name that no name server answers. */
function failing(): Trace[] {
  return [traceOf(target), unresolved()]
}

describe('the ground of a failure', { concurrency: true }, () => {
  const table: { what: string; before?: Partial<AskedWorld>; world: AskedWorld; trace?: Trace; expected: Standing }[] =
    [
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
        what: 'is lost while the references of the operator are silent that answered before',
        before: { answering: ['one.example'] },
        world: { configured: ['one.example'], leads: { 'one.example': ['8.8.8.8'] }, answering: [] },
        expected: 'lost',
      },
      {
        what: 'is not verified by references of the operator that never answered',
        world: { configured: ['one.exmaple', '8.8.8.8'], answering: [] },
        expected: 'unverified',
      },
      {
        what: 'held by a reference of the operator, whatever another one does that never answered',
        world: { configured: ['one.exmaple', '8.8.8.8'], answering: ['8.8.8.8'] },
        expected: 'held',
      },
      {
        what: 'is not verified by a name of the operator that leads to the target itself',
        before: { answering: ['one.example'] },
        world: {
          configured: ['one.example'],
          leads: { 'one.example': ['2001:db8::9', target] },
          answering: ['one.example'],
        },
        expected: 'unverified',
      },
      {
        what: 'held for a private target by a name of the operator that leads to a private address',
        world: { configured: ['nas.lan'], leads: { 'nas.lan': ['192.168.1.7'] }, answering: ['nas.lan'] },
        trace: traceOf('192.168.1.1'),
        expected: 'held',
      },
      {
        what: 'is not verified for a public target by a name of the operator that leads to a private address',
        world: { configured: ['nas.lan'], leads: { 'nas.lan': ['192.168.1.7'] }, answering: ['nas.lan'] },
        expected: 'unverified',
      },
      {
        what: 'is not verified by public references for a private target',
        world: {
          configured: ['one.example'],
          leads: { 'one.example': ['8.8.8.8'] },
          roots: ['192.5.5.241'],
          answering: ['one.example', '192.5.5.241'],
        },
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
        what: 'is lost for a name while no name server answers anything that did before',
        before: { resolverAnswers: true },
        world: { known: ['8.8.8.8'], answering: ['8.8.8.8'], resolverAnswers: false },
        trace: unresolved(),
        expected: 'lost',
      },
      {
        what: 'is lost for a name where name servers never found any, whatever public references say',
        world: { known: ['8.8.8.8'], answering: ['8.8.8.8'], resolverAnswers: false },
        trace: unresolved(),
        expected: 'lost',
      },
      {
        what: 'held for a name with which name servers have trouble that never answered the question for the root',
        world: { known: ['8.8.8.8'], answering: ['8.8.8.8'], resolverAnswers: false },
        trace: unresolved('troubled'),
        expected: 'held',
      },
      {
        what: 'is lost for a name where neither name servers nor public references answer',
        world: { known: ['8.8.8.8'], answering: [], resolverAnswers: false },
        trace: unresolved(),
        expected: 'lost',
      },
      {
        what: 'is not verified for a name where nothing ever answered',
        world: { roots: ['192.5.5.241'], answering: [], resolverAnswers: false },
        trace: unresolved('troubled'),
        expected: 'unverified',
      },
      {
        what: 'held for a name that name servers do not answer, while they answer others',
        world: { answering: [], resolverAnswers: true },
        trace: unresolved(),
        expected: 'held',
      },
      {
        what: 'held for a name with which name servers have trouble, while public references answer',
        world: { known: ['8.8.8.8'], answering: ['8.8.8.8'] },
        trace: unresolved('troubled'),
        expected: 'held',
      },
      {
        what: 'held for a name with which name servers have trouble, where no public reference is known',
        world: { answering: [] },
        trace: unresolved('troubled'),
        expected: 'held',
      },
      {
        what: 'is lost for a name with which name servers have trouble that remember the root, with no network behind them',
        world: { known: ['8.8.8.8', '9.9.9.9'], answering: [] },
        trace: unresolved('troubled'),
        expected: 'lost',
      },
      {
        what: 'is lost for a name with which name servers still have trouble just after their network came back',
        before: { answering: [] },
        world: { known: ['8.8.8.8', '9.9.9.9'], answering: ['8.8.8.8', '9.9.9.9'] },
        trace: unresolved('troubled'),
        expected: 'lost',
      },
    ]
  for (const { what, before, world, trace = silent, expected } of table)
    it(what, async () => {
      const ground = before === undefined ? askedGround(world) : await groundAfter(before, world)
      assert.equal(await ground.standing({ ...trace, startedMs: performance.now() }), expected)
      ground.stop()
    })

  it('held for a name by public references where name servers found others, and never those of the root', async () => {
    const ground = askedGround({ known: ['8.8.8.8'], answering: ['8.8.8.8'], resolverAnswers: false })
    const found: Trace = { ...traceOf(target), isNamed: true }
    ground.watch(found)
    ground.unwatch(found)
    assert.equal(await ground.standing({ ...unresolved(), startedMs: performance.now() }), 'held')
    ground.stop()
  })

  it('was lost where references were silent for three seconds of the check, and answer at its end', async () => {
    const answering: string[] = []
    const ground = askedGround({ known: ['8.8.8.8', '9.9.9.9'], answering })
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
    const world = { answering: [], resolverAnswers: true }
    const ground = askedGround(world)
    await ground.standing(unresolved())
    world.resolverAnswers = false
    const trace = newTrace()
    ground.watch(trace)
    await pause(5_000)
    world.resolverAnswers = true
    ground.unwatch(trace)
    const failed: Trace = { ...trace, unresolved: 'silent' }
    assert.equal(await ground.standing(failed), 'lost')
    assert.equal(await ground.isBack(failed, performance.now() + 5_000), true)
    ground.stop()
  })

  it('was lost for a name where public references were silent while the check waited for it', async () => {
    const world = { known: ['8.8.8.8', '9.9.9.9'], answering: new Array<string>() }
    const ground = askedGround(world)
    const trace = newTrace()
    ground.watch(trace)
    await pause(5_000)
    world.answering.push('8.8.8.8', '9.9.9.9')
    ground.unwatch(trace)
    const failed: Trace = { ...trace, unresolved: 'silent' }
    assert.equal(await ground.standing(failed), 'lost')
    assert.equal(await ground.isBack(failed, performance.now() + 5_000), true, 'waits for those that were silent')
    ground.stop()
  })

  it('learns while all is well that name servers and references of the operator answer', async () => {
    const world = { configured: ['8.8.8.8'], answering: ['8.8.8.8'], resolverAnswers: true }
    const ground = askedGround(world)
    const found: Trace = { ...traceOf(target), isNamed: true }
    ground.watch(found)
    ground.unwatch(found)
    await pause(1_500)
    Object.assign(world, { answering: [], resolverAnswers: false })
    assert.deepEqual(await Promise.all(failing().map((trace) => ground.standing(trace))), ['lost', 'lost'])
    ground.stop()
  })

  it('learns that name servers answer, so that their silence counts while public references answer', async () => {
    const world = { known: ['8.8.8.8'], answering: ['8.8.8.8'], resolverAnswers: true }
    const ground = askedGround(world)
    ground.unwatch({ ...traceOf(target), isNamed: true })
    await pause(2_500)
    world.resolverAnswers = false
    assert.equal(await ground.standing({ ...unresolved(), startedMs: performance.now() }), 'lost')
    ground.stop()
  })

  it('is lost for a name whose name servers could not be reached, and can be a moment later', async () => {
    const ground = askedGround({ answering: [] })
    assert.equal(await ground.standing(unresolved('unreachable')), 'lost')
    ground.stop()
  })

  it('is lost for a private target while the gateway is silent that answered before', async () => {
    const answering = ['192.168.1.1']
    const ground = askedGround({ known: ['192.168.1.9'], gateways: ['192.168.1.1'], answering })
    assert.equal(await ground.standing(traceOf('192.168.1.9')), 'held')
    answering.length = 0
    const later = traceOf('192.168.1.9')
    await pause(1_500)
    assert.equal(await ground.standing(later), 'lost')
    ground.stop()
  })

  it('is told of a check that failed at once by what was asked for the one before', async () => {
    const ground = await groundAfter(
      { answering: ['8.8.8.8'], resolverAnswers: true },
      { known: ['8.8.8.8'], answering: [], resolverAnswers: false },
    )
    const first = failing().map(async (trace) => ground.standing(trace))
    await pause(100)
    const second = failing().map(async (trace) => ground.standing(trace))
    assert.deepEqual(await Promise.all([...first, ...second]), ['lost', 'lost', 'lost', 'lost'])
    ground.stop()
  })

  it('knows for how long it has been lost, until references answer, also while no check is made', async () => {
    const world = { known: ['8.8.8.8'], answering: ['8.8.8.8'], resolverAnswers: true }
    const ground = askedGround(world)
    await Promise.all(failing().map((trace) => ground.standing(trace)))
    assert.equal(ground.lostForMs(), null)
    await pause(1_100)
    Object.assign(world, { answering: [], resolverAnswers: false })
    const beganMs = performance.now()
    await Promise.all(failing().map((trace) => ground.standing(trace)))
    const lostMs = ground.lostForMs()
    assert.ok(lostMs !== null && lostMs >= 3_000 && lostMs <= performance.now() - beganMs + 1)
    world.answering = ['8.8.8.8']
    await pause(2_500)
    assert.notEqual(ground.lostForMs(), null, 'no name server answers yet')
    world.resolverAnswers = true
    await until('it is back', () => ground.lostForMs() === null)
    ground.stop()
  })

  it('is back as soon as a target says a word', async () => {
    const ground = askedGround({ known: ['8.8.8.8'], answering: [] })
    await ground.standing(traceOf(target))
    assert.notEqual(ground.lostForMs(), null)
    const trace = traceOf(target)
    ground.watch(trace)
    trace.heardMs = performance.now()
    ground.unwatch(trace)
    assert.equal(ground.lostForMs(), null)
    ground.stop()
  })

  it('is back for names as soon as a check finds one, and not by one that finds none', async () => {
    const ground = askedGround({ answering: [], resolverAnswers: false })
    assert.equal(await ground.standing(unresolved('unreachable')), 'lost')
    ground.unwatch(unresolved())
    assert.notEqual(ground.lostForMs(), null)
    ground.unwatch({ ...traceOf(target), isNamed: true })
    assert.equal(ground.lostForMs(), null)
    ground.stop()
  })

  it('asks references once for names that name servers have trouble with at the same time', async () => {
    const asked: string[] = []
    const ground = askedGround({ known: ['8.8.8.8', '9.9.9.9', '1.1.1.1'], answering: ['8.8.8.8'] }, asked)
    const first = ground.standing(unresolved('troubled'))
    assert.equal(asked.length, 3)
    const second = ground.standing(unresolved('troubled'))
    assert.equal(asked.length, 3)
    assert.deepEqual(await Promise.all([first, second]), ['held', 'held'])
    ground.stop()
  })

  it('is not back before references answer', async () => {
    const ground = askedGround({ known: ['8.8.8.8'], answering: [] })
    assert.equal(await ground.isBack(silent, performance.now() + 200), false)
    assert.equal(ground.answersNow(silent), false)
    ground.stop()
  })
})
