import { Hono } from 'hono'
import {
  type Confirmation,
  type Unsubscription,
  readConfirmation,
  readUnsubscription,
  useConfirmation,
  useUnsubscription,
} from '#operations/contact-links.ts'
import type { Services } from '#operations/services.ts'
import { type Page, contentSecurityPolicy, renderPage } from './page.ts'

export type PagesOptions = { services: Pick<Services, 'database' | 'secrets'>; now?: () => Date }

/**
 * The pages behind the links in mails. Opening one changes nothing, because mail scanners open every link: a button
 * does, and for unsubscribing the mail program's own POST (RFC 8058).
 */
export function createPages({ services, now = (): Date => new Date() }: PagesOptions): Hono {
  const pages = new Hono()
  pages.get('/contacts/confirm/:token', async (context) => {
    const token = context.req.param('token')
    return answer(confirmationPage(await readConfirmation(services, { token, now: now() })))
  })
  pages.post('/contacts/confirm/:token', async (context) => {
    const token = context.req.param('token')
    return answer(confirmationPage(await useConfirmation(services, { token, now: now() })))
  })
  pages.get('/contacts/unsubscribe/:contactId/:signature', async (context) =>
    answer(unsubscriptionPage(await readUnsubscription(services, context.req.param()))),
  )
  pages.post('/contacts/unsubscribe/:contactId/:signature', async (context) =>
    answer(unsubscriptionPage(await useUnsubscription(services, context.req.param(), now()))),
  )
  return pages
}

export type Shown = { status: 200 | 404 | 410; page: Page }

function confirmationPage(confirmation: Confirmation): Shown {
  switch (confirmation.state) {
    case 'unknown':
      return unknownLink
    case 'expired': {
      const text = 'Ask whoever added this address to send the mail again.'
      return { status: 410, page: { title: 'This link has expired', text, button: null } }
    }
    case 'waiting': {
      const text = `Alerts will be sent to ${confirmation.destination}. Each of them has a link that ends them.`
      return { status: 200, page: { title: 'Confirm this address', text, button: 'Confirm' } }
    }
    case 'confirmed': {
      const text = `Alerts are sent to ${confirmation.destination}.`
      return { status: 200, page: { title: 'This address is confirmed', text, button: null } }
    }
  }
}

function unsubscriptionPage(unsubscription: Unsubscription): Shown {
  switch (unsubscription.state) {
    case 'unknown':
      return unknownLink
    case 'ended': {
      const text = 'No more alerts are sent to this address.'
      return { status: 200, page: { title: 'You are unsubscribed', text, button: null } }
    }
    case 'alerting': {
      const text = `End all alerts to ${unsubscription.destination}?`
      return { status: 200, page: { title: 'Unsubscribe', text, button: 'Unsubscribe' } }
    }
  }
}

export const unknownLink: Shown = {
  status: 404,
  page: {
    title: 'This link is not valid',
    text: 'It may have been cut short on its way. Open it from the message again, or copy all of it.',
    button: null,
  },
}

export function answer({ status, page }: Shown): Response {
  return new Response(renderPage(page), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy,
      'Cache-Control': 'no-store',
    },
  })
}
