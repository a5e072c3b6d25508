/** Another workspace gets a name that a page gave up only after so many days. */
export const quarantineDays = 30

/** The TXT record by which a workspace shows that a name is its own. */
export type DomainRecord = { name: string; value: string }

/**
 * The value names the workspace and need not be secret: it tells who is meant, and only whoever keeps the names of the
 * domain can write it there.
 */
export function domainRecord(domain: string, workspaceId: string): DomainRecord {
  return { name: `_perigee.${domain}`, value: `perigee-workspace=${workspaceId}` }
}
