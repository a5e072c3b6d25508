import { z } from 'zod'
import type { Verdict } from '#core/results/result.ts'
import { text } from '#core/language/text.ts'
import type { Net } from '#net/net.ts'
import type { DnsOutcome } from '#net/dns/dns.ts'
import type { Security } from '#kinds/dnssec/validate.ts'
import {
  dnssecOptions,
  endingSignature,
  hasDnssecForWarning,
  needsDnssec,
  securityDetails,
  securityOf,
  warningNeedsDnssec,
} from './dnssec-option.ts'
import { hasAnswer, showRecord } from './dns-answer.ts'
import { findRecords, rcodeProblem } from './dns-records.ts'
import { domainTarget, domainTargetProblem } from './domain-target.ts'
import { resolver, resolverHosts } from './resolver-option.ts'
import { type Check, defineKind } from '#kinds/kind.ts'
import { readable } from '#kinds/readable.ts'

const options = z
  .strictObject({
    record_type: z
      .enum(['A', 'AAAA', 'CNAME', 'MX', 'TXT', 'NS', 'SOA', 'SRV'])
      .default('A')
      .describe('The type of record to ask for. Default A.'),
    expected_answer: text({ min: 1, max: 4096 })
      .optional()
      .describe(
        'A record that must be among the answers, written as `dig +short` prints it. Case, final dots and quotes do not count. Without it any record will do.',
      ),
    resolver: resolver.describe(
      'The address of the name server that is asked. Default: the name servers of the location.',
    ),
    ...dnssecOptions,
  })
  .refine(hasDnssecForWarning, needsDnssec)
  .meta({ ...warningNeedsDnssec, description: 'The records of a domain name.' })
type DnsOptions = z.infer<typeof options>

/** `security` is null where it is not asked for, or no answer came that signatures belong to. */
export type DnsObservation = { outcome: DnsOutcome; security: Security | null; now: Date }

/** The records of a name, compared as `dig +short` prints them. */
export const dns = defineKind<DnsOptions, DnsObservation>({
  name: 'dns',
  options,
  secretOptions: [],
  targetProblem: domainTargetProblem,
  optionHosts: resolverHosts,
  observe,
  judge: judgeDns,
})

async function observe(check: Check<DnsOptions>, net: Net, signal: AbortSignal): Promise<DnsObservation> {
  const startedAt = performance.now()
  const { url, timeoutMs } = check
  const { record_type: type, resolver: server, dnssec } = check.options
  const question = { name: domainTarget(url), type, timeoutMs, server }
  const outcome = await net.dns({ ...question, isSigned: dnssec !== undefined }, signal)
  const security = outcome.ok ? await securityOf(outcome.answer, question, { net, signal, startedAt }) : null
  return { outcome, security, now: new Date() }
}

const maxShownAnswers = 5

function judgeDns(
  { outcome, security, now }: DnsObservation,
  check: Pick<Check<DnsOptions>, 'url' | 'options'>,
): Verdict {
  const { record_type: type, signature_warn_days: warnDays } = check.options
  const { phases } = outcome
  const base = { status: 'down', statusCode: null, phases } as const
  if (!outcome.ok) return { ...base, latencyMs: null, error: outcome.failure.message, details: { record_type: type } }
  const name = domainTarget(check.url)
  const { latencyMs, answer } = outcome
  const { records, aliases } = findRecords(answer, name, type)
  const answers = records.map((record) => readable(showRecord(record), 500)).toSorted()
  const details = {
    record_type: type,
    answers,
    ...(aliases.length > 0 ? { aliases } : {}),
    ...securityDetails(security),
  }
  const found = { ...base, latencyMs, details }
  const missing = rcodeProblem(answer, name) ?? (records.length === 0 ? emptyProblem(name, type, aliases) : null)
  const doubt = security === null || security.is === 'secure' ? null : security
  if (missing !== null) return { ...found, error: doubt === null ? missing : `${missing}; ${doubt.problem}` }
  if (doubt !== null && doubt.is !== 'unjudged') return { ...found, error: doubt.problem }
  const unexpected = unexpectedProblem(
    { type, lines: [...records.map(showRecord), ...aliases], answers },
    check.options,
  )
  if (unexpected !== null) return { ...found, error: unexpected }
  const warning = doubt?.problem ?? endingSignature(security, warnDays, now)
  return { ...found, status: warning === null ? 'up' : 'degraded', error: warning }
}

type Lines = { type: DnsOptions['record_type']; lines: readonly string[]; answers: readonly string[] }

function unexpectedProblem({ type, lines, answers }: Lines, { expected_answer: expected }: DnsOptions): string | null {
  if (expected === undefined || hasAnswer(type, lines, expected)) return null
  return `Expected ${readable(expected, 100)}, got ${listed(answers)}`
}

function emptyProblem(name: string, type: string, aliases: readonly string[]): string {
  const end = aliases.at(-1)
  if (end === undefined) return `The name ${name} has no ${type} record (empty answer)`
  return `The name ${name} leads to ${end}, which has no ${type} record (empty answer)`
}

function listed(answers: readonly string[]): string {
  const shown = answers.slice(0, maxShownAnswers).map((answer) => readable(answer, 80))
  const more = answers.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
