import type { DialogueStep } from '#net/tcp/dialogue.ts'
import { defineKind } from '#kinds/kind.ts'
import { type LineProtocol, mailKind } from './mail-dialogue.ts'
import { quoted } from '#kinds/readable.ts'

const greeting: DialogueStep = {
  awaited: 'the greeting',
  send: null,
  read: ([line = '']) => {
    if (/^\* (?:OK|PREAUTH)\b/i.test(line)) return 'finished'
    if (isFarewell(line)) return { problem: `The server accepts no sessions now: it greets with ${quoted(line)}` }
    return notImap(line)
  },
}

/** With `PREAUTH` one is logged in already, and may not upgrade any more (RFC 9051 6.2.1). */
const greetingForStarttls: DialogueStep = {
  ...greeting,
  read: (lines) =>
    /^\* PREAUTH\b/i.test(lines[0] ?? '')
      ? { problem: 'The server logs everyone in at once (PREAUTH), so STARTTLS is not possible' }
      : greeting.read(lines),
}

const starttls: DialogueStep = {
  ...command('a2', 'STARTTLS', () => null),
  isTlsNext: true,
}

export const imapProtocol: LineProtocol = {
  kind: 'imap',
  what: 'A mailbox server (IMAP)',
  ports: { tls: 993, starttls: 143 },
  usual: 'tls',
  steps: {
    tls: [greeting, command('a1', 'CAPABILITY', () => null)],
    starttls: [
      greetingForStarttls,
      command('a1', 'CAPABILITY', (lines) => (offersStarttls(lines) ? null : 'The server does not offer STARTTLS')),
      starttls,
      command('a3', 'CAPABILITY', () => null),
    ],
  },
  farewell: 'a4 LOGOUT',
}

/** A mailbox server, over TLS. RFC 9051, RFC 3501, RFC 8314. */
export const imap = defineKind(mailKind(imapProtocol))

/** A command and its answer, which ends with the line that has its tag. `judge` is asked about a success. */
function command(tag: string, name: string, judge: (lines: readonly string[]) => string | null): DialogueStep {
  return {
    awaited: `the answer to ${name}`,
    send: () => `${tag} ${name}`,
    read: (lines) => {
      const line = lines.at(-1) ?? ''
      if (isFarewell(line)) return { problem: `The server ends the conversation: ${quoted(line)}` }
      if (line.startsWith('* ')) return 'unfinished'
      if (!line.startsWith(`${tag} `)) return notImap(line)
      if (!/^\S+ OK\b/i.test(line)) return { problem: `The server refuses ${name}: ${quoted(line)}` }
      const problem = judge(lines)
      return problem === null ? 'finished' : { problem }
    },
  }
}

function offersStarttls(lines: readonly string[]): boolean {
  return lines.some((line) => /^\* CAPABILITY\b.* STARTTLS(?: |$)/i.test(line))
}

function isFarewell(line: string): boolean {
  return /^\* BYE\b/i.test(line)
}

function notImap(line: string): { problem: string } {
  return { problem: `Not an answer of an IMAP server: ${quoted(line)}` }
}
