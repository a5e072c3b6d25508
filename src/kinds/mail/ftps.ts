import type { DialogueStep } from '#net/tcp/dialogue.ts'
import { defineKind } from '#kinds/kind.ts'
import { type LineProtocol, mailKind } from './mail-dialogue.ts'
import { numericReply } from './numeric-reply.ts'
import { quoted } from '#kinds/readable.ts'

const greeting: DialogueStep = {
  awaited: 'the greeting',
  send: null,
  ...numericReply('FTP', ({ code, firstLine }) =>
    code === 220 ? null : `The server accepts no sessions now: it greets with ${quoted(firstLine)}`,
  ),
}

/** Asked for without looking at FEAT, which servers may keep to those who have logged in. */
const starttls: DialogueStep = {
  awaited: 'the answer to AUTH TLS',
  send: () => 'AUTH TLS',
  ...numericReply('FTP', ({ code, firstLine }) => {
    if (code === 234) return null
    if (code >= 500) return `The server does not offer STARTTLS (AUTH TLS): ${quoted(firstLine)}`
    return `The server refuses STARTTLS (AUTH TLS): ${quoted(firstLine)}`
  }),
  isTlsNext: true,
}

/** What comes first within TLS (RFC 4217 9). Servers that want a login before it refuse it: they answer all the same. */
const protection: DialogueStep = {
  awaited: 'the answer to PBSZ',
  send: () => 'PBSZ 0',
  ...numericReply('FTP', ({ code, firstLine }) =>
    code === 421 ? `The server ends the conversation: ${quoted(firstLine)}` : null,
  ),
}

export const ftpsProtocol: LineProtocol = {
  kind: 'ftps',
  what: 'A file server (FTPS)',
  ports: { tls: 990, starttls: 21 },
  usual: 'starttls',
  steps: { tls: [greeting, protection], starttls: [greeting, starttls, protection] },
  farewell: 'QUIT',
}

/** A file server, over TLS. RFC 959, RFC 4217. */
export const ftps = defineKind(mailKind(ftpsProtocol))
