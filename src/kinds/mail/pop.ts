import type { DialogueStep } from '#net/tcp/dialogue.ts'
import { defineKind } from '#kinds/kind.ts'
import { type LineProtocol, mailKind } from './mail-dialogue.ts'
import { quoted } from '#kinds/readable.ts'

const greeting: DialogueStep = {
  awaited: 'the greeting',
  send: null,
  read: ([line = '']) =>
    isOk(line) ? 'finished' : refusal(line, 'The server accepts no sessions now: it greets with'),
}

/** A server need not know CAPA (RFC 2449): then STLS itself shows whether there is any. */
const capabilities: DialogueStep = {
  awaited: 'the answer to CAPA',
  send: () => 'CAPA',
  read: (lines) => {
    const [first = ''] = lines
    if (isError(first)) return 'finished'
    if (!isOk(first)) return notPop(first)
    return lines.length > 1 && lines.at(-1) === '.' ? 'finished' : 'unfinished'
  },
}

const capabilitiesForStarttls: DialogueStep = {
  ...capabilities,
  read: (lines) => {
    const reading = capabilities.read(lines)
    if (reading !== 'finished' || isError(lines[0] ?? '')) return reading
    const isOffered = lines.some((line) => /^STLS\s*$/i.test(line))
    return isOffered ? reading : { problem: 'The server does not offer STARTTLS (STLS)' }
  },
}

const starttls: DialogueStep = {
  awaited: 'the answer to STLS',
  send: () => 'STLS',
  read: ([line = '']) => (isOk(line) ? 'finished' : refusal(line, 'The server refuses STARTTLS (STLS):')),
  isTlsNext: true,
}

export const popProtocol: LineProtocol = {
  kind: 'pop',
  what: 'A mailbox server (POP3)',
  ports: { tls: 995, starttls: 110 },
  usual: 'tls',
  steps: { tls: [greeting, capabilities], starttls: [greeting, capabilitiesForStarttls, starttls, capabilities] },
  farewell: 'QUIT',
}

/** A mailbox server of the older kind, over TLS. RFC 1939, 2449, 2595, 8314. */
export const pop = defineKind(mailKind(popProtocol))

function isOk(line: string): boolean {
  return /^\+OK(?: |$)/.test(line)
}

function isError(line: string): boolean {
  return /^-ERR(?: |$)/.test(line)
}

function refusal(line: string, words: string): { problem: string } {
  return isError(line) ? { problem: `${words} ${quoted(line)}` } : notPop(line)
}

function notPop(line: string): { problem: string } {
  return { problem: `Not an answer of a POP3 server: ${quoted(line)}` }
}
