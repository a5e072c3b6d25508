import type { AnyKind } from '#kinds/kind.ts'
import type { Dialogue } from './broken-behaviours.ts'
import type { Certificate } from './certificates.ts'
import { goodStatus, javaServer, statusPacket } from './game-server.ts'
import { lineServer } from './line-server.ts'
import { rawServer } from './raw-server.ts'
import { filler, kindOf, type Subject } from './robust-check.ts'

type Protocol = { name: string; kind: AnyKind; dialogue: Dialogue }

const words = Array.from({ length: 20 }, (_, index) => `X-CAPABILITY-${index}`)

const protocols: readonly Protocol[] = [
  {
    name: 'smtp',
    kind: kindOf('smtp'),
    dialogue: {
      greeting: '220 mx.example ESMTP\r\n',
      answers: [
        ['EHLO', `${words.map((word) => `250-${word}\r\n`).join('')}250 STARTTLS\r\n`],
        ['STARTTLS', '220 Go ahead\r\n'],
      ],
      upgradesOn: 'STARTTLS',
    },
  },
  {
    name: 'imap',
    kind: kindOf('imap'),
    dialogue: {
      greeting: '* OK imap.example ready\r\n',
      answers: [
        ['a1 CAPABILITY', `* CAPABILITY IMAP4rev1 STARTTLS ${words.join(' ')}\r\na1 OK done\r\n`],
        ['a3 CAPABILITY', `* CAPABILITY IMAP4rev1 ${words.join(' ')}\r\na3 OK done\r\n`],
        ['a2 STARTTLS', 'a2 OK begin TLS\r\n'],
      ],
      upgradesOn: 'a2 STARTTLS',
    },
  },
  {
    name: 'pop',
    kind: kindOf('pop'),
    dialogue: {
      greeting: '+OK pop.example ready\r\n',
      answers: [
        ['CAPA', `+OK these\r\nSTLS\r\n${words.join('\r\n')}\r\n.\r\n`],
        ['STLS', '+OK begin TLS\r\n'],
      ],
      upgradesOn: 'STLS',
    },
  },
  {
    name: 'ftps',
    kind: kindOf('ftps'),
    dialogue: {
      greeting: `${words.map((word) => `220-${word}\r\n`).join('')}220 ftp.example ready\r\n`,
      answers: [
        ['AUTH TLS', '234 Go ahead\r\n'],
        ['PBSZ', '200 PBSZ=0\r\n'],
      ],
      upgradesOn: 'AUTH TLS',
    },
  },
]

/** Mail and file servers, each by TLS from the start and by an upgrade. */
export function lineSubjects(certificate: Certificate): Subject[] {
  return protocols.flatMap((protocol) =>
    (['tls', 'starttls'] as const).map((security) => lineSubject(protocol, security, certificate)),
  )
}

/** The server does not answer the farewell, so the check needs all that the server sends. */
function lineSubject(
  { name, kind, dialogue }: Protocol,
  security: 'tls' | 'starttls',
  certificate: Certificate,
): Subject {
  const { greeting, answers, upgradesOn } = dialogue
  const answer = (line: string): string | null => answers.find(([beginning]) => line.startsWith(beginning))?.[1] ?? null
  const wish = { greeting, answer, certificate, upgrades: new RegExp(`^${upgradesOn}`), isTls: security === 'tls' }
  return {
    name: `${name} by ${security}`,
    kind,
    layer: security,
    check: (port) => ({ url: `127.0.0.1:${port}`, options: { security } }),
    good: async () => (await lineServer(wish)).port,
    broken: 'down',
    ...(security === 'starttls' ? { dialogue } : {}),
    isAsked: false,
    needs: 0.9,
  }
}

const plain = { layer: 'plain', broken: 'down', isAsked: false, needs: 0.95 } as const

export function otherSubjects(certificate: Certificate): Subject[] {
  return [
    {
      ...plain,
      name: 'tcp',
      kind: kindOf('tcp'),
      check: (port) => ({ url: `127.0.0.1:${port}`, options: { expected_text: 'the end' } }),
      good: async () => (await rawServer((socket) => void socket.write(`${filler}the end`))).port,
    },
    {
      ...plain,
      name: 'ssh',
      kind: kindOf('ssh'),
      check: (port) => ({ url: `127.0.0.1:${port}` }),
      good: async () => (await rawServer((socket) => void socket.write('Welcome\r\nSSH-2.0-OpenSSH_9.9\r\n'))).port,
    },
    {
      ...plain,
      name: 'game_server, java',
      kind: kindOf('game_server'),
      check: (port) => ({ url: `127.0.0.1:${port}` }),
      good: async () => {
        const packet = statusPacket(JSON.stringify({ ...goodStatus, favicon: filler }))
        return (await javaServer((socket) => void socket.write(packet))).port
      },
      isAsked: true,
    },
    {
      ...plain,
      name: 'ssl',
      kind: kindOf('ssl'),
      layer: 'tls',
      check: (port) => ({ url: `127.0.0.1:${port}` }),
      good: async () => (await lineServer({ greeting: null, answer: () => null, certificate, isTls: true })).port,
      // Tickets follow the handshake, and the check does not wait for them.
      needs: 0.5,
    },
  ]
}
