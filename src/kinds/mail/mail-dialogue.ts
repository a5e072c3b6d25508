import { z } from 'zod'
import type { ProbedKind } from '#core/monitors/kind-traits.ts'
import { parseHostPort } from '#core/language/host-port.ts'
import type { Verdict } from '#core/results/result.ts'
import type { DialogueOutcome, DialogueRequest, DialogueStep } from '#net/tcp/dialogue.ts'
import { hostTarget, hostTargetProblem } from '#kinds/host-target.ts'
import type { Check, Kind } from '#kinds/kind.ts'
import { readable } from '#kinds/readable.ts'

const maxBytes = 64 * 1024

const securities = ['tls', 'starttls'] as const
export type Security = (typeof securities)[number]

/** What smtp, imap, pop and ftps differ in. */
export type LineProtocol = {
  kind: ProbedKind
  /** What it is, for the description of the API. */
  what: string
  /** Where the server listens for each kind of TLS, if the target names no port. */
  ports: Readonly<Record<Security, number>>
  /** Where neither the options nor the port tell. */
  usual: Security
  /** Reads the greeting, shows that the server answers and, with `starttls`, upgrades to TLS. */
  steps: Readonly<Record<Security, readonly DialogueStep[]>>
  farewell: string
}

export type MailOptions = { security?: Security | undefined }
export type MailObservation = { outcome: DialogueOutcome; security: Security }

/** What smtp, imap, pop and ftps have in common: a greeting, TLS one way or the other, an answer, no login. */
export function mailKind(protocol: LineProtocol): Kind<MailOptions, MailObservation> {
  return {
    name: protocol.kind,
    options: z
      .strictObject({ security: z.enum(securities).optional().describe(securityText(protocol)) })
      .describe(`${protocol.what}, over TLS. Nobody logs in.`),
    secretOptions: [],
    targetProblem: hostTargetProblem,
    observe: async (check, net, signal) => {
      const { security, request } = dialogueRequest(protocol, check)
      return { outcome: await net.dialogue(request, signal), security }
    },
    judge: judgeMail,
  }
}

export function dialogueRequest(
  protocol: LineProtocol,
  { url, timeoutMs, options }: Pick<Check<MailOptions>, 'url' | 'timeoutMs' | 'options'>,
): { security: Security; request: DialogueRequest } {
  const security = options.security ?? securityOf(protocol, parseHostPort(url)?.port ?? null)
  const { host, port } = hostTarget(url, protocol.ports[security])
  const { steps, farewell } = protocol
  const isTls = security === 'tls'
  return { security, request: { host, port, isTls, steps: steps[security], farewell, maxBytes, timeoutMs } }
}

export function judgeMail({ outcome, security }: MailObservation): Verdict {
  const { phases, latencyMs, replies, tls } = outcome
  const [greeting] = replies
  const details = {
    ...(greeting === undefined ? {} : { banner: readable(greeting.join('\n')) }),
    ...(tls === null ? {} : { tls_protocol: tls.protocol }),
  }
  const base = { statusCode: null, phases, details }
  if (outcome.ok) return { ...base, status: 'up', latencyMs, error: null }
  return { ...base, status: 'down', latencyMs: null, error: `${outcome.failure.message}${advice(outcome, security)}` }
}

function securityText({ ports, usual }: LineProtocol): string {
  const other = usual === 'tls' ? 'starttls' : 'tls'
  return `TLS from the start (\`tls\`, port ${ports.tls}) or by an upgrade (\`starttls\`, port ${ports.starttls}). Default: \`${usual}\`; \`${other}\` where the target names port ${ports[other]}.`
}

function securityOf({ ports, usual }: LineProtocol, port: number | null): Security {
  return securities.find((security) => ports[security] === port) ?? usual
}

/** A server that is asked in the wrong mode says nothing of the kind; the two look like this. */
function advice(outcome: DialogueOutcome & { ok: false }, security: Security): string {
  const { failure, replies } = outcome
  if (security === 'tls' && failure.code === 'not_tls')
    return '. If TLS begins there with STARTTLS, set security to starttls'
  const isMute = failure.phase === 'request' && mute.has(failure.code) && replies.length === 0
  return security === 'starttls' && isMute ? '. If the port speaks TLS from the start, set security to tls' : ''
}

const mute = new Set(['timed_out', 'connection_closed'])
