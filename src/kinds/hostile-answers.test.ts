// What targets answer is read by threads that all checks of a location share. Each kind is given the largest hostile
// answers that its limits let through, and may take 50 ms of CPU for each. A new kind without its row does not compile.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { KindName } from '#core/monitors/kind-traits.ts'
import { parseBoundedJson } from '#core/language/bounded-json.ts'
import { followPath } from '#core/language/json-path.ts'
import { readAdvertisement, readRefList } from '#net/git/git-advertisement.ts'
import { maxListBytes, maxListed } from '#net/git/git-answers.ts'
import { hasMorePackets, writePacket } from '#net/git/git-packets.ts'
import { readFpingLine } from '#net/ping/icmp-fping.ts'
import type { DialogueStep } from '#net/tcp/dialogue.ts'
import { createLineReader } from '#net/tcp/line-reader.ts'
import { certificateNames } from '#net/tls/certificate.ts'
import { assertQuick, filled, hostileJson } from '../../test/support/quick.ts'
import { parseFeed, maxFeedLength } from './cloud/news-feed.ts'
import { reportOfFeed } from './cloud/feed-report.ts'
import { readQueue, readReason, readStart, readTexts, readTune } from './broker/amqp-methods.ts'
import { readCodes, readPublication } from './broker/mqtt-packets.ts'
import { firstText, readGreeting, readMysqlError } from './database/mysql-packets.ts'
import { firstColumn, readFields } from './database/postgresql-messages.ts'
import { readRedisAnswer, readRedisInfo } from './database/resp.ts'
import { readEntry, readMessage, readResult } from './ldap/ldap-messages.ts'
import { readJsonReport } from './cloud/cloud-report.ts'
import { ber, berTags } from './ber.ts'
import { openKey } from './dnssec/algorithms.ts'
import { hasType } from './dnssec/denial.ts'
import { askedOf } from '#net/browser/guarded-way.ts'
import { findRecords } from './dns/dns-records.ts'
import { hasAnswer, joinStrings } from './dns/dns-answer.ts'
import { maxBootstrapBytes, maxRdapBytes } from './domain/rdap-source.ts'
import { parseRdapDomain, parseRdapServers } from './domain/rdap.ts'
import { readWhois, whoisReferral } from './domain/whois-text.ts'
import { parseDkim } from './email-auth/dkim.ts'
import { parseDmarc } from './email-auth/dmarc.ts'
import { parseSpf } from './email-auth/spf-record.ts'
import { isBedrockReply, readBedrockReply } from './game/game-bedrock.ts'
import { maxReplyBytes, readJavaReply } from './game/game-java.ts'
import { ftpsProtocol } from './mail/ftps.ts'
import { imapProtocol } from './mail/imap.ts'
import type { LineProtocol } from './mail/mail-dialogue.ts'
import { popProtocol } from './mail/pop.ts'
import { smtpProtocol } from './mail/smtp.ts'
import { isNtpReply, readNtpReply } from './ntp-packet.ts'
import { readable } from './readable.ts'
import { readMppOffers } from './paid/mpp-offers.ts'
import { readX402Offers } from './paid/x402-offers.ts'
import { readObjectId } from './snmp/object-id.ts'
import { readCommunityMessage, readPdu, readValue } from './snmp/snmp-message.ts'
import { readUserMessage } from './snmp/usm.ts'
import { readGrpcStatus, readHealthResponse } from './grpc/grpc-messages.ts'
import { identification } from './ssh.ts'
import { maxAnswerBytes, parseServiceJson } from './web/outside-service.ts'
import { readClosing, readExtendedLength, readFrameHead } from './websocket/websocket-frames.ts'
import { openingProblem, readOpeningAnswer } from './websocket/websocket-handshake.ts'

type Case = readonly [what: string, work: () => unknown]

const mib = 1024 * 1024
/** The longest answer of a dialogue, of a banner, of WHOIS and of DNS. */
const shortBytes = 65_536
/** hostile-inputs.test.ts has the searches for keywords and charsets, and what stands at the end of a JSON path. */
const web = (): Case[] =>
  hostileJson(2 * mib).map(([what, text]) => [
    `JSON of ${what}`,
    () => {
      const read = parseBoundedJson(new TextDecoder().decode(Buffer.from(text)))
      return read.type === 'value' && followPath(read.value, 'a.a.a')
    },
  ])
const service = (): Case[] =>
  hostileJson(maxAnswerBytes).map(([what, text]) => [`JSON of ${what}`, () => parseServiceJson(text)])
const none = (): Case[] => []

const cases: Readonly<Record<KindName, () => Case[]>> = {
  http: web,
  api: web,
  transaction: web,
  micro_transaction: web,
  extended_transaction: web,
  tcp: banners,
  udp: banners,
  ssh: () => dialogues([identification], ['SSH', '220', 'x']),
  smtp: () => mail(smtpProtocol, ['220-a', '250-a', '250-STARTTLS', '220']),
  imap: () => mail(imapProtocol, ['* OK', '* CAPABILITY STARTTLS', '* CAPABILITY', 'a1 OK']),
  pop: () => mail(popProtocol, ['+OK', 'STLS', '.', 'x']),
  ftps: () => mail(ftpsProtocol, ['220-a', '234-a', 'x']),
  ntp: () => bytes((reply) => isNtpReply(reply, Buffer.alloc(48)) && readNtpReply(reply, 0)),
  ping: () => texts((text) => readFpingLine(text)),
  game_server: game,
  ssl: () => texts((text) => certificateNames(`DNS:${text}`)),
  dns: () => [
    ...texts((text) => hasAnswer('TXT', [text, joinStrings(text)], text)),
    ...texts((text) => hasAnswer('MX', [text], text)),
    ['aliases in a circle', () => findRecords(circle(), 'a0.example', 'A')],
    ...bytes((reply) => hasType(Buffer.from(reply), 65_535)),
    ...bytes((reply) => openKey(8, Buffer.concat([Buffer.from([3, 1, 0, 1]), reply]))),
  ],
  email_auth: () => [
    ...texts((text) => parseDmarc(`v=DMARC1;${text}`, true)),
    ...texts((text) => parseDkim(`v=DKIM1;${text}`)),
    ...texts((text) => parseDkim(`v=DKIM1;p=${text}`)),
    ...texts((text) => parseSpf(`v=spf1 ${text}`)),
  ],
  blacklist: () => texts((text) => readable(text)),
  domain: () => [
    ...hostileJson(maxRdapBytes).map(([what, text]): Case => [`RDAP of ${what}`, () => parseRdapDomain(text)]),
    ...rdapMembers(),
    ...hostileJson(maxBootstrapBytes).map(([what, text]): Case => [`servers of ${what}`, () => parseRdapServers(text)]),
    [
      'a list of servers',
      () => parseRdapServers(`{"services":[${filled('[["a"],["https://a"]],', maxBootstrapBytes)}[[],[]]]}`),
    ],
    ...texts((text) => readWhois(text, 'example.test')),
    ...texts((text) => whoisReferral(text)),
    ...whoisLines().map((line): Case => [
      `WHOIS of ${line.slice(0, 20)}`,
      () => readWhois(filled(`${line}\n`, shortBytes), 'example.test'),
    ]),
  ],
  cloud_status: cloud,
  paid_endpoint: offers,
  // What the box says is read by a schema (src/net/browser/page-words.ts); what leaves it is only carried.
  browser: () => texts((text) => askedOf(Buffer.from(`${text}\r\n\r\n`), text.length + 4)),
  page_speed: service,
  malware: service,
  repository: git,
  mqtt: () =>
    bytes((reply) => [
      readPublication('5', 2, Buffer.from(reply)),
      readPublication('3.1.1', 0, Buffer.from(reply)),
      readCodes('5', Buffer.from(reply)),
    ]),
  rabbitmq: () =>
    bytes((reply) => [
      readStart(Buffer.from(reply)),
      readTexts(Buffer.from(reply)),
      readTune(Buffer.from(reply)),
      readReason(Buffer.from(reply)),
      readQueue(Buffer.from(reply)),
    ]),
  mysql: () => [
    ...bytes((reply) => readGreeting(Buffer.from([10, ...reply.subarray(0, 1000)]))),
    ...bytes((reply) => [
      readGreeting(Buffer.from(reply)),
      readMysqlError(Buffer.from(reply)),
      firstText(Buffer.from(reply)),
    ]),
  ],
  postgresql: () =>
    [...bytes((reply) => readFields(Buffer.from(reply))), ...bytes((reply) => firstColumn(Buffer.from(reply)))].concat(
      texts((text) => readFields(Buffer.from(filled(`M${text}\0`, 4 * shortBytes)))),
    ),
  ldap: () =>
    bytes((reply) => {
      const content = Buffer.concat([reply, reply, reply, reply])
      return [readMessage(content), readResult({ tag: 0, content }), readEntry({ tag: 0, content })]
    }).concat(values()),
  snmp: () =>
    bytes((reply) => {
      const content = Buffer.from(reply)
      return [
        readCommunityMessage(content),
        readUserMessage(content),
        readObjectId(content),
        ...[0x02, 0x04, 0x06, 0x40, 0xa2].map((tag) => [readPdu({ tag, content }), readValue({ tag, content })]),
      ]
    }),
  redis: () =>
    texts((text) => readRedisAnswer(text)).concat(texts((text) => readRedisInfo(filled(text, 4 * shortBytes)))),
  grpc: () =>
    bytes((reply) => readHealthResponse(message(reply))).concat(
      texts((text) => readGrpcStatus({ 'grpc-status': text, 'grpc-message': text }, {})),
      texts((text) => readGrpcStatus({}, { 'grpc-status': '2', 'grpc-message': text })),
    ),
  websocket: () => [
    ...texts((text) => opened(['HTTP/1.1 101 a', text.replaceAll('\n', ' ')])),
    ...texts((text) => opened(['HTTP/1.1 101 a', `connection: ${text}`, 'upgrade: websocket'])),
    ...texts((text) => opened([text])),
    ...bytes((reply) => [
      readFrameHead(Buffer.from(reply)),
      readExtendedLength(Buffer.from(reply.subarray(0, 8))),
      readClosing(Buffer.from(reply.subarray(0, 125))),
    ]),
  ],
  // What is sent to these is read by the API.
  group: none,
  heartbeat: none,
  webhook: none,
  push_metric: none,
}

describe('the answers of a target', () => {
  // Kinds that read the same with the same code are one case: JSON of websites alone would be read five times.
  const readers = Map.groupBy(Object.entries(cases), ([, of]) => of)
  for (const [of, kinds] of readers)
    it(`of ${kinds.map(([kind]) => kind).join(', ')} are read in time, whatever they are`, () => {
      for (const [what, work] of of()) assertQuick(what, () => quietly(work))
    })
})

/** Parsers throw errors of their own for what they cannot read. */
function quietly(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof Error && error.message !== '')
  }
}

/** With the prefix of gRPC. */
function message(content: Uint8Array): Buffer {
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(content.length, 1)
  return Buffer.concat([prefix, content])
}

function opened(lines: readonly string[]): unknown {
  const answer = readOpeningAnswer(lines)
  return answer === null ? null : openingProblem(answer, { key: 'a', subprotocol: undefined })
}

function hostileTexts(): string[] {
  const pieces =
    'a,\n,a\n, ,:,;,[,(,",\\,\\",=,a=b;,a=,a ,1 ,.,-,/,+,%,%{i},\u0000,é,§a,$,<,>,domain ,expires: ,ip4:1.1.1.1 ,include:a ,DNS:a,'
  return pieces
    .split(',')
    .flatMap((piece) => (piece === '' ? [','] : [filled(piece, shortBytes / Buffer.byteLength(piece))]))
}

function texts(work: (text: string) => unknown): Case[] {
  return hostileTexts().map((text) => [`text of ${JSON.stringify(text.slice(0, 4))}`, () => work(text)])
}

function bytes(work: (reply: Uint8Array) => unknown): Case[] {
  return [0, 1, 0x20, 0x3b, 0x7f, 0xff].map((byte) => [
    `bytes of ${byte}`,
    () => work(Buffer.alloc(shortBytes - 1, byte)),
  ])
}

/** Entries of a directory with as many attributes, or values, as an answer holds. */
function values(): Case[] {
  const [nothing, letter] = [ber(berTags.octets), ber(berTags.octets, 'b')]
  const attribute = ber(berTags.sequence, nothing, ber(berTags.set))
  const list = (value: Buffer): Buffer => ber(berTags.sequence, nothing, ber(berTags.set, filledBytes(value, 255_000)))
  return [filledBytes(attribute, 60_000), list(nothing), list(letter)].map((attributes): Case => {
    const content = Buffer.concat([nothing, ber(berTags.sequence, attributes)])
    const work = (): unknown => readEntry({ tag: 0, content }, Buffer.from('a'))
    return [`an entry of ${attributes.length} bytes`, work]
  })
}

function filledBytes(piece: Buffer, length: number): Buffer {
  return Buffer.alloc(length - (length % piece.length), piece)
}

function banners(): Case[] {
  return [...texts((text) => readable(text)), ...bytes((reply) => readable(Buffer.from(reply).toString('utf8')))]
}

function mail({ steps }: LineProtocol, lines: readonly string[]): Case[] {
  return dialogues([...steps.tls, ...steps.starttls], lines)
}

/** After each line of an answer a step is asked whether that was the last. */
function dialogues(steps: readonly DialogueStep[], firstLines: readonly string[]): Case[] {
  return steps.flatMap((step) =>
    firstLines.flatMap((first) =>
      ['', ' ', 'a', '* ', '220-', first, 'x'.repeat(1000)].map((line): Case => [
        `${step.awaited}: ${first} and ${line.slice(0, 5)}`,
        () => {
          const lines: string[] = []
          const { feed } = createLineReader()
          for (const next of feed(Buffer.from(`${first}\n${filled(`${line}\n`, shortBytes)}`))) {
            lines.push(next)
            if (step.read(lines) !== 'unfinished') break
          }
        },
      ]),
    ),
  )
}

function game(): Case[] {
  const java = hostileJson(maxReplyBytes - 16).map(([what, text]): Case => {
    const reply = javaReply(Buffer.from(text))
    return [`Java's JSON of ${what}`, () => readJavaReply(reply)]
  })
  const description = javaReply(Buffer.from(`{"description":{"extra":[${filled('{"extra":[]},', mib - 200)}{}]}}`))
  return [
    ...java,
    ["Java's description", () => readJavaReply(description)],
    ...bytes((reply) => isBedrockReply(reply, Buffer.alloc(33)) && readBedrockReply(reply)),
    ...bytes((reply) => readBedrockReply(reply)),
  ]
}

function javaReply(json: Buffer): Buffer {
  const length = varInt(json.length)
  return Buffer.concat([varInt(1 + length.length + json.length), Buffer.from([0]), length, json])
}

function varInt(value: number): Buffer {
  const parts: number[] = []
  let rest = value
  for (; rest > 0x7f; rest >>>= 7) parts.push((rest & 0x7f) | 0x80)
  return Buffer.from([...parts, rest])
}

/** Each name is an alias of the next one. */
function circle(): Parameters<typeof findRecords>[0] {
  const answers = Array.from({ length: 2500 }, (_, index) => ({
    type: 'CNAME' as const,
    name: `a${index}.example`,
    ttlSeconds: 1,
    target: `a${(index + 1) % 2500}.example`,
  }))
  return { rcode: 'NOERROR', isAuthoritative: true, answers, authorities: [], additionals: [], isTcp: true }
}

function rdapMembers(): Case[] {
  const members = [
    '"events":[',
    '{"eventAction":"expiration","eventDate":"2027"}',
    '"status":[',
    '"a b"',
    '"entities":[',
    '{"roles":["registrar"],"vcardArray":["vcard",[]]}',
  ]
  return [0, 2, 4].map((at) => [
    `RDAP of ${members[at]}`,
    () =>
      parseRdapDomain(
        `{"objectClassName":"domain",${members[at]}${filled(`${members[at + 1]},`, maxRdapBytes - 200)}${members[at + 1]}]}`,
      ),
  ])
}

function whoisLines(): string[] {
  return [
    'expires: 1 jan',
    'expires: x',
    `${'('.repeat(79)}:`,
    'status: a b c',
    `[${'a'.repeat(50)}] b`,
    'domain: a',
    'registrar:',
    'a-'.repeat(100),
    `a. [${'['.repeat(200)}`,
    'not found',
    `domain ${'a'.repeat(250)}`,
  ]
}

function cloud(): Case[] {
  const size = 4 * mib
  const reports = hostileJson(size - 60).flatMap(([what, text]): Case[] => [
    [`JSON of ${what}`, () => readJsonReport(parseServiceJson(text), 0)],
    [
      `components of ${what}`,
      () => readJsonReport(parseServiceJson(`{"status":{"indicator":"x"},"components":${text}}`), 0),
    ],
  ])
  const pieces =
    '<a>|<item><a/></item>|x<b/>|<a b="c" |&amp;|<!--|<|<a d="">|<item>|<category/>|<title/>|=|<![CDATA[|<entry><title>a</title></entry>'
  const feeds = pieces
    .split('|')
    .flatMap((piece): Case[] =>
      [maxFeedLength, 16_000 * (piece.length / (piece.match(/[<=]/g)?.length ?? 1)) - 200].map((length) => [
        `a feed of ${piece}`,
        () =>
          reportOfFeed(
            parseFeed(`<rss><channel>${filled(piece, Math.min(length, maxFeedLength) - 60)}</channel></rss>`),
            0,
          ),
      ]),
    )
  return [...reports, ...feeds]
}

/** An answer has at most 64 KiB of headers. */
function offers(): Case[] {
  const json = hostileJson(shortBytes * 0.75 - 60)
  const entries = json.flatMap(([what, text]): Case[] =>
    [text, `{"x402Version":2,"accepts":${text}}`, `{"x402Version":2,"accepts":[${text}]}`].map((each) => [
      `offers of ${what}`,
      () => readX402Offers(Buffer.from(each).toString('base64')),
    ]),
  )
  const requests = json.map(([what, text]): Case => {
    const request = Buffer.from(text).toString('base64url')
    const rest = 'id="a",realm="b",method="c",intent="charge",expires="2026-11-28T00:00:00Z"'
    return [`a challenge with ${what}`, () => readMppOffers(`Payment ${rest},request="${request}"`)]
  })
  const pieces = ['Payment ', 'Payment,', 'Payment a=b,', 'a="', 'a="\\', '"', '=', 'a \t', 'a=b,', 'Payment intent=x,']
  const challenges = pieces.flatMap((piece): Case[] =>
    [piece, `Payment ${piece}`].map((first) => [
      `challenges of ${piece}`,
      () => readMppOffers(first + filled(piece, shortBytes)),
    ]),
  )
  return [
    ...texts((text) => readX402Offers(text)),
    ...texts((text) => readMppOffers(text)),
    ...entries,
    ...requests,
    ...challenges,
  ]
}

function ref(name: string | number): string {
  return writePacket(`${'a'.repeat(40)} refs/heads/${name}`)
}

function git(): Case[] {
  const long = 60_000
  const refs = Array.from({ length: maxListed - 1 }, (_, index) => ref(index)).join('')
  const answers: [what: string, answer: string][] = [
    ['as many names as are read', refs],
    ['markers', filled('0000', maxListed * 4)],
    ['more markers', filled('0000', maxListBytes)],
    ['spaces', filled(ref(`x${' '.repeat(long)}`), maxListBytes)],
    ['capabilities', writePacket('version 2') + filled(writePacket('='.repeat(long)), maxListBytes - 100)],
    ['old capabilities', filled(ref(`x\0${' '.repeat(long)}`), maxListBytes)],
    ['long names', filled(ref('x'.repeat(long)), maxListBytes)],
    ['no packets', filled('zzzz', maxListBytes)],
  ]
  return answers.flatMap(([what, answer]) =>
    [readAdvertisement, readRefList].map((read): Case => {
      const sent = Buffer.from(answer.concat('0000'))
      return [`git's list of ${what}`, () => hasMorePackets(sent, maxListed) || read(sent)]
    }),
  )
}
