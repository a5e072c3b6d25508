import type { Verdict } from '#core/results/result.ts'
import type { Peer, TalkOutcome } from '#net/tcp/talk.ts'
import type { BerElement } from '#kinds/ber.ts'
import { type Finding, judgeTalk } from '#kinds/talk/judge-talk.ts'
import { ownTls, toldBy } from '#kinds/talk/access-options.ts'
import type { Told } from '#kinds/told.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import { encodeFilter } from './ldap-filter.ts'
import {
  bindRequest,
  ldapMessage,
  type LdapResult,
  notLdap,
  operations,
  readResult,
  readEntry,
  searchRequest,
  startTlsRequest,
  takeMessage,
  unbindRequest,
} from './ldap-messages.ts'
import { ldapOptions, type LdapOptions } from './ldap-options.ts'
import { ldapTarget, ldapTargetProblem } from './ldap-target.ts'

const maxBytes = 256 * 1024

/** What a check saw, as far as it came. */
export type LdapSight = {
  /** Of the search: how many entries came, at most as many as are wanted. */
  entries?: number
  /** Whether one of them has the attribute, and the expected value in it. */
  hasAttribute?: boolean
  hasValue?: boolean
}
export type LdapObservation = { outcome: TalkOutcome; sight: LdapSight }

/** A directory that speaks LDAP: it signs in and searches, and writes nothing. */
export const ldap = defineKind<LdapOptions, LdapObservation>({
  name: 'ldap',
  options: ldapOptions,
  secretOptions: ['bind_dn', 'password', 'client_certificate'],
  targetProblem: ldapTargetProblem,
  observe: async ({ url, options, timeoutMs }, net, signal) => {
    const { host, port, isSecured } = ldapTarget(url)
    const sight: LdapSight = {}
    const { bind_dn: username, ...access } = options
    const told = toldBy({ ...access, username })
    const outcome = await net.talk(
      {
        host,
        port,
        security: isSecured ? 'tls' : options.security === 'none' ? 'none' : 'upgrade',
        tls: ownTls(options),
        speak: (peer) => speak({ peer, told, sight, id: 0 }, { options, timeoutMs, isSecured }),
        maxBytes,
        timeoutMs,
      },
      signal,
    )
    return { outcome, sight }
  },
  judge: judgeLdap,
})

/** `id` is that of the last request. */
type Talk = { peer: Peer; told: Told; sight: LdapSight; id: number }
type Wanted = Pick<Check<LdapOptions>, 'options' | 'timeoutMs'> & { isSecured: boolean }

async function speak(talk: Talk, { options, timeoutMs, isSecured }: Wanted): Promise<void> {
  const { peer } = talk
  const { security, bind_dn: name = '', password = '', base } = options
  if (!isSecured && security !== 'none') await beginTls(talk)
  ask(talk, bindRequest(name, password))
  const { code, diagnostic } = resultOf(talk, await takeAnswer(talk, signIn), operations.bindResponse)
  if (code !== 0) throw peer.fault(bindProblem(code, talk.told.quoted(diagnostic)))
  peer.beginWork()
  if (base !== undefined) await search(talk, { ...options, base }, timeoutMs)
  ask(talk, unbindRequest())
}

const signIn = 'the answer to the sign-in'
const searchAnswer = 'the answer to the search'

/** RFC 4511 4.14. */
async function beginTls(talk: Talk): Promise<void> {
  const { peer, told } = talk
  ask(talk, startTlsRequest())
  const { code, diagnostic } = resultOf(
    talk,
    await takeAnswer(talk, 'the answer to StartTLS'),
    operations.extendedResponse,
  )
  if (code !== 0) throw peer.fault(`The server offers no StartTLS: ${named(code, told.quoted(diagnostic))}`)
  await peer.startTls()
}

async function search(talk: Talk, options: LdapOptions & { base: string }, timeoutMs: number): Promise<void> {
  const { peer, sight, told } = talk
  const { base, scope = 'base', filter = '(objectClass=*)', min_entries: sizeLimit = 1, attribute } = options
  const timeLimitSeconds = Math.ceil(timeoutMs / 1000)
  ask(talk, searchRequest({ base, scope, filter: encodeFilter(filter), sizeLimit, timeLimitSeconds, attribute }))
  Object.assign(sight, { entries: 0, hasAttribute: false, hasValue: false })
  for (;;) {
    const answer = await takeAnswer(talk, searchAnswer)
    if (answer.tag === operations.searchEntry) lookAt(talk, answer, options.expected_value)
    else if (answer.tag !== operations.searchReference && answer.tag !== operations.intermediateResponse) {
      const { code, diagnostic } = resultOf(talk, answer, operations.searchDone)
      // There are more entries than were wanted.
      if (code !== 0 && code !== codes.sizeLimitExceeded) throw peer.fault(searchProblem(code, told.quoted(diagnostic)))
      return
    }
  }
}

function lookAt({ peer, sight }: Talk, answer: BerElement, value: string | undefined): void {
  const entry = readEntry(answer, value === undefined ? value : Buffer.from(value))
  if (entry === null) throw peer.fault('The server sent an entry that cannot be read')
  sight.entries = (sight.entries ?? 0) + 1
  sight.hasAttribute ||= entry.hasValue
  sight.hasValue ||= entry.hasExpected
}

function ask(talk: Talk, operation: Buffer): void {
  talk.id += 1
  talk.peer.send(ldapMessage(talk.id, operation))
}

/** The answer to the last request. A message of the number 0 tells that the connection ends (RFC 4511 4.4.1). */
async function takeAnswer({ peer, told, id: asked }: Talk, awaited: string): Promise<BerElement> {
  const { id, operation } = await takeMessage(peer, awaited)
  if (id === asked) return operation
  const notice = id === 0 ? readResult(operation) : null
  if (notice === null) throw peer.fault(notLdap)
  throw peer.fault(`The server ends the connection: ${named(notice.code, told.quoted(notice.diagnostic))}`)
}

function resultOf({ peer }: Talk, answer: BerElement, tag: number): LdapResult {
  const result = answer.tag === tag ? readResult(answer) : null
  if (result === null) throw peer.fault(notLdap)
  return result
}

const codes = {
  authMethodNotSupported: 7,
  confidentialityRequired: 13,
  inappropriateAuthentication: 48,
  invalidCredentials: 49,
  insufficientAccessRights: 50,
  noSuchObject: 32,
  operationsError: 1,
  referral: 10,
  sizeLimitExceeded: 4,
  strongerAuthRequired: 8,
  timeLimitExceeded: 3,
} as const

/** Names of other results that servers give (RFC 4511 appendix A.2). */
const names: ReadonlyMap<number, string> = new Map([
  [1, 'operationsError'],
  [2, 'protocolError'],
  [10, 'referral'],
  [11, 'adminLimitExceeded'],
  [18, 'inappropriateMatching'],
  [21, 'invalidAttributeSyntax'],
  [34, 'invalidDNSyntax'],
  [50, 'insufficientAccessRights'],
  [51, 'busy'],
  [52, 'unavailable'],
  [53, 'unwillingToPerform'],
  [80, 'other'],
])

/** A result as texts name it, and what the server says to it. */
function named(code: number, quotation: string): string {
  const name = names.get(code)
  const result = name === undefined ? `result ${code}` : `${name} (${code})`
  return quotation === '""' ? result : `${result}, ${quotation}`
}

function bindProblem(code: number, quotation: string): string {
  switch (code) {
    case codes.invalidCredentials:
      return 'The server does not accept the name or the password'
    case codes.inappropriateAuthentication:
      return 'The server accepts no anonymous bind: set check_options.bind_dn and password'
    case codes.confidentialityRequired:
    case codes.strongerAuthRequired:
      return 'The server wants TLS: write ldaps://, or set check_options.security to starttls'
    default:
      return `The server refuses the sign-in: ${named(code, quotation)}`
  }
}

function searchProblem(code: number, quotation: string): string {
  switch (code) {
    case codes.noSuchObject:
      return 'The base of the search does not exist, or may not be seen'
    case codes.timeLimitExceeded:
      return 'The search took longer than the check may take'
    case codes.referral:
      return 'The server refers to another server for the base of the search'
    case codes.confidentialityRequired:
    case codes.strongerAuthRequired:
      return 'The server searches only after a sign-in, or within TLS'
    default:
      return `The server refuses the search: ${named(code, quotation)}`
  }
}

export function judgeLdap(
  { outcome, sight }: LdapObservation,
  { options }: Pick<Check<LdapOptions>, 'options'>,
): Verdict {
  const { entries, hasAttribute, hasValue } = sight
  const { min_entries: least = 1, attribute, expected_value: expected } = options
  const findings: [holds: boolean, error: string][] =
    entries === undefined
      ? []
      : [
          [entries < least, `The search found ${entries} ${entries === 1 ? 'entry' : 'entries'}, fewer than ${least}`],
          [attribute !== undefined && hasAttribute !== true, 'No entry that was found has the attribute'],
          [expected !== undefined && hasValue !== true, 'The attribute has another value than the expected one'],
        ]
  return judgeTalk(outcome, {
    details: entries === undefined ? {} : { entries },
    findings: findings.flatMap(([holds, error]): Finding[] => (holds ? [{ status: 'down', error }] : [])),
    maxLatencyMs: options.max_latency_ms,
  })
}
