import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Limits } from '#operations/pipeline/limits.ts'
import type { Services } from '#operations/pipeline/services.ts'
import type { FreshCache } from '#operations/status-pages/fresh-cache.ts'
import { isVisitToken } from '#operations/status-pages/page-password.ts'
import type { PublicPage } from '#operations/status-pages/public-page.ts'
import type { HttpEnv } from '#http/environment.ts'
import type { StatusBody } from './status-bodies.ts'
import type { StatusAddress, StatusSite } from './status-site.ts'

export type StatusRoutesOptions = {
  site: StatusSite
  services: Pick<Services, 'database' | 'secrets' | 'publicUrl'>
  limits: Limits
  now: () => Date
}

/** Everything that the routes of a page need. */
export type StatusParts = StatusRoutesOptions & { bodies: FreshCache<StatusBody | null> }

/** A page that a reader asked for, and where. */
export type Visit = { page: PublicPage; address: StatusAddress }

export type Find = (context: Context<HttpEnv>) => Promise<Visit | null>

/** One a page: a browser may have been let in to several. */
export function visitCookie(pageId: string): string {
  return `perigee_status_${pageId.slice(0, 8)}`
}

/** Whether the page asks this reader for no password, or was given it. */
export function mayRead(
  context: Context<HttpEnv>,
  { page }: Visit,
  { services, now }: Pick<StatusParts, 'services' | 'now'>,
): boolean {
  const { id, visibility, passwordHash } = page
  if (visibility !== 'password' || passwordHash === null) return visibility === 'public'
  const token = getCookie(context, visitCookie(id)) ?? ''
  return isVisitToken(token, { page: { id, passwordHash }, now: now(), signer: services.secrets })
}

export function htmlAnswer(
  html: string,
  { status, policy, headers = {} }: { status: number; policy: string; headers?: Record<string, string> },
): Response {
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      'Cache-Control': 'no-store',
      ...headers,
    },
  })
}
