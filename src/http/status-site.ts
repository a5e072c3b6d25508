import type { PublicPage } from '#operations/status-pages/public-page.ts'

/** What can be asked of a page. */
export type StatusView =
  | { view: 'page' | 'embed' | 'json' | 'atom' | 'rss' | 'badge' }
  | { view: 'history'; month: string | null }
  | { view: 'monitor_badge'; monitorId: string; kind: 'state' | 'uptime' | 'response'; days: number }

/** `base`: what stands before every path of the page, nothing at a domain of its own. `url`: the page, with its host. */
export type StatusAddress = { base: string; url: string }

/** Why a reader is not let in, and what came of an address that one gave. */
export type DoorProblem = { is: 'wrong' } | { is: 'too_often'; resetSeconds: number }
export type SubscriptionNotice = { is: 'asked' | 'no_address' } | { is: 'too_often'; resetSeconds: number }

/** What is served here; `pages` makes it. Views are texts, null where there is no such thing. */
export type StatusSite = {
  assets: readonly { name: string; type: string; text: string }[]
  policies: { page: string; embed: string }
  sendsMail: boolean
  find: (at: { slug: string } | { domain: string }) => Promise<PublicPage | null>
  render: (page: PublicPage, view: StatusView, address: StatusAddress) => Promise<string | null>
  door: (page: PublicPage, address: StatusAddress, problem: DoorProblem | null) => string
  notice: (page: PublicPage, address: StatusAddress, notice: SubscriptionNotice) => string
  nothing: () => string
}
