import type { Context, Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { isPassword, visitDays, visitToken } from '#operations/status-password.ts'
import { subscribe } from '#operations/status-subscribing.ts'
import { readBytes } from './body.ts'
import type { HttpEnv } from './environment.ts'
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
  const nothing = (): Response => htmlAnswer(site.nothing(), { status: 404, policy: site.policies.page })
  routes.post(`${root}/password`, async (context) => {
    const visit = await find(context)
    return visit === null || visit.page.visibility !== 'password' ? nothing() : letIn(context, visit, parts)
  })
  routes.post(`${root}/subscribe`, async (context) => {
    const visit = await find(context)
    if (visit === null || !site.sendsMail || !mayRead(context, visit, parts)) return nothing()
    return takeAddress(context, visit, parts)
  })
}

async function letIn(context: Context<HttpEnv>, { page, address }: Visit, parts: StatusParts): Promise<Response> {
  const { site, services, limits, now } = parts
  const refuse = (problem: string, status: number): Response =>
    htmlAnswer(site.door(page, address, problem), { status, policy: site.policies.page })
  const { passwordHash } = page
  const form = await readForm(context)
  const tries = await limits.countPassword(`status ${page.id} ${context.get('addressGroup')}`)
  if (tries.isExceeded) return refuse(`Too many tries. Wait ${minutesText(tries.resetSeconds)} and try again.`, 429)
  if (passwordHash === null || !(await isPassword(form.get('password') ?? '', passwordHash)))
    return refuse('This is not the password.', 403)
  const maxAge = visitDays * daySeconds
  const until = Math.floor(now().getTime() / 1000) + maxAge
  setCookie(context, visitCookie(page.id), visitToken({ id: page.id, passwordHash }, until, services.secrets), {
    httpOnly: true,
    secure: address.url.startsWith('https:'),
    sameSite: 'Lax',
    path: address.base === '' ? '/' : address.base,
    maxAge,
  })
  return context.redirect(address.base === '' ? '/' : address.base, 303)
}

async function takeAddress(context: Context<HttpEnv>, { page, address }: Visit, parts: StatusParts): Promise<Response> {
  const { site, services, limits, now } = parts
  const say = (title: string, text: string, status = 200): Response =>
    htmlAnswer(site.notice(page, address, { title, text }), { status, policy: site.policies.page })
  const form = await readForm(context)
  const asked = await limits.countMail(`status ${context.get('addressGroup')}`)
  if (asked.isExceeded) return say('That was too often', `Wait ${minutesText(asked.resetSeconds)} and try again.`, 429)
  const problem = await subscribe(services, { page, address: form.get('email') ?? '', now: now() })
  if (problem !== null) return say('This is no email address', 'Go back and look at it again.', 422)
  return say(
    'Look into your mailbox',
    'If this address is not subscribed already, a message is on its way. Open the link in it to confirm; nothing more is sent before.',
  )
}

async function readForm({ req }: Context<HttpEnv>): Promise<URLSearchParams> {
  return new URLSearchParams(Buffer.from(await readBytes(req.raw, maxFormBytes)).toString('utf8'))
}

function minutesText(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
