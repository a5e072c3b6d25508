import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { ContactRecord, LocationRecord, MonitorRecord } from '../../api/monitors.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Section } from '../../parts/page.tsx'
import { alertRulesText } from '../../parts/form/alert-rules.tsx'
import { listed } from '../../parts/language.ts'
import { labelOf } from '../../api/schema.ts'
import { Time } from '../../parts/time.tsx'
import { useRead } from '../../session/workspace.tsx'
import { alertedBy } from './alerted.ts'
import { detailFacts, durationText, intervalText, milliseconds } from './details.ts'
import { scheduleText } from './schedule-words.ts'
import { witnessesText } from './witnesses.ts'
import { isCalled, isProbed, kindWords } from './kinds.ts'
import { Dependencies } from './parents.tsx'
import { useHasPayments } from '../../session/session.ts'
import { useMonitors } from '../../session/use-monitors.ts'

/** The settings of a monitor, in words. Its kind, its target and what can be done with it are in the head above. */
export function MonitorSettings({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const monitors = useMonitors()
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const { data: contacts } = useRead('contacts', { read: () => monitors.listContacts() })
  const hasPayments = useHasPayments()
  return (
    <>
      <Section title={t`Checks`}>
        <Facts>
          {checkFacts(monitor, locations).map(({ term, text }) => (
            <Fact key={term} term={term}>
              {text}
            </Fact>
          ))}
          {(hasPayments || monitor.billing === 'paid') && (
            <Fact term={t`Billing`}>
              <Paid monitor={monitor} />
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={t`Alerts`}>
        <Facts>
          {alertFacts(monitor, { contacts, locations }).map(({ term, text }) => (
            <Fact key={term} term={term}>
              {text}
            </Fact>
          ))}
        </Facts>
      </Section>
      <Dependencies monitor={monitor} />
    </>
  )
}

type Words = { term: string; text: string }

function checkFacts(monitor: MonitorRecord, locations: readonly LocationRecord[]): Words[] {
  const { kind, interval_seconds: interval, heartbeat_grace_seconds: grace, timeout_ms: timeout } = monitor
  const names = monitor.locations.map((code) => locations.find((each) => each.code === code)?.name ?? code)
  return [
    {
      term: isCalled(kind) ? t`A call is expected` : t`Checked`,
      text: scheduleText(monitor.check_options) ?? intervalText(interval),
    },
    ...(grace === null || !isCalled(kind) ? [] : [{ term: t`It may be late by`, text: durationText(grace) }]),
    ...(isProbed(kind)
      ? [
          { term: t({ message: 'From', context: 'location of a check' }), text: listed(names) },
          { term: t`Given up after`, text: milliseconds(timeout) },
        ]
      : []),
    ...(monitor.tags.length === 0 ? [] : [{ term: t`Tags`, text: listed(monitor.tags) }]),
    ...requestFacts(monitor),
    ...detailFacts(monitor.check_options).filter(
      ({ term }) => !toldElsewhere.some((name) => term === labelOf(name).label),
    ),
  ]
}

const toldElsewhere = ['member_ids', 'schedule', 'time_zone'] as const

function requestFacts(monitor: MonitorRecord): Words[] {
  if (kindWords[monitor.kind].request !== 'whole') return []
  const { method, expected_status_min: least, expected_status_max: most, keyword, request_body: body } = monitor
  const codes = monitor.expected_statuses?.join(', ')
  return [
    { term: t`Request`, text: body === null ? method : t`${method} with a body` },
    { term: t`Accepted status codes`, text: codes ?? (least === most ? String(least) : t`${least} to ${most}`) },
    ...(keyword === null ? [] : [{ term: t`Text in the response`, text: keyword }]),
  ]
}

type Others = { contacts: readonly ContactRecord[]; locations: readonly LocationRecord[] }

function alertFacts(monitor: MonitorRecord, { contacts, locations }: Others): Words[] {
  const { failure_threshold: failures, recovery_threshold: recoveries, alert_channel_tags: tags } = monitor
  const names = alertedBy(monitor, contacts).map(({ name }) => name)
  const { confirmation_threshold: needed, retry_interval_seconds: retry } = monitor
  const standing = witnessesText(locations.filter(({ code }) => monitor.locations.includes(code)))
  return [
    {
      term: t({ message: 'To', context: 'contacts that are alerted' }),
      text: names.length === 0 ? t`no one` : listed(names),
    },
    ...(tags.length === 0 ? [] : [{ term: t`To contacts tagged`, text: listed(tags) }]),
    ...(monitor.alert_rules === null
      ? []
      : [
          {
            term: t({ message: 'Alerts', context: 'which alerts' }),
            text: alertRulesText(monitor.alert_rules).join('; '),
          },
        ]),
    {
      term: t`An incident opens`,
      text: plural(failures, { one: 'after one round that failed', other: 'after # rounds in a row that failed' }),
    },
    ...(retry === null || !isProbed(monitor.kind)
      ? []
      : [{ term: t`After a failed round`, text: t`checked again after ${durationText(retry)}` }]),
    {
      term: t`It resolves`,
      text: plural(recoveries, { one: 'after one round that did not', other: 'after # rounds in a row that did not' }),
    },
    ...(monitor.locations.length > 1
      ? [
          {
            term: t`A round has failed`,
            text: plural({ locations: monitor.locations.length }, { other: `when ${needed} of # locations say so` }),
          },
          ...(standing === null ? [] : [{ term: t`Its witnesses`, text: standing }]),
        ]
      : []),
    ...slownessFacts(monitor),
    ...(monitor.kind !== 'group'
      ? [
          {
            term: isCalled(monitor.kind) ? t`Logs of failed runs` : t`Evidence of failures`,
            text: monitor.keep_evidence ? t`kept` : t`not kept`,
          },
        ]
      : []),
    ...(kindWords[monitor.kind].request === 'whole'
      ? [{ term: t`Before something expires`, text: monitor.expiry_alerts ? t`alerted` : t`not alerted` }]
      : []),
  ]
}

function slownessFacts(monitor: MonitorRecord): Words[] {
  const { alert_degraded_rounds: rounds, alert_slow_factor: factor } = monitor
  return [
    ...(rounds === null
      ? []
      : [
          {
            term: t`Alert when degraded`,
            text: plural(rounds, { one: 'after one round', other: 'after # rounds in a row' }),
          },
        ]),
    ...(factor === null
      ? []
      : [
          {
            term: t`Alert when slow`,
            text: plural(
              { rounds: monitor.alert_slow_rounds },
              {
                one: `after one round of ${factor} times the usual response time`,
                other: `after # rounds in a row of ${factor} times the usual response time`,
              },
            ),
          },
        ]),
  ]
}

function Paid({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const { billing, billing_period: period, paid_until: until, paid_locations: count } = monitor
  if (billing === 'plan') return t`It uses a slot of the plan.`
  if (period === 'lifetime' || until === null)
    return <Plural value={count} one="# location is paid for life." other="# locations are paid for life." />
  return (
    <Trans>
      <Plural value={count} one="# location is paid" other="# locations are paid" /> until <Time at={until} by="day" />,
      then renewed from credit.
    </Trans>
  )
}
