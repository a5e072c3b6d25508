import { Hono } from 'hono'
import { type Texts, createTexts } from '#core/language/texts.ts'
import { type EndOfReport, readEndOfReport, useEndOfReport } from '#operations/reports/report-links.ts'
import { type PagesOptions, type Shown, answer, unknownLink } from './contact-pages.ts'

/**
 * The page behind the link in the mail of a report that ends it for its reader. Opening it changes nothing, because mail
 * scanners open every link: a button does, or the mail program's own POST (RFC 8058).
 */
export function createReportPages({ services, now = (): Date => new Date() }: PagesOptions): Hono {
  const pages = new Hono()
  const i18n = createTexts()
  const path = '/report-mail/unsubscribe/:reportId/:contactId/:signature'
  pages.get(path, async ({ req }) => answer(i18n, reportEndPage(i18n, await readEndOfReport(services, req.param()))))
  pages.post(path, async ({ req }) =>
    answer(i18n, reportEndPage(i18n, await useEndOfReport(services, req.param(), now()))),
  )
  return pages
}

export function reportEndPage(i18n: Texts, end: EndOfReport): Shown {
  switch (end.state) {
    case 'unknown':
      return unknownLink(i18n)
    case 'ended': {
      const title = i18n._('You are unsubscribed')
      return { status: 200, page: { title, text: i18n._('This address no longer gets this report.'), button: null } }
    }
    case 'sent': {
      const title = i18n._('Unsubscribe')
      const { report, destination: address } = end
      const text = i18n._('Stop sending the report “{report}” to {address}? Alerts are still sent.', {
        report,
        address,
      })
      return { status: 200, page: { title, text, button: title } }
    }
  }
}
