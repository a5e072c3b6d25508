import { Hono } from 'hono'
import { type Texts, createTexts } from '#core/language/texts.ts'
import {
  type Confirmation,
  type Unsubscription,
  readConfirmation,
  readUnsubscription,
  useConfirmation,
  useUnsubscription,
} from '#operations/contacts/contact-links.ts'
import type { Services } from '#operations/pipeline/services.ts'
import { type Page, contentSecurityPolicy, renderPage } from './html-page.ts'

export type PagesOptions = { services: Pick<Services, 'database' | 'secrets' | 'sendsMail'>; now?: () => Date }

/**
 * The pages behind the links in mails. Opening one changes nothing, because mail scanners open every link: a button
 * does, and for unsubscribing the mail program's own POST (RFC 8058).
 */
export function createPages({ services, now = (): Date => new Date() }: PagesOptions): Hono {
  const pages = new Hono()
  const i18n = createTexts()
  pages.get('/contacts/confirm/:token', async (context) => {
    const token = context.req.param('token')
    return answer(i18n, confirmationPage(i18n, await readConfirmation(services, { token, now: now() })))
  })
  pages.post('/contacts/confirm/:token', async (context) => {
    const token = context.req.param('token')
    return answer(i18n, confirmationPage(i18n, await useConfirmation(services, { token, now: now() })))
  })
  pages.get('/contacts/unsubscribe/:contactId/:signature', async (context) =>
    answer(i18n, unsubscriptionPage(i18n, await readUnsubscription(services, context.req.param()))),
  )
  pages.post('/contacts/unsubscribe/:contactId/:signature', async (context) =>
    answer(i18n, unsubscriptionPage(i18n, await useUnsubscription(services, context.req.param(), now()))),
  )
  return pages
}

export type Shown = { status: 200 | 403 | 404 | 410 | 429 | 503; page: Omit<Page, 'language'> }

export function confirmationPage(i18n: Texts, confirmation: Confirmation): Shown {
  switch (confirmation.state) {
    case 'unknown':
      return unknownLink(i18n)
    case 'expired': {
      const title = i18n._('This link has expired')
      const text = i18n._('Ask the person who added this address to send the mail again.')
      return { status: 410, page: { title, text, button: null } }
    }
    case 'waiting': {
      const { destination: address } = confirmation
      const title = i18n._('Confirm this address')
      const text = i18n._('Alerts will be sent to {address}. Each alert has a link to unsubscribe.', { address })
      return { status: 200, page: { title, text, button: i18n._('Confirm') } }
    }
    case 'confirmed': {
      const { destination: address } = confirmation
      const title = i18n._('This address is confirmed')
      return { status: 200, page: { title, text: i18n._('Alerts are sent to {address}.', { address }), button: null } }
    }
  }
}

export function unsubscriptionPage(i18n: Texts, unsubscription: Unsubscription): Shown {
  switch (unsubscription.state) {
    case 'unknown':
      return unknownLink(i18n)
    case 'ended': {
      const title = i18n._('You are unsubscribed')
      return { status: 200, page: { title, text: i18n._('This address gets no more alerts.'), button: null } }
    }
    case 'alerting': {
      const title = i18n._('Unsubscribe')
      const text = i18n._('Stop all alerts to {address}?', { address: unsubscription.destination })
      return { status: 200, page: { title, text, button: title } }
    }
  }
}

export function unknownLink(i18n: Texts): Shown {
  const title = i18n._('This link is not valid')
  const text = i18n._('The link may be incomplete. Open it from the message again, or copy the whole link.')
  return { status: 404, page: { title, text, button: null } }
}

export function answer(i18n: Texts, { status, page }: Shown): Response {
  return new Response(renderPage({ ...page, language: i18n.locale }), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy,
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex, nofollow',
    },
  })
}
