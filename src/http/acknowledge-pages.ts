import { type Context, Hono } from 'hono'
import { type Texts, createTexts } from '#core/language/texts.ts'
import { type Acknowledging, readAcknowledging, useAcknowledging } from '#operations/contacts/acknowledge-links.ts'
import type { Limits } from '#operations/pipeline/limits.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { readBytes } from './body.ts'
import { type Shown, answer } from './contact-pages.ts'
import type { HttpEnv } from './environment.ts'

export type AcknowledgePagesOptions = {
  services: Pick<Services, 'database' | 'secrets'>
  limits: Pick<Limits, 'countLink'>
  now: () => Date
}

const maxFormBytes = 4 * 1024
const formField = 'token'

/**
 * The page behind the link in an alert. Opening it changes nothing, and neither does a POST that is not of its form:
 * mail scanners and chats follow every link, and some try what is behind a button.
 */
export function createAcknowledgePages({ services, limits, now }: AcknowledgePagesOptions): Hono<HttpEnv> {
  const pages = new Hono<HttpEnv>()
  const i18n = createTexts()
  const path = '/incidents/acknowledge/:token'
  const limited = async (context: Context<HttpEnv>, show: () => Promise<Shown>): Promise<Response> => {
    const { isExceeded, resetSeconds } = await limits.countLink(context.get('addressGroup'))
    if (!isExceeded) return answer(i18n, await show())
    const refused = answer(i18n, tooManyVisits(i18n))
    refused.headers.set('Retry-After', String(resetSeconds))
    return refused
  }
  pages.get(path, (context) =>
    limited(context, async () => {
      const token = context.req.param('token')
      return acknowledgePage(i18n, await readAcknowledging(services, { token, now: now() }))
    }),
  )
  pages.post(path, (context) =>
    limited(context, async () => {
      const form = new URLSearchParams(Buffer.from(await readBytes(context.req.raw, maxFormBytes)).toString('utf8'))
      const formToken = form.get(formField) ?? ''
      const used = await useAcknowledging(services, { token: context.req.param('token'), formToken, now: now() })
      const shown = acknowledgePage(i18n, used)
      return used.isRefused && shown.status === 200 ? { ...shown, status: 403 } : shown
    }),
  )
  return pages
}

export function acknowledgePage(i18n: Texts, link: Acknowledging): Shown {
  switch (link.state) {
    case 'unknown': {
      const title = i18n._('This link is not valid')
      const text = i18n._('The link is incomplete, or it no longer works. You can sign in instead.')
      return { status: 404, page: { title, text, button: null } }
    }
    case 'expired': {
      const title = i18n._('This link has expired')
      const text = i18n._('The link in an alert works for seven days. You can sign in instead.')
      return { status: 410, page: { title, text, button: null } }
    }
    case 'open': {
      const text = i18n._('This incident is open. If you are looking into it, acknowledge it to stop the reminders.')
      const form = { button: i18n._('Acknowledge'), hidden: { [formField]: link.formToken } }
      return { status: 200, page: { title: link.name, text, ...form } }
    }
    case 'acknowledged': {
      const { name: title, actor, at } = link
      const time = timeText(at)
      const text =
        actor === null
          ? i18n._('This incident was acknowledged at {time} UTC.', { time })
          : i18n._('This incident was acknowledged by {name} at {time} UTC.', { time, name: actor })
      return { status: 200, page: { title, text, button: null } }
    }
    case 'over': {
      const text = i18n._('This incident was resolved at {time} UTC.', { time: timeText(link.at) })
      return { status: 200, page: { title: link.name, text, button: null } }
    }
  }
}

export function tooManyVisits(i18n: Texts): Shown {
  const title = i18n._('Too many requests')
  const text = i18n._('Try again in a minute.')
  return { status: 429, page: { title, text, button: null } }
}

/** `2026-11-21 10:04` */
function timeText(at: Date): string {
  return at.toISOString().slice(0, 16).replace('T', ' ')
}
