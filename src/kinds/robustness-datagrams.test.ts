// The cases of robustness.test.ts for every kind that reads datagrams, name servers over TCP included.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, it } from 'node:test'
import type { TcpBehaviour, UdpBehaviour } from '../../test/support/broken-behaviours.ts'
import { openBrokenWorld } from '../../test/support/broken-world.ts'
import { chainPem, makeCertificate } from '../../test/support/certificates.ts'
import { watchLeftovers } from '../../test/support/leftovers.ts'
import { assertEnded, checkRobustly, kindOf } from '../../test/support/robust-check.ts'
import { type DatagramSubject, datagramSubjects, nameSubjects } from '../../test/support/robust-datagrams.ts'

const timeoutMs = 500
/** For what has to be up, however busy the machine is. */
const amplyMs = 20_000
/** The rest of a flood may push a datagram out of a buffer, and a lost datagram is not sent again. */
const tries = 4
const subjects = [...nameSubjects, ...datagramSubjects]

const certificate = makeCertificate({ name: 'localhost' })
const leftovers = watchLeftovers()
const world = await openBrokenWorld({ chainPem: chainPem(certificate), keyPem: certificate.keyPem })

type Case = { name: string; behaviour: (subject: DatagramSubject) => UdpBehaviour; text: RegExp }

const cases: readonly Case[] = [
  { name: 'keeps silent', behaviour: () => ({ answer: [], ending: 'silence' }), text: /timed out/i },
  { name: 'sends an empty datagram', behaviour: () => say(Buffer.alloc(0)), text: /./ },
  { name: 'sends a random datagram', behaviour: () => say(randomBytes(300)), text: /./ },
  { name: 'sends an oversized datagram', behaviour: () => say(randomBytes(65_000)), text: /./ },
  { name: 'floods with random datagrams', behaviour: () => ({ answer: [], ending: 'random' }), text: /./ },
  { name: 'begins well', behaviour: ({ answerBeginning }) => say(...answerBeginning), text: /./ },
  {
    name: 'begins well and goes on at random',
    behaviour: ({ answerBeginning }) => say(...answerBeginning, randomBytes(400)),
    text: /./,
  },
  {
    name: 'begins well and goes on for 60 KB',
    behaviour: ({ answerBeginning }) => say(...answerBeginning, Buffer.alloc(60_000, 0xff)),
    text: /./,
  },
  {
    name: 'floods with what begins well',
    behaviour: ({ answerBeginning }) => ({ answer: [...answerBeginning, randomBytes(50)], ending: 'endless' }),
    text: /./,
  },
]

function say(...answer: UdpBehaviour['answer']): UdpBehaviour {
  return { answer, ending: 'silence' }
}

describe('a check of a server of datagrams that misbehaves', { concurrency: 2 }, () => {
  for (const subject of subjects)
    it(`${subject.name} ends in time with a clear text`, async () => {
      for (const { name, behaviour, text } of cases) {
        const port = await world.udp(behaviour(subject))
        const ended = await checkRobustly(subject.kind, subject.check(port), timeoutMs)
        // A client may read the random bytes after a question as records, or as the status of a game.
        const isReadable = name.startsWith('begins well') || name === 'floods with what begins well'
        assertEnded(ended, `${subject.name} ${name}`, isReadable ? ['up', 'down', 'degraded'] : [subject.broken])
        if (ended.verdict.error !== null) assert.match(ended.verdict.error, text, `${subject.name} ${name}`)
      }
    })
})

/** The header of an answer that is too long for UDP, with its question. */
const tooLong: UdpBehaviour = {
  answer: [{ from: 0, to: 2 }, Buffer.from([0x83, 0x80]), { from: 4, to: null }],
  ending: 'silence',
}

describe('a check of a name server that misbehaves over TCP', { concurrency: 2 }, () => {
  const usual = { layer: 'plain', isAsked: true, say: new Uint8Array(0), fill: new Uint8Array(0) } as const
  const streams: readonly (TcpBehaviour & { name: string })[] = [
    { ...usual, name: 'keeps silent', ending: 'silence' },
    { ...usual, name: 'closes', ending: 'fin' },
    { ...usual, name: 'resets', ending: 'rst' },
    { ...usual, name: 'sends random bytes', ending: 'random' },
    { ...usual, name: 'sends zeros without end', ending: 'endless', fill: Buffer.alloc(1) },
    { ...usual, name: 'sends the longest frame without end', ending: 'endless', fill: Buffer.alloc(1, 0xff) },
    { ...usual, name: 'drips', ending: 'drip', fill: Buffer.alloc(1, 0x20) },
    { ...usual, name: 'ends in the middle of a frame', say: Buffer.from([1, 0, 5, 5, 5]), ending: 'fin' },
  ]
  for (const subject of nameSubjects)
    it(`${subject.name} ends in time with a clear text`, async () => {
      await Promise.all(
        streams.map(async ({ name, ...tcp }) => {
          const port = await world.dns({ udp: tooLong, tcp })
          const ended = await checkRobustly(subject.kind, subject.check(port), timeoutMs)
          assertEnded(ended, `${subject.name} ${name}`, [subject.broken])
        }),
      )
    })
})

describe('a check whose target cannot be looked up', () => {
  it('ends in time with a clear text, whatever the name server sends', async () => {
    for (const { name, behaviour } of cases) {
      const subject = nameSubjects[0] ?? assert.fail('No subject.')
      const port = await world.udp(behaviour(subject))
      const dnsServers = [`127.0.0.1:${port}`]
      const [byHttp, byGame, byPing] = await Promise.all([
        checkRobustly(kindOf('http'), { url: 'http://example.com/', dnsServers }, timeoutMs),
        checkRobustly(kindOf('game_server'), { url: 'example.com', dnsServers }, timeoutMs),
        checkRobustly(kindOf('ping'), { url: 'example.com', dnsServers }, timeoutMs),
      ])
      for (const ended of [byHttp, byGame, byPing]) {
        assertEnded(ended, name, ['down'])
        assert.match(String(ended.verdict.error), /name/, name)
      }
    }
  })
})

describe('a check of a good server of datagrams', () => {
  it('left nothing behind before', async () => {
    await leftovers.assertNone(world)
  })

  for (const subject of subjects)
    it(`${subject.name} is up, and never when its datagrams are cut`, async () => {
      const to = await subject.good()
      const { verdict } = await checkRobustly(subject.kind, subject.check(to), amplyMs)
      assert.deepEqual([verdict.status, verdict.error], ['up', null])
      for (const cutAt of [0, 1, 2, 11, 12, 15, 20, 25]) {
        const port = await world.udpRelay({ to, cutAt })
        const isWhole = subject.name === 'udp' && cutAt >= 'Yes, all is well'.length
        const check = (): ReturnType<typeof checkRobustly> =>
          checkRobustly(subject.kind, subject.check(port), isWhole ? amplyMs / tries : timeoutMs)
        let ended = await check()
        for (let made = 1; ended.verdict.status !== 'up' && made < (isWhole ? tries : 1); made += 1)
          ended = await check()
        assertEnded(ended, `${subject.name}, cut at ${cutAt}`, isWhole ? ['up'] : [subject.broken])
      }
    })
})

after(() => leftovers.stop())
