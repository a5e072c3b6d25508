import { plural, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ReportContent } from '../../api/reports.ts'
import { Cell, Table } from '../../parts/table.tsx'
import { lengthText } from './report-words.ts'
import { Moment } from './report-moment.tsx'

type Props = { content: ReportContent }

type PartProps = { title: string; more?: ReactNode; children: ReactNode }

function Part({ title, more, children }: PartProps): ReactNode {
  return (
    <section>
      <h2 className="mb-2 font-semibold">{title}</h2>
      {children}
      {more !== undefined && more !== '' && <p className="mt-2 text-sm text-muted">{more}</p>}
    </section>
  )
}

export function ReportIncidents({ content: { incidents, totals, period } }: Props): ReactNode {
  const more = totals.incidents - incidents.length
  return (
    <Part
      title={t`Incidents, the longest first`}
      more={more > 0 ? plural(more, { one: '# shorter incident', other: '# shorter incidents' }) : ''}
    >
      {incidents.length === 0 ? (
        <p className="text-sm">{t({ message: 'There was none.', context: 'incident' })}</p>
      ) : (
        <Table
          label={t`Incidents`}
          columns={[
            { title: t`Monitor` },
            { title: t`Began`, align: 'right' },
            { title: t({ message: 'Ended', context: 'incident' }), align: 'right', isExtra: true },
            { title: t`Downtime`, align: 'right' },
          ]}
        >
          {incidents.map((one) => (
            <tr key={one.id}>
              <Cell>
                <Link to="/incidents/$id" params={{ id: one.id }} className="hover:underline">
                  {one.monitor_name}
                </Link>
                {one.cause !== null && <span className="block text-xs text-muted">{one.cause}</span>}
              </Cell>
              <Cell align="right">
                <span className="max-sm:block max-sm:w-24 max-sm:whitespace-normal">
                  <Moment at={one.started_at} zone={period.time_zone} />
                </span>
              </Cell>
              <Cell align="right" isExtra>
                {one.resolved_at === null ? t`ongoing` : <Moment at={one.resolved_at} zone={period.time_zone} />}
              </Cell>
              <Cell align="right">{lengthText(one.downtime_seconds)}</Cell>
            </tr>
          ))}
        </Table>
      )}
    </Part>
  )
}

export function ReportSlowest({ content: { slowest } }: Props): ReactNode {
  if (slowest.length === 0) return null
  return (
    <Part title={t`Slowest`}>
      <Table
        label={t`Slowest`}
        columns={[
          { title: t`Monitor` },
          { title: t`Mean`, align: 'right' },
          { title: t`Mean before`, align: 'right', isExtra: true },
          { title: t`95 % within`, align: 'right' },
          { title: t`95 % before`, align: 'right', isExtra: true },
        ]}
      >
        {slowest.map((one) => (
          <tr key={one.id}>
            <Cell>{one.name}</Cell>
            <Cell align="right">{latencyText(one.latency_ms)}</Cell>
            <Cell align="right" isExtra>
              {latencyText(one.previous_latency_ms)}
            </Cell>
            <Cell align="right">{latencyText(one.p95_ms)}</Cell>
            <Cell align="right" isExtra>
              {latencyText(one.previous_p95_ms)}
            </Cell>
          </tr>
        ))}
      </Table>
    </Part>
  )
}

function latencyText(ms: number | null): string {
  return ms === null ? t`unknown` : t`${ms} ms`
}

export function ReportExpiring({ content: { expiring, expiring_count: count, period } }: Props): ReactNode {
  if (expiring.length === 0) return null
  const more = count - expiring.length
  return (
    <Part title={t`Expiring within 30 days`} more={more > 0 ? t`${more} more` : ''}>
      <Table
        label={t`Expiring within 30 days`}
        columns={[{ title: t`What` }, { title: t`Monitor` }, { title: t`Ends`, align: 'right' }]}
      >
        {expiring.map(({ monitor_id: id, monitor_name: monitor, subject, name, expires_at: at }) => (
          <tr key={`${id} ${subject}`}>
            <Cell>{subject === 'domain' ? t`Domain ${name}` : t`Certificate of ${name}`}</Cell>
            <Cell>{monitor}</Cell>
            <Cell align="right">
              <Moment at={at} zone={period.time_zone} by="day" />
            </Cell>
          </tr>
        ))}
      </Table>
    </Part>
  )
}

export function ReportExposures({ content: { exposures } }: Props): ReactNode {
  const { open, closed, proved, median_seconds: median } = exposures
  if (open + closed === 0) return null
  return (
    <Part title={t`Known to be exploited`}>
      <p className="text-sm">
        {t`${open} exposed now.`}
        {median !== null &&
          ` ${t`${closed} ended in this period, ${proved} of them proved fixed; median ${lengthText(median)}.`}`}
      </p>
    </Part>
  )
}

export function ReportFindings({ content: { findings } }: Props): ReactNode {
  const { open, exploited, critical, high, medium, low, unrated, new: fresh, newest } = findings
  if (open === 0) return null
  return (
    <Part title={t`Vulnerabilities`}>
      <p className="text-sm">
        {t`${open} open: ${critical} critical, ${high} high, ${medium} medium, ${low} low, ${unrated} not rated; ${exploited} actively exploited. ${fresh} found in this period.`}
      </p>
      {newest.length > 0 && (
        <Table
          label={t`New vulnerabilities`}
          columns={[{ title: t`New` }, { title: t`Severity` }, { title: t`Software` }, { title: t`Monitor` }]}
        >
          {newest.map((one) => (
            <tr key={`${one.monitor_id} ${one.vuln_id} ${one.software}`}>
              <Cell>{one.vuln_id}</Cell>
              <Cell>{one.severity ?? '–'}</Cell>
              <Cell>{one.version === null ? one.software : `${one.software} ${one.version}`}</Cell>
              <Cell>{one.monitor_name}</Cell>
            </tr>
          ))}
        </Table>
      )}
    </Part>
  )
}
