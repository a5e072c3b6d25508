import { domainRecord } from '#core/status-pages/page-domain.ts'
import { claimUnproven, proveDomain, type UnprovenDomain } from '#store/status-pages/page-domains.ts'
import type { JobParts } from '#jobs/runner/job-parts.ts'

/** A name is looked up again after so long, for as long as its page is to have it. */
const againMs = 120_000
const domainsAtOnce = 10
const lookUpMs = 5_000

type Parts = Pick<JobParts, 'database' | 'carriers' | 'log' | 'now'>

/** Looks for the records by which workspaces show that the names of their status pages are their own. */
export async function proveDomains(parts: Parts, signal: AbortSignal): Promise<void> {
  const { database, now } = parts
  while (!signal.aborted) {
    const at = now()
    const claim = { at, before: new Date(at.getTime() - againMs), limit: domainsAtOnce }
    const unproven = await claimUnproven(database, claim)
    await Promise.all(unproven.map((domain) => proveOne(domain, parts, signal)))
    if (unproven.length < domainsAtOnce) return
  }
}

async function proveOne(unproven: UnprovenDomain, parts: Parts, signal: AbortSignal): Promise<void> {
  const { database, log, now } = parts
  if (!(await hasRecord(unproven, parts, signal))) return
  if (await database.transaction((tx) => proveDomain(tx, unproven, now())))
    log.info('A status page has its domain now.', { domain: unproven.domain })
}

async function hasRecord({ domain, workspaceId }: UnprovenDomain, { carriers }: Parts, signal: AbortSignal) {
  const { name, value } = domainRecord(domain, workspaceId)
  const outcome = await carriers.net.dns(
    { name, type: 'TXT', timeoutMs: lookUpMs },
    AbortSignal.any([signal, AbortSignal.timeout(lookUpMs)]),
  )
  return outcome.ok && outcome.answer.answers.some((one) => one.type === 'TXT' && one.text.trim() === value)
}
