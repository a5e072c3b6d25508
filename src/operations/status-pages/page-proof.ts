import { domainRecord } from '#core/status-pages/page-domain.ts'
import type { StatusPageRecord } from '#core/status-pages/status-page.ts'
import type { StatusPage } from '#store/status-pages/status-pages.ts'
import type { Services } from '#operations/pipeline/services.ts'

/**
 * A name that a page has keeps its proof. Where nobody signs up uninvited, whoever makes pages is trusted with names
 * (docs/decisions/people-and-access.md, "Domains of status pages").
 */
export function provenAt(
  domain: string | null,
  { before, services, now }: { before: StatusPage | null; services: Pick<Services, 'signUp'>; now: Date },
): Date | null {
  if (domain === null) return null
  if (before?.domain === domain && before.domainProvenAt !== null) return before.domainProvenAt
  return services.signUp === 'invited' ? now : null
}

/** How far a page has come with its domain, and what is awaited. */
export function proofOf({
  domain,
  domainProvenAt,
  workspaceId,
}: Pick<StatusPage, 'domain' | 'domainProvenAt' | 'workspaceId'>): Pick<
  StatusPageRecord,
  'domain_state' | 'domain_record'
> {
  if (domain === null) return { domain_state: null, domain_record: null }
  if (domainProvenAt !== null) return { domain_state: 'proven', domain_record: null }
  return { domain_state: 'waiting', domain_record: domainRecord(domain, workspaceId) }
}
