import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { MonitorRecord, QuoteRecord } from '../../api/monitors.ts'
import { SelectField } from '../../parts/field.tsx'
import { dollars } from '../../parts/money.ts'
import { Notice } from '../../parts/notice.tsx'
import { Section, linkClass } from '../../parts/page.tsx'
import { useRead, useWorkspace } from '../../workspace.tsx'

type PriceProps = { quote: QuoteRecord | null; record: MonitorRecord | null }

/** What saving would cost now, before it does. */
export function Price({ quote, record }: PriceProps): ReactNode {
  const { data: account } = useRead('account', { read: (api) => api.readAccount() })
  const { limit, used } = account.plan_monitors
  const isFull = used >= limit
  const {
    price_per_location_cents: monthly,
    lifetime_price_per_location_cents: lifetime,
    renewal_days: days,
  } = account.pricing
  const periods = [
    { value: 'monthly', label: `${dollars(monthly)} a location for ${days} days` },
    { value: 'lifetime', label: `${dollars(lifetime)} a location, once` },
  ]
  return (
    <Section title="Price" lead={record === null ? `${used} of ${limit} slots of the plan are used.` : undefined}>
      <div className="flex max-w-md flex-col gap-4">
        {record === null && isFull && <SelectField name="billing_period" label="It is paid" options={periods} />}
        {quote === null ? <Unknown isFull={isFull} record={record} /> : <Quoted quote={quote} days={days} />}
      </div>
    </Section>
  )
}

function Unknown({ isFull, record }: { isFull: boolean; record: MonitorRecord | null }): ReactNode {
  if (record?.billing === 'plan') return <p>Uses a slot of the plan: a change costs nothing.</p>
  if (record !== null) return <p className="text-muted">Only more locations than are paid for cost something.</p>
  if (!isFull) return <p>It uses a free slot of the plan: nothing to pay.</p>
  return <p className="text-muted">What it costs is shown here once the fields above are filled in.</p>
}

function Quoted({ quote, days }: { quote: QuoteRecord; days: number }): ReactNode {
  const { billing, billing_period: period, price_cents: price, credit_cents: credit, amount_due_cents: due } = quote
  if (billing === 'plan') return <p>It uses a slot of the plan: nothing to pay.</p>
  if (price === 0) return <p>Nothing to pay.</p>
  const span = period === 'lifetime' ? 'once, for life' : `for ${days} days`
  return (
    <>
      <p>
        <span className="font-medium">{dollars(price)}</span> {span}, taken from your credit of {dollars(credit)}.
      </p>
      {due > 0 && <Missing due={due} />}
    </>
  )
}

function Missing({ due }: { due: number }): ReactNode {
  const { isOwner } = useWorkspace()
  return (
    <Notice tone="warn">
      {dollars(due)} of credit are missing.{' '}
      {isOwner ? (
        <Link to="/settings/credit" className={linkClass}>
          Top up credit
        </Link>
      ) : (
        'Ask an owner of the workspace to top it up.'
      )}
    </Notice>
  )
}
