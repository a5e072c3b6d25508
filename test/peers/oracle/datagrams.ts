import { encode } from 'dns-packet'
import { ntp } from '#kinds/ntp.ts'
import { udp } from '#kinds/udp.ts'
import { startBind } from '../../support/peers/bind.ts'
import { startChrony } from '../../support/peers/chrony.ts'
import type { SocatPorts } from '../../support/peers/socat.ts'
import { closedUdpPort, udpServer } from '../../support/udp-server.ts'
import { failingSeconds, pluginArguments, silentSeconds, usualSeconds } from './asked.ts'
import { type Case, toCase, type Wish } from './case.ts'

/** The exporter has no prober for datagrams but DNS, so the plugins are the only oracle. */
export async function datagramCases(socat: SocatPorts): Promise<Case[]> {
  const targets = {
    bind: Number((await startBind({ zones: { 'probe.test': '' }, forwards: {} })).split(':')[1]),
    chrony: await startChrony({ isSynchronised: true }),
    chronyOnSix: await startChrony({ isSynchronised: true, address: '::1' }),
    unsynchronised: await startChrony({ isSynchronised: false }),
    ahead: await clock(timeAhead),
    kissing: await clock(kissOfDeath),
    closed: await closedUdpPort(),
  }
  return [...udpCases(targets, socat), ...ntpCases(targets, socat)]
}

type Targets = Record<'bind' | 'chrony' | 'chronyOnSix' | 'unsynchronised' | 'ahead' | 'kissing' | 'closed', number>

type AskedUdp = Omit<Wish, 'url'> & {
  port: number
  host?: string
  payload?: Uint8Array
  text?: string
  seconds?: number
}

function udpCases({ bind, chrony, closed }: Targets, { echo, echoOnSix, daytime, discard }: SocatPorts): Case[] {
  const query = encode({ type: 'query', id: 1, questions: [{ name: 'ns1.probe.test', type: 'A' }] })
  return [
    udpCase('echo (socat)', { port: echo, text: 'ping' }),
    udpCase('echo over IPv6', { port: echoOnSix, host: '::1', text: 'ping' }),
    udpCase('another text than expected (daytime)', {
      port: daytime,
      text: 'pong',
      // Another answer may follow: so long it is waited for, also by a busy machine.
      seconds: 2 * failingSeconds,
      error: /^Text "pong" not found in what the server sent back$/,
    }),
    udpCase('service that says nothing (discard)', {
      port: discard,
      text: 'ping',
      seconds: silentSeconds,
      error: /^Timed out/,
    }),
    udpCase('port that is closed', { port: closed, text: 'ping', error: /^Connection refused by .*nothing listens/ }),
    udpCase('query of DNS in bytes (bind9)', { port: bind, payload: query }),
    udpCase('question of NTP in bytes (chrony)', { port: chrony, payload: ntpQuestion }),
    udpCase('bytes that the service does not answer (chrony)', {
      port: chrony,
      text: 'ping',
      seconds: silentSeconds,
      error: /^Timed out after 1000 ms/,
    }),
  ]
}

/** check_udp can only send text, and wants one back. */
function udpCase(
  name: string,
  { port, host = 'localhost', payload, text, seconds = usualSeconds, ...wish }: AskedUdp,
): Case {
  const sent = payload ?? Buffer.from('ping')
  return toCase(udp, name, {
    ...wish,
    url: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    check: {
      timeoutMs: seconds * 1000,
      options: {
        payload_base64: Buffer.from(sent).toString('base64'),
        ...(text === undefined ? {} : { expected_text: text }),
      },
    },
    ...(text === undefined
      ? {}
      : {
          command: ['check_udp', ...pluginArguments({ host, port, seconds }), '-s', 'ping', '-e', text, '-M', 'crit'],
        }),
  })
}

type AskedNtp = Omit<Wish, 'url'> & { port: number; host?: string; seconds?: number }

function ntpCases(targets: Targets, { discard }: SocatPorts): Case[] {
  const { bind, chrony, chronyOnSix, unsynchronised, ahead, kissing, closed } = targets
  return [
    ntpCase('synchronised (chrony)', { port: chrony }),
    ntpCase('synchronised, over IPv6', { port: chronyOnSix, host: '::1' }),
    ntpCase('not synchronised (chrony)', {
      port: unsynchronised,
      error: /its clock is not synchronised \(stratum 0\)$/,
    }),
    ntpCase('clock that is 5 s fast', { port: ahead, error: /is [45]\d{3} ms fast, more than 1000 ms$/ }),
    ntpCase('told to ask less often (kiss code RATE)', { port: kissing, error: /it is asked too often \(RATE\)$/ }),
    ntpCase('another protocol (bind9)', { port: bind, seconds: failingSeconds, error: /not as a time server does$/ }),
    ntpCase('silent server (discard)', { port: discard, seconds: silentSeconds, error: /^Timed out after 1000 ms/ }),
    ntpCase('port that is closed', { port: closed, error: /^Connection refused by .*nothing listens/ }),
  ]
}

function ntpCase(name: string, { port, host = 'localhost', seconds = usualSeconds, ...wish }: AskedNtp): Case {
  return toCase(ntp, name, {
    ...wish,
    url: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    check: { timeoutMs: seconds * 1000, options: { max_offset_ms: 1000 } },
    command: ['check_ntp_time', ...pluginArguments({ host, port, seconds }), '-w', '1', '-c', '1'],
  })
}

/** Version 4, client. */
const ntpQuestion = Buffer.alloc(48)
ntpQuestion[0] = (4 << 3) | 3

/** From 1900 to 1970. */
const epochSeconds = 2_208_988_800

async function clock(answer: (question: Buffer) => Buffer): Promise<number> {
  const { port } = await udpServer((question, send) => send(answer(question)))
  return port
}

/** A synchronised server of stratum 2 whose clock is 5 s ahead. */
function timeAhead(question: Buffer): Buffer {
  const reply = replyTo(question, 2)
  reply.write('LOCL', 12, 'latin1')
  const seconds = Date.now() / 1000 + 5 + epochSeconds
  for (const offset of [16, 32, 40]) {
    reply.writeUInt32BE(Math.floor(seconds), offset)
    reply.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), offset + 4)
  }
  return reply
}

/** RFC 5905 7.4. */
function kissOfDeath(question: Buffer): Buffer {
  const reply = replyTo(question, 0)
  reply.write('RATE', 12, 'latin1')
  return reply
}

/** The question's time stands where the client looks for it. */
function replyTo(question: Buffer, stratum: number): Buffer {
  const reply = Buffer.alloc(48)
  reply[0] = (4 << 3) | 4
  reply[1] = stratum
  question.copy(reply, 24, 40, 48)
  return reply
}
