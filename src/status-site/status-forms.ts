import type { Context, Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { isPassword, visitDays, visitToken } from '#operations/status-pages/page-password.ts'
import { timeZoneSchema } from '#core/language/time-zone.ts'
import { subscribe } from '#operations/status-pages/subscribing.ts'
import { readBytes } from '#http/body.ts'
import type { HttpEnv } from '#http/environment.ts'
import type { DoorProblem, SubscriptionNotice } from './status-door.ts'
import { withLanguage } from './status-frame.ts'
import { nothingAnswer, readingOf } from './status-reading.ts'
import { type Find, type StatusParts, type Visit, htmlAnswer, mayRead, visitCookie } from './status-visit.ts'

const maxFormBytes = 4 * 1024
const daySeconds = 86_400

/** What readers send: a password, or an address that wants to be told. Both work without scripts. */
export function addStatusForms(
  routes: Hono<HttpEnv>,
  parts: StatusParts,
  { root, find }: { root: string; find: Find },
): void {
  const { site } = parts
  routes.post(`${root}/password`, async (context) => {
    const visit = await find(context)
    return visit === null || visit.page.visibility !== 'password'
      ? nothingAnswer(context, site)
      : letIn(context, visit, parts)
  })
  routes.post(`${root}/subscribe`, async (context) => {
    const visit = await find(context)
    if (visit === null || !site.sendsMail || !mayRead(context, visit, parts)) return nothingAnswer(context, site)
    return takeAddress(context, visit, parts)
  })
}

async function letIn(context: Context<HttpEnv>, { page, address }: Visit, parts: StatusParts): Promise<Response> {
  const { site, services, limits, now } = parts
  const reading = readingOf(context, page.language)
  const refuse = (problem: DoorProblem, status: number): Response =>
    htmlAnswer(site.door(page, { ...address, ...reading }, problem), { status, policy: site.policies.page })
  const { passwordHash } = page
  const form = await readForm(context)
  const tries = await limits.countPassword(`status ${page.id} ${context.get('addressGroup')}`)
  if (tries.isExceeded) return refuse({ is: 'too_often', resetSeconds: tries.resetSeconds }, 429)
  if (passwordHash === null || !(await isPassword(form.get('password') ?? '', passwordHash)))
    return refuse({ is: 'wrong' }, 403)
  const maxAge = visitDays * daySeconds
  const until = Math.floor(now().getTime() / 1000) + maxAge
  setCookie(context, visitCookie(page.id), visitToken({ id: page.id, passwordHash }, until, services.secrets), {
    httpOnly: true,
    secure: address.url.startsWith('https:'),
    sameSite: 'Lax',
    path: address.base === '' ? '/' : address.base,
    maxAge,
  })
  return context.redirect(withLanguage(address.base === '' ? '/' : address.base, reading.chosen), 303)
}

async function takeAddress(context: Context<HttpEnv>, { page, address }: Visit, parts: StatusParts): Promise<Response> {
  const { site, services, limits, now } = parts
  const reading = readingOf(context, page.language)
  const say = (notice: SubscriptionNotice, status: number): Response =>
    htmlAnswer(site.notice(page, { ...address, ...reading }, notice), { status, policy: site.policies.page })
  const form = await readForm(context)
  const asked = await limits.countMail(`status ${context.get('addressGroup')}`)
  if (asked.isExceeded) return say({ is: 'too_often', resetSeconds: asked.resetSeconds }, 429)
  const { language } = reading
  // The script of the page fills the zone in.
  const given = form.get('time_zone') ?? ''
  const timeZone = timeZoneSchema.safeParse(given).success ? given : 'UTC'
  const reader = { address: form.get('email') ?? '', language, timeZone }
  const problem = await subscribe(services, { page, reader, now: now() })
  return problem === null ? say({ is: 'asked' }, 200) : say({ is: 'no_address' }, 422)
}

async function readForm({ req }: Context<HttpEnv>): Promise<URLSearchParams> {
  return new URLSearchParams(Buffer.from(await readBytes(req.raw, maxFormBytes)).toString('utf8'))
}
