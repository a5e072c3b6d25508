import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AlertChannelRecord, LocationRecord, MonitorRecord } from '../../api/monitors.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Section, linkClass } from '../../parts/page.tsx'
import { labelOf } from '../../parts/schema/schema.ts'
import { Time } from '../../parts/time.tsx'
import { useRead } from '../../workspace.tsx'
import { detailFacts, durationText, milliseconds } from './details.ts'
import { isCalled, kindWords } from './kinds.ts'
import { useMayWrite, useMonitors } from './use-monitors.ts'

/** What it is set to, in words. */
export function MonitorSettings({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const monitors = useMonitors()
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const { data: contacts } = useRead('contacts', { read: () => monitors.listContacts() })
  const mayWrite = useMayWrite()
  const change = (
    <Link to="/monitors/$id/edit" params={{ id: monitor.id }} className={linkClass}>
      Change
    </Link>
  )
  return (
    <>
      <Section title="Checks" action={mayWrite && change}>
        <Facts>
          <Fact term="Kind">{kindWords[monitor.kind].title}</Fact>
          {checkFacts(monitor, locations).map(({ term, text }) => (
            <Fact key={term} term={term}>
              {text}
            </Fact>
          ))}
        </Facts>
      </Section>
      <Section title="Alerts">
        <Facts>
          {alertFacts(monitor, contacts).map(({ term, text }) => (
            <Fact key={term} term={term}>
              {text}
            </Fact>
          ))}
        </Facts>
      </Section>
      <Section title="Billing">
        <Paid monitor={monitor} />
      </Section>
    </>
  )
}

type Words = { term: string; text: string }

function checkFacts(monitor: MonitorRecord, locations: readonly LocationRecord[]): Words[] {
  const { kind, url, interval_seconds: interval, heartbeat_grace_seconds: grace, timeout_ms: timeout } = monitor
  const names = monitor.locations.map((code) => locations.find((each) => each.code === code)?.name ?? code)
  const isPassive = kindWords[kind].target === null
  return [
    ...(url === null ? [] : [{ term: 'Target', text: url }]),
    { term: isCalled(kind) ? 'A call is expected' : 'Checked', text: `every ${durationText(interval)}` },
    ...(grace === null || !isCalled(kind) ? [] : [{ term: 'It may be late by', text: durationText(grace) }]),
    ...(isPassive
      ? []
      : [
          { term: 'From', text: names.join(', ') },
          { term: 'Given up after', text: milliseconds(timeout) },
        ]),
    ...requestFacts(monitor),
    ...detailFacts(monitor.check_options).filter(({ term }) => term !== labelOf('member_ids').label),
  ]
}

function requestFacts(monitor: MonitorRecord): Words[] {
  if (kindWords[monitor.kind].request !== 'whole') return []
  const { method, expected_status_min: least, expected_status_max: most, keyword, request_body: body } = monitor
  return [
    { term: 'Request', text: body === null ? method : `${method} with a body` },
    { term: 'Right status', text: least === most ? String(least) : `${least} to ${most}` },
    ...(keyword === null ? [] : [{ term: 'Text in the answer', text: keyword }]),
  ]
}

function alertFacts(monitor: MonitorRecord, contacts: readonly AlertChannelRecord[]): Words[] {
  const { alert_channel_ids: ids, failure_threshold: failures, recovery_threshold: recoveries } = monitor
  const names = contacts.filter(({ id }) => ids.includes(id)).map(({ name }) => name)
  return [
    { term: 'To', text: names.length === 0 ? 'nobody' : names.join(', ') },
    { term: 'An incident opens', text: `after ${roundsText(failures)} that failed` },
    { term: 'It resolves', text: `after ${roundsText(recoveries)} that did not` },
    ...(monitor.locations.length > 1
      ? [
          {
            term: 'A round has failed',
            text: `when ${monitor.confirmation_threshold} of ${monitor.locations.length} locations say so`,
          },
        ]
      : []),
    ...(kindWords[monitor.kind].request === 'whole'
      ? [{ term: 'Before something expires', text: monitor.expiry_alerts ? 'told' : 'not told' }]
      : []),
  ]
}

function roundsText(count: number): string {
  return count === 1 ? 'one round' : `${count} rounds in a row`
}

function Paid({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const { billing, billing_period: period, paid_until: until, paid_locations: count } = monitor
  if (billing === 'plan') return <p>It uses a slot of the plan.</p>
  return (
    <p>
      {count} {count === 1 ? 'location is' : 'locations are'} paid{' '}
      {period === 'lifetime' || until === null ? (
        'for life.'
      ) : (
        <>
          until <Time at={until} by="day" />, then renewed from credit.
        </>
      )}
    </p>
  )
}
