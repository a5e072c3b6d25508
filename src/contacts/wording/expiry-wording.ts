import type { CertificateAlert, DomainAlert } from '#core/contacts/alerting.ts'
import { daysText, inDays } from '#core/expiry.ts'
import { dayText, type Fact, factsOf, timeText } from './facts.ts'

type Words = { tone: 'warning'; headline: string; lead: string; facts: Fact[] }

/** What was read longer ago may have changed since, so the reader is told when that was. */
const recentMs = 36 * 3_600_000

export function domainWording(alert: DomainAlert): Words {
  const { domain_name: domain, expires_at: end, days_left: days } = alert.data
  const facts = factsOfEnd(alert)
  if (isPast(alert)) {
    const ago = days === 0 ? '' : ` (${daysText(-days)} ago)`
    const lead = `The registration of ${domain} expired on ${dayText(end)}${ago}. The domain may stop working at any moment. Renew it with your registrar now.`
    return { tone: 'warning', headline: `Domain expired: ${domain}`, lead, facts }
  }
  const lead = `The registration of ${domain} expires ${inDays(days)} (on ${dayText(end)}). Renew it with your registrar.`
  return { tone: 'warning', headline: `Domain expiring ${inDays(days)}: ${domain}`, lead, facts }
}

/** Alerts begin when automatic renewal should have happened, so the text says what to look for. */
export function certificateWording(alert: CertificateAlert): Words {
  const { cert_host: host, expires_at: end, days_left: days } = alert.data
  return {
    tone: 'warning',
    headline: `Certificate expiring ${inDays(days)}: ${host}`,
    lead:
      `The certificate of ${host} expires ${inDays(days)} (on ${dayText(end)}). ` +
      'Automatic renewal should have replaced it by now. Find out why it did not, or renew the certificate by hand.',
    facts: factsOfEnd(alert),
  }
}

function factsOfEnd(alert: DomainAlert | CertificateAlert): Fact[] {
  const { monitor, expires_at: end, seen_at: seen } = alert.data
  const isRecent = Date.parse(alert.timestamp) - Date.parse(seen) < recentMs
  return factsOf([
    ['Monitor', monitor.name],
    ['Expires', timeText(end)],
    ['Issuer', alert.type === 'certificate.expiring' ? alert.data.cert_issuer : null],
    ['Last read', isRecent ? null : timeText(seen)],
    ['Address', monitor.url],
  ])
}

function isPast({ timestamp, data: { expires_at: end } }: DomainAlert): boolean {
  return Date.parse(end) <= Date.parse(timestamp)
}
