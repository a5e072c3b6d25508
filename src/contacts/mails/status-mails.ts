import { oneLine } from '#core/language/one-line.ts'
import type { Occurrence } from '#core/maintenance.ts'
import type { MaintenanceNewsType } from '#core/maintenance-news.ts'
import { type PostState, type StatusEventType, subscriptionDays } from '#core/status-pages/status-page.ts'
import type { StatusMessage } from '#core/status-pages/status-message.ts'
import { maintenanceNewsText, namesText, postTitle } from '#core/status-pages/status-words.ts'
import { type PageTexts, momentText, spanText } from '#core/status-pages/page-texts.ts'
import type { Texts } from '#core/language/texts.ts'
import type { MessageContext } from '#contacts/contact.ts'
import type { HttpMessage, MailMessage } from '#contacts/message.ts'
import type { Fact } from '#contacts/wording/facts.ts'
import { type MailLogo, mailHtml, mailText } from './mail-layout.ts'
import { noticeMail } from '#contacts/notices.ts'
import { signedMessage } from '#contacts/webhook.ts'
import type { Wording } from '#contacts/wording/wording.ts'

/** What happened on a status page, as its subscribers may know it. `url` is the page's. */
export type StatusNews = {
  eventId: string
  type: StatusEventType
  at: Date
  page: { id: string; title: string; url: string }
  /** Of a page that everybody may read; mail programs fetch it. */
  logo: MailLogo | null
  incident: { id: string; name: string; startedAt: Date; resolvedAt: Date | null } | null
  post: { id: string; state: PostState | null; title: string | null; body: string; postedAt: Date } | null
  /** `monitors`: names as the page has them; none of a window that is gone. */
  maintenance: (Occurrence & { id: string; title: string; description: string; monitors: string[] }) | null
}

/**
 * Asks whether mail is wanted. It quotes nothing that was typed for the page, or else anyone could send words through
 * us.
 */
export function subscriptionMail(i18n: Texts, of: { to: string; confirmUrl: string; pageUrl: string }): MailMessage {
  const { host, pathname } = new URL(of.pageUrl)
  return noticeMail(of.to, {
    tone: 'plain',
    headline: i18n._('Confirm updates of a status page'),
    lead: i18n._(
      'Someone asked to have updates of the status page {page} sent to this address. If that is you, confirm it within {days, plural, one {# day} other {# days}}. If not, ignore this message: nothing more will come.',
      { page: `${host}${pathname}`, days: subscriptionDays },
    ),
    facts: [],
    link: { label: i18n._('Confirm this address'), url: of.confirmUrl },
    footer: null,
    language: i18n.locale,
  })
}

/** Where a mail goes, and how its reader reads it. */
export type NewsReader = {
  to: string
  subscriberId: string
  /** Of the IANA database. */
  timeZone: string
  /** The page in the language of the mail. */
  readUrl: string
  publicUrl: string
  unsubscribeUrl: string
}

/**
 * Mails of one incident, or of one time of a maintenance window, refer to one id, so that mail programs show one
 * thread.
 */
export function newsMail(i18n: PageTexts, news: StatusNews, of: NewsReader): MailMessage {
  const { title } = news.page
  const wording = wordsOf({ i18n, timeOf: (at) => momentText(i18n, at, of.timeZone) }, news)
  const headline = oneLine(i18n._('{title}: {news}', { title, news: wording.headline }), maxSubject)
  const content = {
    ...wording,
    headline,
    link: { label: i18n._('Open {title}', { title: oneLine(title) }), url: of.readUrl },
    footer: {
      text: i18n._('No longer want these updates?'),
      label: i18n._('Unsubscribe'),
      url: of.unsubscribeUrl,
    },
    logo: news.logo,
    language: i18n.locale,
  }
  const domain = new URL(of.publicUrl).hostname
  const thread = threadOf(news)
  return {
    via: 'mail',
    to: of.to,
    subject: headline,
    text: mailText(content),
    html: mailHtml(content),
    headers: {
      'Message-ID': `<status-${news.eventId}-${of.subscriberId}@${domain}>`,
      ...(thread === null ? {} : { References: `<status-${thread}@${domain}>` }),
      'List-Unsubscribe': `<${of.unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
      Precedence: 'bulk',
    },
  }
}

function threadOf({ incident, maintenance }: StatusNews): string | null {
  if (incident !== null) return `incident-${incident.id}`
  return maintenance && `maintenance-${maintenance.id}-${maintenance.startsAt.getTime()}`
}

const maxSubject = 200
const types = {
  opened: 'status.incident_opened',
  resolved: 'status.incident_resolved',
  post: 'status.post',
  maintenance_planned: 'status.maintenance_planned',
  maintenance_changed: 'status.maintenance_changed',
  maintenance_cancelled: 'status.maintenance_cancelled',
  maintenance_begun: 'status.maintenance_begun',
  maintenance_ended: 'status.maintenance_ended',
} as const satisfies Record<StatusEventType, StatusMessage['type']>

/** The news as JSON, signed as webhooks of contacts are. The message has the event's id, the same on every try. */
export function newsWebhook(
  news: StatusNews,
  of: Pick<MessageContext, 'destination' | 'signingSecrets' | 'sentAt'>,
): HttpMessage {
  const { eventId, type, at, page, incident, post, maintenance } = news
  const data = {
    page,
    incident: incident && {
      id: incident.id,
      monitor_name: incident.name,
      started_at: incident.startedAt.toISOString(),
      resolved_at: incident.resolvedAt?.toISOString() ?? null,
    },
    post: post && {
      id: post.id,
      state: post.state,
      title: post.title,
      body: post.body,
      posted_at: post.postedAt.toISOString(),
    },
    maintenance: maintenance && {
      id: maintenance.id,
      title: maintenance.title,
      description: maintenance.description,
      starts_at: maintenance.startsAt.toISOString(),
      ends_at: maintenance.endsAt.toISOString(),
      monitors: maintenance.monitors,
    },
  }
  const message: StatusMessage = { type: types[type], timestamp: at.toISOString(), data }
  return signedMessage(JSON.stringify(message), { ...of, deliveryId: eventId })
}

/** The language of a mail, with times as its reader has them. */
type Reading = { i18n: PageTexts; timeOf: (at: Date) => string }

type Words = Pick<Wording, 'tone' | 'headline' | 'lead' | 'facts'>

/** Without errors of checks, which may tell of the inside of a network. */
function wordsOf(reading: Reading, { type, incident, post, maintenance, at }: StatusNews): Words {
  const { i18n, timeOf } = reading
  const maintenanceIs = maintenanceType(type)
  if (maintenance !== null && maintenanceIs !== null) return maintenanceNews(reading, maintenanceIs, maintenance)
  if (post !== null) return postWords(reading, post, incident)
  const name = oneLine(incident?.name ?? i18n._('A system'))
  const started: Fact = { label: i18n._('Since'), value: timeOf(incident?.startedAt ?? at) }
  if (type === 'opened')
    return {
      tone: 'bad',
      headline: i18n._('{name} is down', { name }),
      lead: i18n._('{name} does not work as it should.', { name }),
      facts: [started],
    }
  const ended = incident?.resolvedAt ?? at
  const lasted = spanText(i18n, ended.getTime() - (incident?.startedAt ?? at).getTime())
  return {
    tone: 'good',
    headline: i18n._('{name} works again', { name }),
    lead: i18n._('{name} works again.', { name }),
    facts: [
      { label: i18n._('From', {}, { context: 'time' }), value: started.value },
      { label: i18n._('To', {}, { context: 'time' }), value: timeOf(ended) },
      { label: i18n._('It lasted'), value: lasted },
    ],
  }
}

function postWords(
  { i18n, timeOf }: Reading,
  post: NonNullable<StatusNews['post']>,
  incident: StatusNews['incident'],
): Words {
  const posted = { label: i18n._('Posted'), value: timeOf(post.postedAt) }
  if (post.state === null || incident === null)
    return { tone: 'plain', headline: oneLine(post.title ?? i18n._('Announcement')), lead: post.body, facts: [posted] }
  const name = oneLine(incident.name)
  const facts = [{ label: i18n._('About'), value: name }, posted]
  const tone = post.state === 'resolved' ? 'good' : 'warning'
  return { tone, headline: postTitle(i18n, post.state, name), lead: post.body, facts }
}

function maintenanceNews(
  { i18n, timeOf }: Reading,
  type: MaintenanceNewsType,
  { title, startsAt, endsAt, description, monitors }: NonNullable<StatusNews['maintenance']>,
): Words {
  const { subject, sentence } = maintenanceNewsText(i18n, type, oneLine(title))
  const isComing = type !== 'ended' && type !== 'cancelled'
  const about =
    isComing && monitors.length > 0 ? [{ label: i18n._('About'), value: oneLine(namesText(i18n, monitors)) }] : []
  return {
    tone: type === 'ended' ? 'good' : 'plain',
    headline: subject,
    lead: isComing && description !== '' ? `${sentence}\n\n${description}` : sentence,
    facts: [
      { label: i18n._('From', {}, { context: 'time' }), value: timeOf(startsAt) },
      { label: i18n._('To', {}, { context: 'time' }), value: timeOf(endsAt) },
      ...about,
    ],
  }
}

/** Null for what is no maintenance. */
function maintenanceType(type: StatusEventType): MaintenanceNewsType | null {
  switch (type) {
    case 'opened':
    case 'resolved':
    case 'post':
      return null
    case 'maintenance_planned':
      return 'planned'
    case 'maintenance_changed':
      return 'changed'
    case 'maintenance_cancelled':
      return 'cancelled'
    case 'maintenance_begun':
      return 'begun'
    case 'maintenance_ended':
      return 'ended'
  }
}
