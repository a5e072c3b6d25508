import { z } from 'zod'
import type { Verdict } from '#core/results/result.ts'
import { text } from '#core/language/text.ts'
import type { DialogueOutcome, DialogueStep } from '#net/tcp/dialogue.ts'
import { hostTarget, hostTargetProblem } from './host-target.ts'
import { type Check, defineKind } from './kind.ts'
import { quoted, readable } from './readable.ts'

const usualPort = 22
const maxBytes = 64 * 1024
/** Lines that may come before the identification (RFC 4253 4.2). */
const maxLinesBefore = 50

const options = z
  .strictObject({
    expected_text: text({ min: 1, max: 256 })
      .optional()
      .describe('Text in the identification of the server, such as `OpenSSH_9`; upper and lower case differ.'),
  })
  .describe('An SSH server that names itself. Nobody logs in.')
type SshOptions = z.infer<typeof options>

/**
 * An SSH server that identifies itself (RFC 4253 4.2). The check ends there, so that it needs no credential of the
 * server.
 */
export const ssh = defineKind<SshOptions, DialogueOutcome>({
  name: 'ssh',
  options,
  secretOptions: [],
  targetProblem: hostTargetProblem,
  observe: (check, net, signal) => {
    const { host, port } = hostTarget(check.url, usualPort)
    const { timeoutMs } = check
    const farewell = 'SSH-2.0-Perigee'
    return net.dialogue({ host, port, isTls: false, steps: [identification], farewell, maxBytes, timeoutMs }, signal)
  },
  judge: judgeSsh,
})

export const identification: DialogueStep = {
  awaited: 'the identification of an SSH server',
  send: null,
  read: (lines) => {
    const line = lines.at(-1) ?? ''
    if (/^SSH-(?:2\.0|1\.99)-/.test(line)) return 'finished'
    if (line.startsWith('SSH-')) return { problem: `The server only speaks an obsolete SSH version: ${quoted(line)}` }
    if (refusals.test(line)) return { problem: `The server turns this location away: ${quoted(line)}` }
    if (lines.length <= maxLinesBefore && !isOtherGreeting(lines)) return 'unfinished'
    return { problem: `Not an SSH server: it says ${quoted(lines[0] ?? '')}` }
  },
}

function judgeSsh(outcome: DialogueOutcome, check: Check<SshOptions>): Verdict {
  const { phases, latencyMs } = outcome
  const base = { statusCode: null, phases }
  if (!outcome.ok) return { ...base, status: 'down', latencyMs: null, error: outcome.failure.message, details: {} }
  const identified = outcome.replies[0]?.at(-1) ?? ''
  const banner = readable(identified)
  const { expected_text: expected } = check.options
  const hasExpected = expected === undefined || identified.includes(expected)
  const error = hasExpected ? null : `Text "${expected}" not found in the identification "${banner}"`
  return { ...base, status: hasExpected ? 'up' : 'down', latencyMs, error, details: { banner } }
}

/** What OpenSSH says before it closes a connection because it has too many, or penalises the address (from 9.8 on). */
const refusals = /^(?:Exceeded MaxStartups|Not allowed at this time)$/

/** Mail, FTP and web servers say a line and wait; there is no point in waiting for them until the deadline. */
function isOtherGreeting([first = '']: readonly string[]): boolean {
  return /^(?:\d{3}[ -]|\* |\+OK|-ERR|HTTP\/)/.test(first)
}
