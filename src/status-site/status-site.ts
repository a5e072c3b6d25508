import type { StatusModel } from '#core/status-pages/status-model.ts'
import { type PageLanguage, createPageLanguages } from '#core/status-pages/page-languages.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { createFreshCache } from '#operations/status-pages/fresh-cache.ts'
import {
  type PublicPage,
  findPublicPage,
  readStatusHistory,
  readStatusModel,
} from '#operations/status-pages/public-page.ts'
import { type StatusAsset, createStatusAssets } from './status-assets.ts'
import { type BadgeKind, renderBadge, renderPageBadge } from './status-badge.ts'
import { type DoorProblem, type SubscriptionNotice, renderDoor, renderNotice, renderNothing } from './status-door.ts'
import { renderAtom, renderRss } from './status-feed.ts'
import { type StatusPlace, embedPolicy, statusPolicy } from './status-frame.ts'
import { renderStatusJson } from './status-json.ts'
import { renderStatusEmbed, renderStatusHistory, renderStatusPage } from './status-page.ts'

/** What can be asked of a page. */
export type StatusView =
  | { view: 'page' | 'embed' | 'json' | 'atom' | 'rss' | 'badge' }
  /** Null for the current month; else its first day. */
  | { view: 'history'; month: string | null }
  | { view: 'monitor_badge'; monitorId: string; kind: BadgeKind; days: number }

/** Where a page is asked for: at `base` of a host. */
export type StatusAddress = { base: string; url: string }

/** In which language a reader gets it; `chosen` as of `StatusPlace`. */
export type Reading = { language: PageLanguage; chosen: PageLanguage | null }

export type StatusSiteOptions = {
  services: Pick<Services, 'database'>
  now: () => Date
  /** Whether mail leaves this installation. */
  sendsMail: boolean
}

export type StatusSite = {
  assets: readonly StatusAsset[]
  policies: { page: string; embed: string }
  sendsMail: boolean
  find: (at: { slug: string } | { domain: string }) => Promise<PublicPage | null>
  /** The text of a view; null where there is no such thing on the page. */
  render: (page: PublicPage, view: StatusView, at: StatusAddress & Reading) => Promise<string | null>
  door: (page: PublicPage, at: StatusAddress & Reading, problem: DoorProblem | null) => string
  notice: (page: PublicPage, at: StatusAddress & Reading, notice: SubscriptionNotice) => string
  nothing: (language: PageLanguage) => string
}

/** Together with what is kept of answers, a reader sees nothing that is more than ten seconds old. */
const modelAges = { freshMs: 3_000, staleMs: 3_000, failingMs: 300_000 }
const pageAges = { freshMs: 3_000, staleMs: 3_000, failingMs: 300_000 }
/** Monitors of the pages whose models are kept: some 30 kB each. */
const maxMonitors = 2_000
const maxPages = 5_000

/** Status pages as texts: each is read once in a few seconds, however many readers it has. */
export function createStatusSite({ services, now, sendsMail }: StatusSiteOptions): StatusSite {
  const assets = createStatusAssets()
  const texts = createPageLanguages()
  const pages = createFreshCache<PublicPage | null>({ ...pageAges, maxWeight: maxPages, weightOf: () => 1 })
  const models = createFreshCache<StatusModel>({ ...modelAges, maxWeight: maxMonitors, weightOf: monitorsOf })
  const placeOf = ({ base, url, language, chosen }: StatusAddress & Reading): StatusPlace => ({
    base,
    url,
    canSubscribe: sendsMail,
    assets,
    language,
    i18n: texts(language),
    chosen,
  })
  return {
    assets: assets.all,
    policies: { page: statusPolicy, embed: embedPolicy },
    sendsMail,
    find: (at) => pages.get('slug' in at ? `/${at.slug}` : at.domain, () => findPublicPage(services, at)),
    render: async (page, view, at) => {
      const place = placeOf(at)
      if (view.view === 'history') {
        const history = await readStatusHistory(services, page, { month: view.month, now: now() })
        return history === null ? null : renderStatusHistory(history, place)
      }
      const model = await models.get(page.id, () => readStatusModel(services, page, { now: now() }))
      return renderView(model, view, place)
    },
    door: (page, at, problem) => renderDoor(page.theme, placeOf(at), problem),
    notice: (page, at, notice) => renderNotice(page, placeOf(at), notice),
    nothing: (language) => renderNothing({ assets, language, i18n: texts(language) }),
  }
}

function renderView(
  model: StatusModel,
  view: Exclude<StatusView, { view: 'history' }>,
  place: StatusPlace,
): string | null {
  switch (view.view) {
    case 'page':
      return renderStatusPage(model, place)
    case 'embed':
      return renderStatusEmbed(model, place)
    case 'json':
      return renderStatusJson(model, place)
    case 'atom':
      return renderAtom(model, place)
    case 'rss':
      return renderRss(model, place)
    case 'badge':
      return renderPageBadge(model, place.i18n)
    case 'monitor_badge':
      return renderBadge(model, view, place.i18n)
  }
}

function monitorsOf({ sections }: StatusModel): number {
  return sections.reduce((sum, { monitors }) => sum + monitors.length, 1)
}
