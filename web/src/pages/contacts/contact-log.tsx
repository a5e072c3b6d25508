import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { type InfiniteData, type Query, useSuspenseInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { DeliveryFilter, DeliveryPage, DeliveryRecord } from '../../api/contacts.ts'
import { Button } from '../../parts/button.tsx'
import { ShowOlder } from '../../parts/older.tsx'
import { Empty, Row, Rows } from '../../parts/list.tsx'
import { Section, linkClass } from '../../parts/page.tsx'
import { problemOf } from '../../parts/problem.ts'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { Awaited, Waiting } from '../../parts/waiting.tsx'
import { useChanged, useWorkspace } from '../../session/workspace.tsx'
import { type Contact, alertTitle, deliveryFilters, isHeld, isKept } from './contact-words.ts'
import { useMayWrite } from '../../session/use-monitors.ts'
import { logKey, readAgainMs, useContactsApi } from './use-contacts.ts'

type LogProps = { of: Contact; filter: DeliveryFilter }

export function DeliveryLog({ of, filter }: LogProps): ReactNode {
  const navigate = useNavigate()
  const { id } = of.contact
  const choose = (state: DeliveryFilter): void =>
    void navigate({ to: '/contacts/$id', params: { id }, search: state === 'all' ? {} : { state }, replace: true })
  return (
    <Section title={t`Alerts`} lead={t`The last 90 days, newest first. Test alerts are not listed.`}>
      <div role="group" aria-label={t`State`} className="mb-6 flex flex-wrap gap-2">
        {deliveryFilters.map(({ value, label }) => (
          <Button key={value} aria-pressed={value === filter} onClick={() => choose(value)}>
            {i18n._(label)}
          </Button>
        ))}
      </div>
      <Awaited fallback={<Waiting />}>
        <Deliveries of={of} filter={filter} />
      </Awaited>
    </Section>
  )
}

function Deliveries({ of, filter }: LogProps): ReactNode {
  const { workspace } = useWorkspace()
  const api = useContactsApi()
  const { id } = of.contact
  const pages = useSuspenseInfiniteQuery({
    queryKey: ['workspace', workspace.id, logKey(id), filter],
    queryFn: ({ pageParam }) => api.pageDeliveries(id, filter, pageParam),
    initialPageParam: '',
    getNextPageParam: (page): string | null => page.next_cursor,
    refetchInterval: pauseOf,
  })
  const deliveries = pages.data.pages.flatMap(({ data }) => data)
  const none = deliveryFilters.find(({ value }) => value === filter)?.none
  return (
    <>
      {deliveries.length === 0 && none !== undefined && <Empty>{i18n._(none)}</Empty>}
      <Rows label={t`Alerts`}>
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} of={of} delivery={delivery} />
        ))}
      </Rows>
      <ShowOlder pages={pages} />
    </>
  )
}

type Read = InfiniteData<DeliveryPage, string>

/** All pages that are shown are read again, so the more there are, the more seldom. */
function pauseOf({ state }: Query<DeliveryPage, Error, Read, string[]>): number {
  return readAgainMs * (state.data?.pages.length ?? 1)
}

function DeliveryRow({ of, delivery }: { of: Contact; delivery: DeliveryRecord }): ReactNode {
  const { monitor, incident_id: incident, created_at: at } = delivery
  const mayWrite = useMayWrite()
  const maySend = mayWrite && of.contact.enabled && of.contact.confirmed && isFresh(delivery)
  return (
    <Row
      title={
        <>
          {alertTitle(delivery)}
          {monitor !== null && (
            <>
              :{' '}
              <Link to="/monitors/$id" params={{ id: monitor.id }} className="hover:underline">
                {monitor.name}
              </Link>
            </>
          )}
        </>
      }
      details={
        <>
          <Time at={at} /> · <DeliveryState kind={of.contact.kind} of={delivery} />
          <Together of={delivery} />
          {incident !== null && (
            <>
              {' · '}
              <Link to="/incidents/$id" params={{ id: incident }} className={linkClass}>
                <Trans>Incident</Trans>
              </Link>
            </>
          )}
        </>
      }
      action={maySend && <SendAgain of={of} delivery={delivery} />}
    />
  )
}

/** How many alerts one message has, or that this one leaves with others. */
function Together({ of: { alerts, bundle_id: bundleId } }: { of: DeliveryRecord }): ReactNode {
  if (alerts === undefined && bundleId === undefined) return null
  return (
    <>
      {' · '}
      {alerts === undefined ? (
        <Trans>together with others</Trans>
      ) : (
        <Plural value={alerts} one="# alert" other="# alerts" />
      )}
    </>
  )
}

/** An alert of yesterday is noise: the service sends none again that is older. */
const freshMs = 86_400_000

function isFresh({ state, created_at: at }: DeliveryRecord): boolean {
  return state === 'failed' && Date.now() - Date.parse(at) < freshMs
}

function Delivered({ kind, of }: { kind: string; of: DeliveryRecord }): ReactNode {
  const { attempts, status_code: code, ended_at: endedAt, template_problem: problem } = of
  const time = endedAt !== null && <Time at={endedAt} />
  if (isKept(kind, of)) return <Trans>kept in the outbox {time}</Trans>
  return (
    <>
      {code === null ? (
        <Trans>delivered {time}</Trans>
      ) : (
        <Trans>
          delivered {time} with {code}
        </Trans>
      )}
      {attempts > 1 && (
        <>
          , <Trans>on attempt {attempts}</Trans>
        </>
      )}
      {problem !== undefined && (
        <>
          , <Trans>in the built-in words ({problem})</Trans>
        </>
      )}
    </>
  )
}

function DeliveryState({ kind, of }: { kind: string; of: DeliveryRecord }): ReactNode {
  const { state, attempts, error, next_attempt_at: next } = of
  const why = error === null ? '' : `: ${error}`
  switch (state) {
    case 'delivered':
      return <Delivered kind={kind} of={of} />
    case 'failed':
      return (
        <span className="text-bad">
          <Plural value={attempts} one="failed after # attempt" other="failed after # attempts" />
          {why}
        </span>
      )
    case 'dropped':
      return t`not sent: the incident was resolved or acknowledged before it was due`
    case 'pending':
      if (next === null) return t`held back while what its monitor depends on is down`
      if (isHeld(of))
        return (
          <Trans>
            held back until <Time at={next} />
          </Trans>
        )
      if (attempts === 0) return t`about to be sent`
      return (
        <>
          <Plural value={attempts} one="# attempt failed" other="# attempts failed" />
          {why}{' '}
          <Trans>
            Next <Time at={next} />
          </Trans>
        </>
      )
  }
}

function SendAgain({ of, delivery }: { of: Contact; delivery: DeliveryRecord }): ReactNode {
  const api = useContactsApi()
  const changed = useChanged()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const { id } = of.contact
  const what = `${alertTitle(delivery)} ${delivery.monitor?.name ?? ''}`.trimEnd()
  const send = async (): Promise<void> => {
    setBusy(true)
    try {
      await api.sendAgain(id, delivery.id)
      toast(t`It is being sent again.`)
    } catch (error) {
      toast(problemOf(error).message)
    } finally {
      setBusy(false)
      await changed(logKey(id), 'contact-states')
    }
  }
  return (
    <Button isBusy={isBusy} aria-label={t`Send again: ${what}`} onClick={() => void send()}>
      <Trans>Send again</Trans>
    </Button>
  )
}
