// Every kind that reads from a stream meets behaviour that no server should show: its check ends by the deadline and
// reports clearly why. The servers run in another thread; robustness-memory.test.ts measures their cost in memory.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { setDefaultCACertificates } from 'node:tls'
import type { Relay, TcpBehaviour } from '../../test/support/broken-behaviours.ts'
import { openBrokenWorld } from '../../test/support/broken-world.ts'
import { chainPem, makeCertificate } from '../../test/support/certificates.ts'
import { lineServer } from '../../test/support/line-server.ts'
import { watchLeftovers } from '../../test/support/leftovers.ts'
import { assertEnded, checkRobustly, type Ended, type Subject } from '../../test/support/robust-check.ts'
import { streamSubjects } from '../../test/support/robust-subjects.ts'
import { testCertificates } from '../../test/support/test-certificates.ts'

/**
 * Timeouts of checks: the short one for servers that never end the connection, the long one for servers whose
 * misbehaviour ends the check earlier.
 */
const shortMs = 500
const longMs = 10_000
const { root, good } = testCertificates()
setDefaultCACertificates([root.pem])
const leftovers = watchLeftovers()
const world = await openBrokenWorld({ chainPem: chainPem(good), keyPem: good.keyPem })

type Case = { name: string; behaviour: Omit<TcpBehaviour, 'layer' | 'dialogue' | 'isAsked'>; text: RegExp }

const endings = ['fin', 'rst', 'silence'] as const
const nothing = new Uint8Array(0)
const anyText = /./
const usual = { say: nothing, fill: nothing }

/** A kind that asks several servers in turn may end with a word about another of them. */
const closed = /closed|reset|cut|refused|answered nothing|sent nothing/i

const cases: Case[] = [
  { name: 'keeps silent', behaviour: { ...usual, ending: 'silence' }, text: /^(?!.*closed).*timed out/i },
  { name: 'closes at once', behaviour: { ...usual, ending: 'fin' }, text: closed },
  { name: 'resets the connection', behaviour: { ...usual, ending: 'rst' }, text: closed },
  { name: 'sends random bytes without end', behaviour: { ...usual, ending: 'random' }, text: anyText },
  { name: 'sends 100 random bytes', behaviour: { ...usual, say: randomBytes(100), ending: 'fin' }, text: anyText },
  { name: 'sends an endless line', behaviour: { ...usual, ending: 'endless', fill: Buffer.from('x') }, text: anyText },
  {
    name: 'sends endless lines',
    behaviour: { ...usual, ending: 'endless', fill: Buffer.from('no\r\n') },
    text: anyText,
  },
  { name: 'sends endless zeros', behaviour: { ...usual, ending: 'endless', fill: Buffer.alloc(1) }, text: anyText },
  { name: 'drips letters', behaviour: { ...usual, ending: 'drip', fill: Buffer.from('x') }, text: anyText },
  { name: 'drips empty lines', behaviour: { ...usual, ending: 'drip', fill: Buffer.from('\r\n') }, text: anyText },
]

describe('a check of a server that misbehaves', { concurrency: 4 }, () => {
  for (const subject of streamSubjects(good)) {
    const layers = subject.layer === 'plain' ? (['plain'] as const) : (['plain', subject.layer] as const)
    for (const layer of layers)
      it(`${subject.name} ends in time with a clear text${layer === 'plain' ? '' : ', also within TLS'}`, async () => {
        await Promise.all(cases.map((each) => misbehave(subject, layer, each)))
      })
  }
})

describe('a check of a good server', { concurrency: 4 }, () => {
  for (const subject of streamSubjects(good)) {
    it(`${subject.name} is up, and never when its answer is cut off before the end`, async () => {
      const to = await subject.good()
      const length = await lengthOf(subject, to)
      const places = [1, 0.1, 0.3, 0.5, 0.7, 0.8, subject.needs].filter(
        (share) => share === 1 || share <= subject.needs,
      )
      const cuts = places.flatMap((share) =>
        endings.map((ending) => ({ cutAt: share === 1 ? 1 : Math.floor(length * share), ending })),
      )
      await Promise.all(
        cuts.map(async (cut) => {
          const ended = await passOn(subject, { to, ...cut, isDripping: false })
          assertEnded(ended, `${subject.name}, cut at ${cut.cutAt} of ${length}, ${cut.ending}`, [subject.broken])
        }),
      )
    })

    it(`${subject.name} gives up when the answer comes a byte each 100 ms`, async () => {
      const relay = { to: await subject.good(), cutAt: null, ending: 'fin', isDripping: true } as const
      const ended = await passOn(subject, relay)
      assertEnded(ended, subject.name, [subject.broken])
      assert.match(String(ended.verdict.error), /timed out|not found/i)
    })
  }
})

describe('a check of a server with too many certificates', () => {
  it('is down when they are more than anybody needs, and shows the first of many', async () => {
    const other = makeCertificate({ name: 'Another', isAuthority: true })
    const subject = streamSubjects(good).find(({ name }) => name === 'ssl') ?? assert.fail('No subject.')
    for (const [count, status] of [
      [100, 'up'],
      [2000, 'down'],
    ] as const) {
      const certificate = { ...good, pem: chainPem(good, ...Array.from({ length: count }, () => other)) }
      const { port } = await lineServer({ greeting: null, answer: () => null, certificate, isTls: true })
      const ended = await checkRobustly(subject.kind, subject.check(port), longMs)
      assertEnded(ended, `${count} certificates`, [status])
      if (status === 'down') assert.match(String(ended.verdict.error), /The TLS handshake with .* failed/)
    }
  })
})

describe('when all is done', () => {
  it('no connection is left open, and nothing came late', async () => {
    await leftovers.assertNone(world)
  })
})

async function misbehave(subject: Subject, layer: Subject['layer'], { name, behaviour, text }: Case): Promise<void> {
  const { dialogue, isAsked } = subject
  const port = await world.tcp({ ...behaviour, layer, isAsked, ...(dialogue === undefined ? {} : { dialogue }) })
  const isOpen = behaviour.ending === 'silence' || behaviour.ending === 'drip'
  const ended = await checkRobustly(subject.kind, subject.check(port), isOpen ? shortMs : longMs)
  // The kind ssl ignores events after the handshake, and its check may end before they come.
  const isPastAll = subject.name === 'ssl' && layer === 'tls'
  assertEnded(ended, `${subject.name} ${name} (${layer})`, isPastAll ? ['up', subject.broken] : [subject.broken])
  if (!isPastAll) assert.match(String(ended.verdict.error), text, `${subject.name} ${name} (${layer})`)
}

/** Checks the good server, which gives its whole answer: it has to be up however busy the machine is. */
async function lengthOf(subject: Subject, to: number): Promise<number> {
  const port = await world.relay({ to, cutAt: null, ending: 'fin', isDripping: false })
  const { verdict } = await checkRobustly(subject.kind, subject.check(port), longMs)
  assert.deepEqual([verdict.status, verdict.error], ['up', null], subject.name)
  return (await world.state()).passedBytes.get(port) ?? assert.fail('Nothing was passed on.')
}

async function passOn(subject: Subject, relay: Relay): Promise<Ended> {
  const port = await world.relay(relay)
  const isOpen = relay.isDripping || relay.ending === 'silence'
  return checkRobustly(subject.kind, subject.check(port), isOpen ? shortMs : longMs)
}

after(() => leftovers.stop())
