import { firstOccasion, timeOfEnd } from '#core/expiry.ts'
import { nextSight, type Sight } from '#core/expiry-sight.ts'
import type { Expiry } from '#core/results/result.ts'
import type { EngineTransaction } from '#store/engine-store.ts'
import type { SeenExpiry } from '#store/expiries/expiries.ts'
import type { Arrival } from './draft-rounds.ts'
import type { Watched } from '#engine/rounds/watched.ts'

/** What memory knows of a monitor's expiry after the commit. `expiry` is what its row gets, null when the row stays. */
export type ExpiryDraft = { watched: Watched; version: number; sight: Sight; expiry: Expiry | null }

/** Most results show an expiry that is known already and cost only a comparison. */
export function draftExpiries(arrivals: readonly Arrival[]): ExpiryDraft[] {
  const drafts = new Map<Watched, ExpiryDraft>()
  for (const { watched, result } of arrivals) {
    const expiry = result.verdict?.expiry
    if (expiry === undefined || result.version !== watched.version) continue
    const endMs = endOf(expiry)
    if (endMs === null) continue
    const draft = drafts.get(watched)
    const check = { endMs, atMs: result.round / 1000, intervalMs: watched.intervalMs }
    const next = nextSight(draft?.sight ?? watched.sight, check)
    if (next === null) continue
    const unwritten = draft?.sight.endMs === endMs ? draft.expiry : null
    const { version } = watched
    drafts.set(watched, { watched, version, sight: next.sight, expiry: next.isWritten ? expiry : unwritten })
  }
  return [...drafts.values()]
}

export function writeExpiryDrafts(
  tx: Pick<EngineTransaction, 'writeExpiries'>,
  drafts: readonly ExpiryDraft[],
): Promise<void> {
  return tx.writeExpiries(
    drafts.flatMap((draft) => {
      const seen = draft.expiry === null ? null : seenOf(draft, draft.expiry)
      return seen === null ? [] : [seen]
    }),
  )
}

/** To be called after the commit. A monitor that was changed meanwhile keeps what was read for the change. */
export function applyExpiryDrafts(drafts: readonly ExpiryDraft[]): void {
  for (const { watched, version, sight } of drafts) if (watched.version === version) watched.sight = sight
}

/** Infinity where a registry publishes no end; null when the text is no time, for a prober may send any text. */
function endOf({ certificate, domain }: Expiry): number | null {
  if (certificate !== undefined) return timeOfEnd(certificate.notAfter)
  if (domain === undefined) return null
  return domain.expiresAt === null ? Infinity : timeOfEnd(domain.expiresAt)
}

function seenOf({ watched, version, sight }: ExpiryDraft, { certificate, domain }: Expiry): SeenExpiry | null {
  const { endMs, writtenMs } = sight
  const common = { monitorKey: watched.key, version, expiresAt: endMs === Infinity ? null : endMs, seenAt: writtenMs }
  const expiresAt = new Date(endMs)
  if (certificate !== undefined) {
    const notBeforeMs = timeOfEnd(certificate.notBefore) ?? endMs
    const first = firstOccasion({ subject: 'certificate', notBefore: new Date(notBeforeMs), expiresAt })
    const { host, issuer } = certificate
    const alertAt = first?.getTime() ?? null
    return { ...common, subject: 'certificate', name: host, issuer, notBefore: notBeforeMs, alertAt }
  }
  if (domain === undefined) return null
  const first = endMs === Infinity ? null : firstOccasion({ subject: 'domain', expiresAt })
  const alertAt = first?.getTime() ?? null
  return { ...common, subject: 'domain', name: domain.name, issuer: null, notBefore: null, alertAt }
}
