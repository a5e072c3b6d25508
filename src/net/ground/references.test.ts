import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { until } from '../../../test/support/until.ts'
import { createDestinations } from './destinations.ts'
import { createReferences, type References } from './references.ts'

type World = {
  /** Addresses that accepted connections of this machine before. */
  known?: string[]
  configured?: string[]
  roots?: string[]
  gateways?: string[]
  /** What answers now. */
  answering?: string[]
  /** Where names lead. */
  leads?: Record<string, string[]>
  resolverAnswers?: boolean
}

/** References of a world that may change, and whom they asked, in order. */
function referencesOf(world: World): { references: References; asked: string[] } {
  const { known = [], configured = [], roots = [], gateways = [], leads = {} } = world
  const asked: string[] = []
  const destinations = createDestinations(() => 0)
  for (const address of known) destinations.accepted(address, 443, '')
  const references = createReferences({
    destinations,
    configured: configured.map((host) => ({ host, port: 443 })),
    roots: roots.map((host) => ({ host, port: 53 })),
    gateways: () => gateways.map((host) => ({ host, port: 53 })),
    connect: async ({ host }) => {
      asked.push(host)
      return world.answering?.includes(host) === true ? (leads[host] ?? [host]) : null
    },
    resolverAnswers: async () => {
      asked.push('name servers')
      return world.resolverAnswers ?? false
    },
  })
  return { references, asked }
}

const nobody: ReadonlySet<string> = new Set()

/** Whether any reference for the subject was asked, and whether any answered. */
function said(references: References, subject: 'public' | 'private' | 'names', own = nobody): [boolean, boolean] {
  const { isAsked, isAnswered } = references.since(-Infinity, subject, own)
  return [isAsked, isAnswered]
}

describe('references that are asked', () => {
  const three = ['8.8.8.8', '9.9.9.9', '1.1.1.1']

  it('in turn are the first alone, and the others where it stays silent', async () => {
    const answered = referencesOf({ known: three, answering: three })
    const silent = referencesOf({ known: three, answering: ['1.1.1.1'] })
    const two = referencesOf({ known: three.slice(0, 2) })
    for (const { references } of [answered, two, silent]) references.ask('public', nobody)
    assert.deepEqual([answered.asked, two.asked, silent.asked], [['8.8.8.8'], ['8.8.8.8'], ['8.8.8.8']])
    await until('the others to be asked', () => silent.asked.length === 3)
    assert.deepEqual([two.asked, silent.asked], [three.slice(0, 2), three])
    assert.deepEqual(said(silent.references, 'public'), [true, true])
    assert.deepEqual(answered.asked, ['8.8.8.8'])
    assert.deepEqual(said(answered.references, 'public'), [true, true])
  })

  it('at once have no head start', () => {
    const { references, asked } = referencesOf({ known: three })
    references.ask('public', nobody, 'at once')
    assert.deepEqual(asked, three)
  })

  it('are told by when they were asked, in turn or at once', () => {
    const { references } = referencesOf({ known: three })
    assert.equal(references.askedMs('public'), -Infinity)
    references.ask('public', nobody)
    const inTurnMs = references.askedMs('public')
    assert.ok(inTurnMs <= performance.now() && inTurnMs > -Infinity)
    assert.equal(references.askedMs('public', 'at once'), -Infinity)
    references.ask('public', nobody, 'at once')
    assert.ok(references.askedMs('public', 'at once') >= inTurnMs)
    assert.equal(references.askedMs('public', 'at once'), references.askedMs('public'))
    assert.equal(references.askedMs('private'), -Infinity)
  })

  it('are those of the operator before others, once they have answered', async () => {
    const world = { known: three, configured: ['7.7.7.7'], answering: ['7.7.7.7'] }
    const { references, asked } = referencesOf(world)
    references.ask('public', nobody)
    assert.deepEqual(asked, ['8.8.8.8', '7.7.7.7'])
    await nextTurn()
    references.ask('public', nobody)
    assert.deepEqual(asked.slice(2), ['7.7.7.7'])
  })

  it('are none in doubt where others are known', () => {
    const { references, asked } = referencesOf({ known: three })
    references.ask('public', new Set(['8.8.8.8']), 'at once')
    assert.deepEqual(asked, ['9.9.9.9', '1.1.1.1', '8.8.8.8'])
  })
})

describe('the last resort', () => {
  const roots = ['192.5.5.241']

  it('is asked where fewer than three networks are known', () => {
    for (const known of [[], ['8.8.8.8'], ['8.8.8.8', '9.9.9.9']]) {
      const { references, asked } = referencesOf({ known, roots })
      references.ask('public', nobody)
      assert.ok(asked.includes('192.5.5.241'), `with ${known.length}`)
    }
  })

  it('is asked where more are known that were silent when they were asked before', async () => {
    const known = ['8.8.8.8', '9.9.9.9', '1.1.1.1']
    const world = { known, roots, answering: new Array<string>() }
    const { references, asked } = referencesOf(world)
    references.ask('public', nobody)
    assert.ok(!asked.includes('192.5.5.241'))
    references.ask('public', nobody)
    assert.ok(asked.includes('192.5.5.241'))
    world.answering.push(...known)
    references.ask('public', nobody)
    await nextTurn()
    asked.length = 0
    references.ask('public', nobody)
    assert.ok(!asked.includes('192.5.5.241'))
  })

  it('says nothing by its silence before it ever answered, and then does', async () => {
    const world = { roots, answering: new Array<string>() }
    const { references } = referencesOf(world)
    for (let asks = 0; asks < 2; asks += 1) {
      references.ask('public', nobody)
      await nextTurn()
      assert.deepEqual(said(references, 'public'), [false, false])
    }
    world.answering.push('192.5.5.241')
    references.ask('public', nobody)
    await nextTurn()
    assert.deepEqual(said(references, 'public'), [true, true])
    world.answering.length = 0
    const sinceMs = performance.now()
    references.ask('public', nobody)
    await nextTurn()
    const { isAsked, isAnswered } = references.since(sinceMs, 'public', nobody)
    assert.deepEqual([isAsked, isAnswered], [true, false])
  })

  it('of private networks is their gateways', async () => {
    const { references, asked } = referencesOf({ roots, gateways: ['192.168.1.1'], answering: ['192.168.1.1'] })
    references.ask('private', nobody)
    await nextTurn()
    assert.deepEqual(asked, ['192.168.1.1'])
    assert.deepEqual(
      [said(references, 'private'), said(references, 'public')],
      [
        [true, true],
        [false, false],
      ],
    )
  })
})

describe('references of the operator', () => {
  it('are asked for every subject for which they may speak', () => {
    const { references, asked } = referencesOf({ configured: ['one.example', '7.7.7.7', '192.168.1.9'] })
    references.ask('public', nobody)
    references.ask('private', nobody)
    assert.deepEqual(asked, ['one.example', '7.7.7.7', 'one.example', '192.168.1.9'])
  })

  it('speak for those where they lead, and for no others', async () => {
    const world = { configured: ['nas.lan'], leads: { 'nas.lan': ['192.168.1.7'] }, answering: ['nas.lan'] }
    const { references, asked } = referencesOf(world)
    references.ask('public', nobody)
    await nextTurn()
    assert.deepEqual(said(references, 'public'), [false, false])
    references.ask('public', nobody)
    assert.deepEqual(asked, ['nas.lan'], 'it is known to lead elsewhere')
    references.ask('private', nobody)
    await nextTurn()
    assert.deepEqual(said(references, 'private'), [true, true])
  })

  it('say nothing of a target to which they lead', async () => {
    const leads = { 'one.example': ['5.9.9.9', '2001:db8::9'] }
    const { references } = referencesOf({ configured: ['one.example'], leads, answering: ['one.example'] })
    references.ask('public', nobody)
    await nextTurn()
    assert.deepEqual(said(references, 'public', new Set(['5.9.9.9'])), [false, false])
    assert.deepEqual(said(references, 'public', new Set(['one.example'])), [false, false])
    assert.deepEqual(said(references, 'public', new Set(['8.8.8.8'])), [true, true])
  })

  it('may turn out to be some, until all are known', async () => {
    const nothing = referencesOf({}).references
    for (const subject of ['public', 'private', 'names'] as const) assert.equal(nothing.hasOthers(subject), false)
    const { references } = referencesOf({ configured: ['7.7.7.7'] })
    assert.deepEqual([references.hasOthers('public'), references.hasOthers('private')], [true, false])
    assert.equal(references.hasOthers('names'), false)
    const last = referencesOf({ roots: ['192.5.5.241'] }).references
    assert.deepEqual([last.hasOthers('public'), last.hasOthers('private')], [true, false])
    const both = referencesOf({ configured: ['7.7.7.7'], roots: ['192.5.5.241'] }).references
    assert.equal(both.hasOthers('public'), true)
    const half = referencesOf({ configured: ['7.7.7.7', '6.6.6.6'], answering: ['7.7.7.7'] }).references
    half.ask('public', nobody)
    await nextTurn()
    assert.equal(half.hasOthers('public'), true)
    const whole = referencesOf({ configured: ['7.7.7.7'], answering: ['7.7.7.7'] }).references
    whole.ask('public', nobody)
    await nextTurn()
    assert.deepEqual([whole.hasOthers('public'), whole.hasOthers('private')], [true, false])
  })
})

describe('name servers as references', () => {
  it('are one, which counts as having answered from its first answer on', async () => {
    const world = { resolverAnswers: false, known: ['8.8.8.8'] }
    const { references, asked } = referencesOf(world)
    references.ask('names', nobody)
    await nextTurn()
    assert.deepEqual([said(references, 'names'), references.haveNamesAnswered()], [[true, false], false])
    world.resolverAnswers = true
    references.ask('names', nobody)
    await nextTurn()
    assert.deepEqual([said(references, 'names'), references.haveNamesAnswered()], [[true, true], true])
    assert.deepEqual(asked, ['name servers', 'name servers'])
  })
})

describe('what is learnt while all is well', () => {
  it('is whether the last resort answers, where one or two networks are known, and not soon again', () => {
    const roots = ['192.5.5.241']
    const known = ['8.8.8.8', '9.9.9.9', '1.1.1.1']
    for (const [count, asks] of [0, 1, 2, 3].map((each) => [each, each === 1 || each === 2] as const)) {
      const { references, asked } = referencesOf({ known: known.slice(0, count), roots })
      references.learn(false)
      references.learn(false)
      assert.deepEqual(asked, asks ? roots : [], `with ${count}`)
    }
  })

  it('is whether gateways answer, where one neighbour is known', () => {
    const { references, asked } = referencesOf({ known: ['192.168.1.9'], gateways: ['192.168.1.1'] })
    references.learn(false)
    assert.deepEqual(asked, ['192.168.1.1'])
  })

  it('is whether references of the operator and name servers ever answer, once a minute', async () => {
    const { references, asked } = referencesOf({ configured: ['7.7.7.7'], answering: ['7.7.7.7'] })
    references.learn(false)
    await nextTurn()
    references.learn(true)
    assert.deepEqual(asked, ['7.7.7.7'], 'a minute has not passed')
    assert.equal(references.hasOthers('public'), true)
  })

  it('is nothing of name servers that are not used, and begins as soon as they are', async () => {
    const { references, asked } = referencesOf({ resolverAnswers: true })
    references.learn(false)
    assert.deepEqual(asked, [])
    references.learn(true)
    assert.deepEqual(asked, ['name servers'])
    await nextTurn()
    assert.equal(references.haveNamesAnswered(), true)
  })

  it('is nothing where all have answered', async () => {
    const world = { configured: ['7.7.7.7'], answering: ['7.7.7.7'], resolverAnswers: true }
    const { references, asked } = referencesOf(world)
    references.ask('public', nobody)
    references.ask('names', nobody)
    await nextTurn()
    asked.length = 0
    references.learn(true)
    assert.deepEqual(asked, [])
  })
})
