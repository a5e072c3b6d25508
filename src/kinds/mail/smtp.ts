import type { DialogueStep } from '#net/tcp/dialogue.ts'
import { defineKind } from '#kinds/kind.ts'
import { type LineProtocol, mailKind } from './mail-dialogue.ts'
import { numericReply } from './numeric-reply.ts'
import { quoted } from '#kinds/readable.ts'

const greeting: DialogueStep = {
  awaited: 'the greeting',
  send: null,
  ...numericReply('SMTP', ({ code, firstLine }) =>
    code === 220 ? null : `The server accepts no mail now: it greets with ${quoted(firstLine)}`,
  ),
}

/** RFC 5321 4.1.4: a client without a name of its own says its address. */
function hello(ownAddress: string): string {
  return ownAddress.includes(':') ? `EHLO [IPv6:${ownAddress}]` : `EHLO [${ownAddress}]`
}

const ehlo: DialogueStep = {
  awaited: 'the answer to EHLO',
  send: hello,
  ...numericReply('SMTP', ({ code, firstLine }) =>
    code === 250 ? null : `The server refuses EHLO: ${quoted(firstLine)}`,
  ),
}

const ehloForStarttls: DialogueStep = {
  ...ehlo,
  ...numericReply('SMTP', ({ code, texts, firstLine }) => {
    if (code !== 250) return `The server refuses EHLO: ${quoted(firstLine)}`
    const isOffered = texts.slice(1).some((text) => /^STARTTLS\s*$/i.test(text))
    return isOffered ? null : 'The server does not offer STARTTLS'
  }),
}

const starttls: DialogueStep = {
  awaited: 'the answer to STARTTLS',
  send: () => 'STARTTLS',
  ...numericReply('SMTP', ({ code, firstLine }) =>
    code === 220 ? null : `The server refuses STARTTLS: ${quoted(firstLine)}`,
  ),
  isTlsNext: true,
}

export const smtpProtocol: LineProtocol = {
  kind: 'smtp',
  what: 'A mail server (SMTP)',
  ports: { tls: 465, starttls: 587 },
  usual: 'starttls',
  steps: { tls: [greeting, ehlo], starttls: [greeting, ehloForStarttls, starttls, ehlo] },
  farewell: 'QUIT',
}

/** A mail server that takes mail, over TLS. RFC 5321, 3207, 8314. */
export const smtp = defineKind(mailKind(smtpProtocol))
