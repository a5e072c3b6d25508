import { type Content, joinContent, splitContent } from '#core/monitors/monitor-content.ts'
import type { Place, Secrets } from '#store/database/secrets.ts'

type WithContent = Parameters<typeof splitContent>[0]

export type SealedContent = { content: Buffer | null; place: Place }

/** As the columns have it: what is left in the clear, and what a monitor sends; null where that is in the clear too. */
export function sealContent<Whole extends WithContent>(
  whole: Whole,
  secrets: Secrets,
  place: Place,
): { rest: Whole; content: Buffer | null } {
  if (!secrets.sealsAll()) return { rest: whole, content: null }
  const { rest, content } = splitContent(whole)
  return { rest, content: content === null ? null : secrets.encrypt(JSON.stringify(content), place) }
}

/** What `sealContent` was given. */
export function openContent<Rest extends WithContent>(rest: Rest, sealed: SealedContent, secrets: Secrets): Rest {
  const { content, place } = sealed
  if (content === null) return rest
  const opened: Content = JSON.parse(secrets.decrypt(content, place))
  return joinContent(rest, opened)
}
