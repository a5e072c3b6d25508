import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { Arrival } from '../../parts/arrival.tsx'
import { AreaField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { linkClass } from '../../parts/page.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useUnsaved } from '../../parts/form/use-unsaved.ts'
import { useMoney } from '../../session/use-money.ts'
import { useMonitors } from '../../session/use-monitors.ts'
import { useHasPayments } from '../../session/session.ts'
import { useRead } from '../../session/workspace.tsx'
import { intervalText } from '../monitor/details.ts'
import { PeriodField, Quoted, Room } from '../monitor-form/price.tsx'
import { PrivateTargetField } from '../monitor-form/private-target.tsx'
import type { MonitorList } from '../monitors/monitors-rows.ts'
import { mostLines } from './lines.ts'
import type { GoOn } from './outcome.tsx'
import { type Created, type Watching, useWatching } from './use-watching.ts'
import { WatchRows } from './watch-rows.tsx'
import { Watched } from './watched.tsx'

const examples = 'example.com\nhttps://shop.example.com/health\ndb.example.com:5432'

/** Addresses become monitors. They are checked first, so that a typing error alerts no contact. */
export function WatchStep({ list, goOn }: { list: MonitorList; goOn: GoOn }): ReactNode {
  const watching = useWatching(list.rows)
  const { text, setText, permission, rows, choose, check } = watching
  const { isOffered, isChosen, onChoose } = permission
  const [isMaking, setMaking] = useState(false)
  // To be checked is not to be saved: an address is, once it is gone from the text, and on its way while it is made.
  const unsaved = useUnsaved({ isAsked: !isMaking })
  // The focus goes here when the form that had it is gone.
  const [made, setMade] = useState(0)
  const toast = useToast()
  const onCreated = async ({ count, isAll, isOver }: Created): Promise<void> => {
    if (isOver) return goOn(<WatchedNow count={count} />)
    if (count > 0) toast(watchedText(count))
    if (isAll) setMade(made + 1)
  }
  const watched = <Watched list={list} title={t`Watched now`} />
  return (
    <div className="flex flex-col gap-6">
      <p className="text-sm text-muted">
        <Trans>
          Does another tool already watch it?{' '}
          <Link to="/settings/import" className={linkClass}>
            Move in with its file
          </Link>
          .
        </Trans>
      </p>
      <Form
        look={rows.length === 0 ? 'primary' : 'secondary'}
        submit={t`Check them`}
        onSubmit={check}
        unsaved={unsaved}
        isRoomy
      >
        <AreaField
          name="addresses"
          label={t`Addresses`}
          hint={t`One per line, at most ${mostLines}. A name is checked as a website; a name with a port as a server, unless it begins with http:// or https://.`}
          placeholder={examples}
          rows={4}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        {isOffered && <PrivateTargetField isChosen={isChosen} onChoose={onChoose} />}
      </Form>
      {rows.length > 0 && (
        // What it reads may come later than the checks: until then the form above stays, and keeps its focus.
        <Suspense fallback={<WatchRows rows={rows} onChoose={choose} />}>
          <Findings watching={watching} onMaking={setMaking} onCreated={onCreated} />
        </Suspense>
      )}
      {list.rows.length > 0 && (made === 0 ? watched : <Arrival key={made}>{watched}</Arrival>)}
    </div>
  )
}

function WatchedNow({ count }: { count: number }): ReactNode {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1">
      <span className="font-medium">{watchedText(count)}</span>
      <Link to="/welcome" search={{ step: 'monitors' }} className={linkClass}>
        <Trans>Watch more</Trans>
      </Link>
    </p>
  )
}

function watchedText(count: number): string {
  return plural(count, { one: '# monitor is watched.', other: '# monitors are watched.' })
}

type FindingsProps = {
  watching: Watching
  onMaking: (isMaking: boolean) => void
  onCreated: (created: Created) => Promise<void>
}

/** The results of the checks, and which lines become monitors. */
function Findings({ watching: { rows, choose, create }, onMaking, onCreated }: FindingsProps): ReactNode {
  const { data: account } = useRead('account', { read: (api) => api.readAccount() })
  const usual = useUsual()
  const hasPayments = useHasPayments()
  const [period, setPeriod] = useState('monthly')
  const { limit, used } = account.plan_monitors
  const [count, free] = [rows.filter(({ isChosen }) => isChosen).length, Math.max(0, limit - used)]
  const isChecking = rows.some(({ found }) => found.type === 'checking')
  const possible = rows.flatMap(({ found }) => (found.type === 'checked' || found.type === 'untold' ? [found.url] : []))
  const hasWebsite = possible.some((url) => /^https:/i.test(url))
  const found = <WatchRows rows={rows} onChoose={choose} />
  if (isChecking || possible.length === 0) return found
  const submit = async (): Promise<void> => {
    onMaking(true)
    try {
      await onCreated(await create((index) => (index < free ? undefined : period)))
    } finally {
      onMaking(false)
    }
  }
  return (
    <Form
      submit={count === 0 ? t`Watch` : plural(count, { one: 'Watch it', other: 'Watch these #' })}
      onSubmit={submit}
      unsaved={false}
      isRoomy
    >
      {found}
      {hasWebsite && (
        <p className="text-sm text-muted">
          <Trans>For websites with TLS, you are also alerted before the certificate or the domain expires.</Trans>
        </p>
      )}
      {count > 0 && usual !== null && <Defaults count={count} {...usual} />}
      {hasPayments ? (
        <>
          {count > free && <PeriodField pricing={account.pricing} onChange={setPeriod} />}
          {count > 0 && <Price count={count} period={period} />}
        </>
      ) : (
        <Room count={count} />
      )}
    </Form>
  )
}

type Usual = { often: string; place: string; all: number }

/** How a monitor is checked that says nothing of it. Read with the checks, so that nothing is hidden after them. */
function useUsual(): Usual | null {
  const money = useMoney()
  const monitors = useMonitors()
  const { data: terms } = useRead('plan terms', { read: () => money.readPlanTerms() })
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const [first] = locations
  if (first === undefined) return null
  return { often: intervalText(terms.usual_interval_seconds), place: first.name, all: locations.length }
}

/** What was not asked: it can be changed at each monitor. */
function Defaults({ count, often, place, all }: Usual & { count: number }): ReactNode {
  const from =
    all === 1
      ? plural(count, {
          one: `It is checked ${often}, from ${place}.`,
          other: `Each is checked ${often}, from ${place}.`,
        })
      : plural(count, {
          one: `It is checked ${often}, from ${place}, one of ${all} locations.`,
          other: `Each is checked ${often}, from ${place}, one of ${all} locations.`,
        })
  return (
    <p className="text-sm text-muted">
      {from} <Trans>You can change both in the settings of the monitor.</Trans>
    </p>
  )
}

/** The price of so many monitors with one location each. */
function Price({ count, period }: { count: number; period: string }): ReactNode {
  const { data: account } = useRead('account', { read: (api) => api.readAccount() })
  const { credit_cents: credit, pricing, plan_monitors: slots } = account
  const free = Math.max(0, slots.limit - slots.used)
  const paid = Math.max(0, count - free)
  const isLifetime = period === 'lifetime'
  const price = paid * (isLifetime ? pricing.lifetime_price_per_location_cents : pricing.price_per_location_cents)
  if (paid === 0)
    return (
      <p className="text-sm text-muted">
        {plural(free, {
          one: 'The plan has # free slot: nothing to pay.',
          other: 'The plan has # free slots: nothing to pay.',
        })}
      </p>
    )
  const quote = {
    billing: 'paid',
    billing_period: isLifetime ? 'lifetime' : 'monthly',
    price_cents: price,
    credit_cents: credit,
    amount_due_cents: Math.max(0, price - credit),
  } as const
  return (
    <div className="flex flex-col gap-3 text-sm">
      {free > 0 && (
        <p className="text-muted">
          <Trans>The plan has room for {free} of them; the others are paid.</Trans>
        </p>
      )}
      <Quoted quote={quote} days={pricing.renewal_days} />
    </div>
  )
}
