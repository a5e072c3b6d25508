import type { DnsAnswer, DnsRecordType } from '#net/dns/dns-record.ts'
import type { Net } from '#net/net.ts'
import { rcodeProblem } from './dns-records.ts'

/** NOERROR or NXDOMAIN, or in words why the question has no answer. */
export type Asked = { ok: true; answer: DnsAnswer } | { ok: false; problem: string }

/** Asks one question of a check that asks several, all by the check's deadline. */
export type Ask = (name: string, type: DnsRecordType) => Promise<Asked>

export function askThrough(net: Net, timeoutMs: number, signal: AbortSignal): Ask {
  return async (name, type) => {
    const outcome = await net.dns({ name, type, timeoutMs }, signal)
    if (!outcome.ok) return { ok: false, problem: outcome.failure.message }
    const { answer } = outcome
    const problem = answer.rcode === 'NXDOMAIN' ? null : rcodeProblem(answer, name)
    return problem === null ? { ok: true, answer } : { ok: false, problem }
  }
}
