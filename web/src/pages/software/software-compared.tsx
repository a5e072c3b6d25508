import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Vulnerabilities } from '../../api/monitors.ts'
import { listed } from '../../parts/language.ts'
import { Empty } from '../../parts/list.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'

type Compared = Vulnerabilities['compared'][number]
type Report = { report: Pick<Vulnerabilities, 'comparison' | 'compared' | 'entries_to_compare'> }

/** Something that the list needs is still to be read for the first time. */
export function isAwaited({ compared }: Pick<Vulnerabilities, 'compared'>): boolean {
  return compared.some(({ state }) => state === 'unread')
}

/** From when the oldest data are with which the software was compared; nothing where it was not. */
export function ComparedWith({ report: { comparison, compared } }: Report): ReactNode {
  const [oldest] = compared.flatMap(({ data_as_of: at }) => at ?? []).toSorted()
  if (comparison === 'not_compared' || oldest === undefined) return null
  return (
    <p className="mb-3 text-sm text-muted">
      <Trans>
        Compared with data of <Time at={oldest} />.
      </Trans>
    </p>
  )
}

/**
 * What waits to be compared, with what the software was not compared, and which data are old; nothing where there is
 * nothing to say.
 */
export function NotCompared({ report: { compared, entries_to_compare: waiting } }: Report): ReactNode {
  const old = Map.groupBy(
    compared.filter(({ state }) => state === 'old'),
    ({ data_as_of: at }) => at?.slice(0, 10) ?? '',
  )
  const [unread, off] = [namesOf(compared, 'unread'), namesOf(compared, 'off')]
  if (waiting === 0 && unread === '' && off === '' && old.size === 0) return null
  return (
    <div className="mb-5">
      <Notice tone="warn">
        {waiting > 0 && (
          <p>
            <Trans>Being compared, entries left: {waiting}.</Trans>
          </p>
        )}
        {unread !== '' && (
          <p>
            <Trans>Not compared yet, because nothing was read so far from: {unread}.</Trans>
          </p>
        )}
        {off !== '' && (
          <p>
            <Trans>Not compared, because this installation does not read: {off}.</Trans>
          </p>
        )}
        {[...old.values()].map((ofDay) => (
          <Old key={ofDay[0]?.data_as_of} compared={ofDay} />
        ))}
      </Notice>
    </div>
  )
}

/** Of one day. */
function Old({ compared }: { compared: readonly Compared[] }): ReactNode {
  const names = namesOf(compared, 'old')
  const at = compared[0]?.data_as_of ?? ''
  return (
    <p>
      <Trans>
        Compared with data of <Time at={at} by="day" />. No newer data was read from: {names}.
      </Trans>
    </p>
  )
}

/** What an empty list of findings says: that nothing is known only where it was compared. */
export function NothingFound({ report }: Report): ReactNode {
  const { comparison, compared, entries_to_compare: waiting } = report
  return (
    <Empty>
      {compared.length === 0 ? (
        <Trans>There is no software in the list that could be compared.</Trans>
      ) : waiting > 0 ? (
        <Trans>Being compared: known problems are listed when it is done.</Trans>
      ) : comparison === 'complete' ? (
        <Trans>No problems are known.</Trans>
      ) : comparison === 'partial' ? (
        <Trans>Nothing was found in the data it was compared with.</Trans>
      ) : (
        <Trans>It was not compared, so its problems are not known.</Trans>
      )}
    </Empty>
  )
}

const feeds: Readonly<Record<Compared['source'], MessageDescriptor>> = {
  osv: msg`OSV`,
  nvd: msg`NVD`,
  cve: msg`CVE list`,
  exploited: msg`known exploited vulnerabilities (CISA)`,
  endoflife: msg`endoflife.date`,
}

function namesOf(compared: readonly Compared[], wanted: Compared['state']): string {
  const names = compared.flatMap(({ source, ecosystem, state }) =>
    state === wanted ? [ecosystem ?? i18n._(feeds[source])] : [],
  )
  return names.length === 0 ? '' : listed(names)
}
