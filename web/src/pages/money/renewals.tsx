import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { AccountRecord, MonitorRecord } from '../../api/console.ts'
import { useMoney } from '../../session/use-money.ts'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { Empty } from '../../parts/list.tsx'
import { dollars } from '../../parts/money.ts'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useShown } from '../../parts/shown.tsx'
import { Cell, type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useChanged } from '../../session/workspace.tsx'

const dayMs = 86_400_000

/** `monitors`: those paid by the month. */
type RenewalsProps = { account: AccountRecord; monitors: readonly MonitorRecord[]; lifelong: number }

export function Renewals({ account, monitors, lifelong }: RenewalsProps): ReactNode {
  const { pricing } = account
  const sorted = monitors.toSorted((one, other) => untilOf(one) - untilOf(other))
  const monthly = sumOf(monitors, pricing)
  const { shown, more } = useShown(sorted)
  const [renewed, setRenewed] = useState<MonitorRecord | null>(null)
  return (
    <Section title={t`Renewals`} lead={leadOf({ count: monitors.length, lifelong, monthly, pricing })}>
      <div className="flex flex-col gap-4">
        <Warnings account={account} monitors={monitors} />
        {monitors.length === 0 ? (
          <Empty>
            <Trans>Nothing is paid by the month.</Trans>
          </Empty>
        ) : (
          <Table label={t`Renewals`} columns={columns()}>
            {shown.map((monitor) => (
              <Renewal key={monitor.id} monitor={monitor} pricing={pricing} onRenew={() => setRenewed(monitor)} />
            ))}
          </Table>
        )}
        {more}
      </div>
      {renewed !== null && <Renew monitor={renewed} account={account} onClose={() => setRenewed(null)} />}
    </Section>
  )
}

type Pricing = AccountRecord['pricing']

/** Cents for another period of all of these, as the service prices one (docs/money.md). */
function sumOf(monitors: readonly MonitorRecord[], pricing: Pricing): number {
  return monitors.reduce((sum, { locations }) => sum + locations.length * pricing.price_per_location_cents, 0)
}

function untilOf({ paid_until: until }: MonitorRecord): number {
  return until === null ? 0 : Date.parse(until)
}

function leadOf(counted: { count: number; lifelong: number; monthly: number; pricing: Pricing }): string {
  const { count, lifelong, monthly, pricing } = counted
  const cost = dollars(monthly)
  const { renewal_days: days } = pricing
  const byMonth = plural(count, {
    one: `# monitor paid by the month: ${cost} every ${days} days, from credit.`,
    other: `# monitors paid by the month: ${cost} every ${days} days, from credit.`,
  })
  const forLife = plural(lifelong, { one: '# monitor paid for life.', other: '# monitors paid for life.' })
  return [...(count === 0 ? [] : [byMonth]), ...(lifelong === 0 ? [] : [forLife])].join(' ')
}

/** Monitors that will end unpaid if nothing is done, and what to do. */
function Warnings({ account, monitors }: Pick<RenewalsProps, 'account' | 'monitors'>): ReactNode {
  const { pricing, credit_cents: credit } = account
  const [now] = useState(() => Date.now())
  const stopped = monitors.filter(isStopped)
  const overdue = monitors.filter((monitor) => monitor.billing_state === 'overdue' && !isStopped(monitor))
  const soon = monitors.filter(
    (monitor) => monitor.status === 'enabled' && untilOf(monitor) < now + pricing.renewal_days * dayMs,
  )
  const missingCents = sumOf(soon, pricing) - credit
  const [count, missing] = [stopped.length, dollars(missingCents)]
  const { renewal_days: days } = pricing
  return (
    <>
      {count > 0 && (
        <Notice tone="bad">
          <Trans>
            No longer checked, because the paid time has ended:{' '}
            <Plural value={count} one="# monitor" other="# monitors" />. Renew below; if credit does not cover that, top
            it up first.
          </Trans>
        </Notice>
      )}
      {overdue.length > 0 && (
        <Notice tone="warn">
          <Overdue count={overdue.length} shortCents={sumOf(overdue, pricing) - credit} days={pricing.grace_days} />
        </Notice>
      )}
      {overdue.length === 0 && missingCents > 0 && (
        <Notice tone="warn">
          <Trans>
            Credit does not cover what renews in the next {days} days: {missing} is missing.
          </Trans>
        </Notice>
      )}
    </>
  )
}

/** `shortCents`: what credit lacks, if it lacks anything; `days` after their end monitors pause. */
type OverdueProps = { count: number; shortCents: number; days: number }

function Overdue({ count, shortCents, days }: OverdueProps): ReactNode {
  const short = dollars(shortCents)
  return shortCents > 0 ? (
    <Trans>
      Overdue: <Plural value={count} one="# monitor" other="# monitors" />. Credit is {short} short. Renewal follows
      within the hour once credit covers it; {days} days after their end, checks pause.
    </Trans>
  ) : (
    <Trans>
      Overdue: <Plural value={count} one="# monitor" other="# monitors" />. Renewal follows within the hour once credit
      covers it; {days} days after their end, checks pause.
    </Trans>
  )
}

/** Paused with nothing paid: only a renewal starts it again. */
function isStopped({ status, billing_state: state }: MonitorRecord): boolean {
  return status === 'paused' && state === 'overdue'
}

function columns(): readonly Column[] {
  return [
    { title: t`Monitor` },
    { title: t({ message: 'Renews', context: 'monitor' }), isExtra: true },
    { title: t`Cost`, align: 'right' },
    { title: t`Renew now`, align: 'right' },
  ]
}

type RenewalProps = { monitor: MonitorRecord; pricing: Pricing; onRenew: () => void }

function Renewal({ monitor, pricing, onRenew }: RenewalProps): ReactNode {
  const { name, locations } = monitor
  const count = locations.length
  return (
    <tr>
      <Cell>
        <span className="font-medium">{name}</span>
        <div className="text-muted">
          <Plural value={count} one="# location" other="# locations" />
        </div>
        <div className="text-muted sm:hidden">
          <When monitor={monitor} />
        </div>
      </Cell>
      <Cell isExtra>
        <When monitor={monitor} />
      </Cell>
      <Cell align="right">{dollars(sumOf([monitor], pricing))}</Cell>
      <Cell align="right">
        <Button aria-label={t`Renew ${name}`} onClick={onRenew}>
          <Trans>Renew</Trans>
        </Button>
      </Cell>
    </tr>
  )
}

function When({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const { paid_until: until, status, billing_state: state } = monitor
  if (until === null) return null
  const end = <Time at={until} by="day" />
  if (isStopped(monitor)) return <Trans>ended {end}, paused</Trans>
  if (state === 'overdue') return <Trans>overdue since {end}</Trans>
  return status === 'paused' ? <Trans>paused, not renewed automatically; ends {end}</Trans> : end
}

type RenewProps = { monitor: MonitorRecord; account: AccountRecord; onClose: () => void }

function Renew({ monitor, account, onClose }: RenewProps): ReactNode {
  const { id, name } = monitor
  const [price, credit] = [dollars(sumOf([monitor], account.pricing)), dollars(account.credit_cents)]
  const { renewal_days: days } = account.pricing
  const money = useMoney()
  const changed = useChanged()
  const toast = useToast()
  const submit = async (): Promise<void> => {
    await money.renew(id)
    await changed('account', 'credit', 'monitors', 'paid monitors')
    toast(t`${name} is renewed.`)
    onClose()
  }
  return (
    <FormDialog title={t`Renew ${name}?`} submit={t`Renew`} onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>
          {days} more days cost {price} of the credit of {credit}. The remaining days are kept.
        </Trans>
      </p>
    </FormDialog>
  )
}
