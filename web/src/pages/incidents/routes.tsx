import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { numberText } from '../../parts/language.ts'
import { Cell, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { compareRoutes, type HopPair, type IncidentRoute, type RouteComparison } from './route-comparison.ts'

/** The ways to the target after its failures, each beside what it was before. */
export default function Routes({ routes }: { routes: readonly IncidentRoute[] }): ReactNode {
  return (
    <div className="mt-6">
      <h3 className="font-medium">
        <Trans>Routes</Trans>
      </h3>
      <p className="mb-4 text-sm text-muted">
        <Trans>Which routers lay between each location and the target, by three probes for each of them.</Trans>
      </p>
      <ul aria-label={t`Routes`} className="grid gap-4 lg:grid-cols-2">
        {routes.map((route) => (
          <Taken key={`${route.location_code} ${route.taken_at}`} route={route} />
        ))}
      </ul>
    </div>
  )
}

function Taken({ route }: { route: IncidentRoute }): ReactNode {
  const { location_name: place, taken_at: at, address, before } = route
  const compared = compareRoutes(route)
  return (
    <li className="min-w-0 rounded-lg border border-line p-4">
      <h4 className="font-medium">{place}</h4>
      <p className="text-xs text-muted">
        <Time at={at} />
        {address !== null && ` · ${address}`}
      </p>
      <p className="mt-2 text-sm wrap-anywhere">{endText(route, compared)}</p>
      {changeText(route, compared).map((text) => (
        <p key={text} className="mt-1 text-sm wrap-anywhere">
          {text}
        </p>
      ))}
      {compared.hops.length > 0 && <Hops place={place} compared={compared} hasBefore={before !== null} />}
      {before !== null && (
        <p className="mt-2 text-xs text-muted">
          <Trans>
            Before: <Time at={before.taken_at} />
          </Trans>
        </p>
      )}
    </li>
  )
}

type HopsProps = { place: string; compared: RouteComparison; hasBefore: boolean }

function Hops({ place, compared, hasBefore }: HopsProps): ReactNode {
  const { hops, differsAt, losesFrom, lastAnswering } = compared
  const columns = [{ title: t`Hop` }, { title: t`Now` }, ...(hasBefore ? [{ title: t`Before` }] : [])]
  return (
    <div className="mt-3">
      <Table label={t`Hops from ${place}`} columns={columns}>
        {hops.map((pair) => (
          <tr key={pair.ttl} className={isMarked(pair, compared) ? 'bg-warn-soft' : undefined}>
            <Cell>{pair.ttl}</Cell>
            <Cell>
              <HopCell of={pair.now} />
              <Mark is={pair === differsAt}>{t`another router`}</Mark>
              <Mark is={pair.now !== null && pair.now === losesFrom}>{t`loses from here on`}</Mark>
              <Mark is={isFirstSilent(pair, lastAnswering?.ttl ?? 0)}>{t`silent from here on`}</Mark>
            </Cell>
            {hasBefore && (
              <Cell>
                <HopCell of={pair.before} />
              </Cell>
            )}
          </tr>
        ))}
      </Table>
    </div>
  )
}

function isFirstSilent({ ttl, now }: HopPair, lastAnswering: number): boolean {
  return now !== null && now.received === 0 && ttl === lastAnswering + 1
}

function isMarked(pair: HopPair, { differsAt, losesFrom, lastAnswering }: RouteComparison): boolean {
  const isLosing = pair.now !== null && pair.now === losesFrom
  return pair === differsAt || isLosing || isFirstSilent(pair, lastAnswering?.ttl ?? 0)
}

function Mark({ is, children }: { is: boolean; children: string }): ReactNode {
  return is ? <span className="block text-xs font-medium text-warn">{children}</span> : null
}

function HopCell({ of }: { of: HopPair['now'] }): ReactNode {
  if (of === null) return null
  const { address, sent, received, median_ms: ms } = of
  if (received === 0)
    return (
      <span className="text-muted">
        <Trans>no answer</Trans>
      </span>
    )
  const time = ms === null ? [] : [t`${numberText(Math.round(ms * 10) / 10)} ms`]
  const answered = received === sent ? [] : [t`${received} of ${sent} answered`]
  return (
    <>
      <span className="wrap-anywhere">{address ?? t`hidden`}</span>
      <span className="block text-xs text-muted">{[...time, ...answered].join(' · ')}</span>
    </>
  )
}

const reasons: Readonly<Record<string, MessageDescriptor>> = {
  network_unreachable: msg`there is no way to its network`,
  host_unreachable: msg`it cannot be reached`,
  protocol_unreachable: msg`it does not speak the protocol`,
  port_unreachable: msg`nothing listens there`,
  prohibited: msg`the way to it is prohibited`,
  too_big: msg`the packets are too large`,
}

function endText({ end, end_reason: reason }: IncidentRoute, compared: RouteComparison): string {
  const { lastAnswering, losesFrom, wasSilentThere } = compared
  const last = lastAnswering?.ttl ?? 0
  switch (end) {
    case 'reached': {
      const from = losesFrom?.ttl ?? 0
      return losesFrom === null
        ? t`The target answers probes, and none were lost on the way.`
        : t`The target answers probes, but from hop ${from} on some are lost.`
    }
    case 'unreachable':
      return unreachableText(reason ?? '', last)
    case 'silent':
      if (last === 0) return wasSilentThere ? t`Nothing answers probes, as before.` : t`Nothing answers probes.`
      return wasSilentThere
        ? t`Nothing answers behind hop ${last}, as before: the target may answer no probes.`
        : t`Nothing answers behind hop ${last}.`
    case 'timed_out':
      return t`The time was over behind hop ${last}.`
    case 'too_long':
      return t`After 30 hops there is no end: packets may go in circles.`
    case 'not_available':
      return reason ?? t`Routes are not available at this location.`
  }
}

function unreachableText(reason: string, last: number): string {
  const known = reasons[reason]
  const why = known === undefined ? t`it cannot be reached` : i18n._(known)
  return last === 0 ? t`The location itself says of the target: ${why}.` : t`Hop ${last} says of the target: ${why}.`
}

/** What is another way than before. */
function changeText(route: IncidentRoute, { differsAt }: RouteComparison): string[] {
  const { before, end } = route
  if (end === 'not_available' || before === null || before.end === 'not_available') return []
  const { ttl = 0, now, before: former } = differsAt ?? {}
  const [address, earlier] = [now?.address ?? '', former?.address ?? '']
  const texts = differsAt === null ? [] : [t`At hop ${ttl} the way is another one: ${address} in place of ${earlier}.`]
  if (before.end === 'reached' && end !== 'reached') texts.push(t`Before, the target answered probes.`)
  return texts
}
