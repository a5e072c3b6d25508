import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AccountRecord } from '../../api/console.ts'
import type { MonitorRecord, QuoteRecord } from '../../api/monitors.ts'
import { SelectField } from '../../parts/form/field.tsx'
import { dollars } from '../../parts/money.ts'
import { Notice } from '../../parts/notice.tsx'
import { Section, linkClass } from '../../parts/page.tsx'
import { useHasPayments } from '../../session/session.ts'
import { useRead, useWorkspace } from '../../session/workspace.tsx'

type PriceProps = { quote: QuoteRecord | null; record: MonitorRecord | null }

/** The price of saving now, shown before the person saves; where nothing can be paid, whether the plan has room. */
export function Price({ quote, record }: PriceProps): ReactNode {
  if (!useHasPayments()) return record === null ? <Room /> : null
  return <PriceNow quote={quote} record={record} />
}

/** Said only where there is none left. */
export function Room({ count = 1 }: { count?: number }): ReactNode {
  const { data: account } = useRead('account', { read: (api) => api.readAccount() })
  const { limit, used } = account.plan_monitors
  const free = Math.max(0, limit - used)
  if (count <= free) return null
  return (
    <Notice tone="warn">
      {free === 0
        ? plural(limit, {
            one: 'The # slot of the plan is used. Delete a monitor to make room.',
            other: 'All # slots of the plan are used. Delete a monitor to make room.',
          })
        : plural(free, {
            one: 'The plan has room for # more monitor.',
            other: 'The plan has room for # more monitors.',
          })}
    </Notice>
  )
}

function PriceNow({ quote, record }: PriceProps): ReactNode {
  const { data: account } = useRead('account', { read: (api) => api.readAccount() })
  const { limit, used } = account.plan_monitors
  const isFull = used >= limit
  const { renewal_days: days } = account.pricing
  const slots = plural(limit, { other: `${used} of # slots of the plan are used.` })
  return (
    <Section title={t`Price`} lead={record === null ? slots : undefined}>
      <div className="flex max-w-md flex-col gap-4">
        {record === null && isFull && <PeriodField pricing={account.pricing} />}
        {quote === null ? <Unknown isFull={isFull} record={record} /> : <Quoted quote={quote} days={days} />}
      </div>
    </Section>
  )
}

type PeriodProps = Pick<AccountRecord, 'pricing'> & { onChange?: (period: string) => void }

/** How new monitors are paid for where the plan has no slot left. */
export function PeriodField({ pricing, onChange }: PeriodProps): ReactNode {
  const { price_per_location_cents: monthly, lifetime_price_per_location_cents: lifetime, renewal_days: days } = pricing
  const [monthlyPrice, lifetimePrice] = [dollars(monthly), dollars(lifetime)]
  const periods = [
    {
      value: 'monthly',
      label: t`${monthlyPrice} a location for ${plural(days, { one: '# day', other: '# days' })}`,
    },
    { value: 'lifetime', label: t`${lifetimePrice} a location, once` },
  ]
  const told = onChange === undefined ? {} : { onChange }
  return <SelectField name="billing_period" label={t`How it is paid`} options={periods} {...told} />
}

function Unknown({ isFull, record }: { isFull: boolean; record: MonitorRecord | null }): ReactNode {
  if (record?.billing === 'plan') return <p>{t`Uses a slot of the plan: a change costs nothing.`}</p>
  if (record !== null)
    return <p className="text-muted">{t`Only locations beyond those already paid for cost extra.`}</p>
  if (!isFull) return <p>{t`It uses a free slot of the plan: nothing to pay.`}</p>
  return <p className="text-muted">{t`What it costs is shown here once the fields above are filled in.`}</p>
}

type QuotedProps = { quote: Omit<QuoteRecord, 'locations'>; days: number }

/** A price, and what credit lacks for it. */
export function Quoted({ quote, days }: QuotedProps): ReactNode {
  const { billing, billing_period: period, price_cents: price, credit_cents: credit, amount_due_cents: due } = quote
  if (billing === 'plan') return <p>{t`It uses a slot of the plan: nothing to pay.`}</p>
  if (price === 0) return <p>{t`Nothing to pay.`}</p>
  const [priceText, creditText] = [dollars(price), dollars(credit)]
  return (
    <>
      <p>
        {period === 'lifetime' ? (
          <Trans>
            <span className="font-medium">{priceText}</span> once, for life, taken from your credit of {creditText}.
          </Trans>
        ) : (
          <Trans>
            <span className="font-medium">{priceText}</span> for <Plural value={days} one="# day" other="# days" />,
            taken from your credit of {creditText}.
          </Trans>
        )}
      </p>
      {due > 0 && <MissingCredit due={due} />}
    </>
  )
}

/** Cents that credit lacks, and who can mend that. */
function MissingCredit({ due }: { due: number }): ReactNode {
  const { isOwner } = useWorkspace()
  const missing = dollars(due)
  return (
    <Notice tone="warn">
      <Trans>{missing} of credit is missing.</Trans>{' '}
      {isOwner ? (
        <Link to="/settings/credit" className={linkClass}>
          <Trans>Top up credit</Trans>
        </Link>
      ) : (
        t`Ask an owner of the workspace to top it up.`
      )}
    </Notice>
  )
}
