import { z } from 'zod'
import type { Verdict } from '#core/results/result.ts'
import { text } from '#core/language/text.ts'
import type { DnsOutcome } from '#net/dns/dns.ts'
import { hasAnswer, showRecord } from './dns-answer.ts'
import { findRecords, rcodeProblem } from './dns-records.ts'
import { domainTarget, domainTargetProblem } from './domain-target.ts'
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
  })
  .describe('The records of a domain name.')
type DnsOptions = z.infer<typeof options>

/** The records of a name, compared as `dig +short` prints them. */
export const dns = defineKind<DnsOptions, DnsOutcome>({
  name: 'dns',
  options,
  secretOptions: [],
  targetProblem: domainTargetProblem,
  observe: ({ url, timeoutMs, options: { record_type: type } }, net, signal) =>
    net.dns({ name: domainTarget(url), type, timeoutMs }, signal),
  judge: judgeDns,
})

const maxShownAnswers = 5

function judgeDns(outcome: DnsOutcome, check: Pick<Check<DnsOptions>, 'url' | 'options'>): Verdict {
  const { record_type: type, expected_answer: expected } = check.options
  const { phases } = outcome
  const base = { status: 'down', statusCode: null, phases } as const
  if (!outcome.ok) return { ...base, latencyMs: null, error: outcome.failure.message, details: { record_type: type } }
  const name = domainTarget(check.url)
  const { latencyMs, answer } = outcome
  const { records, aliases } = findRecords(answer, name, type)
  const answers = records.map((record) => readable(showRecord(record), 500)).toSorted()
  const details = { record_type: type, answers, ...(aliases.length > 0 ? { aliases } : {}) }
  const found = { ...base, latencyMs, details }
  const problem = rcodeProblem(answer, name) ?? (records.length === 0 ? emptyProblem(name, type, aliases) : null)
  if (problem !== null) return { ...found, error: problem }
  const lines = [...records.map(showRecord), ...aliases]
  if (expected === undefined || hasAnswer(type, lines, expected)) return { ...found, status: 'up', error: null }
  return { ...found, error: `Expected ${readable(expected, 100)}, got ${listed(answers)}` }
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
