import { type ReactNode, useState } from 'react'
import type { AccountRecord, MonitorRecord } from '../api/console.ts'
import { useMoney } from '../money.ts'
import { Button } from '../parts/button.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { Empty } from '../parts/list.tsx'
import { dollars } from '../parts/money.ts'
import { Notice } from '../parts/notice.tsx'
import { Section } from '../parts/page.tsx'
import { useShown } from '../parts/shown.tsx'
import { Cell, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { useToast } from '../parts/toast.tsx'
import { useChanged } from '../workspace.tsx'

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
    <Section title="Renewals" lead={leadOf({ count: monitors.length, lifelong, monthly, pricing })}>
      <div className="flex flex-col gap-4">
        <Warnings account={account} monitors={monitors} />
        {monitors.length === 0 ? (
          <Empty>Nothing is paid by the month.</Empty>
        ) : (
          <Table label="Renewals" columns={columns}>
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
  const cost = `${named(count)} paid by the month: ${dollars(monthly)} every ${pricing.renewal_days} days, from credit.`
  const once = `${named(lifelong)} paid for life.`
  return [...(count === 0 ? [] : [cost]), ...(lifelong === 0 ? [] : [once])].join(' ')
}

function named(count: number): string {
  return `${count} monitor${count === 1 ? '' : 's'}`
}

/** What ends unpaid if nobody does anything, and what to do. */
function Warnings({ account, monitors }: Pick<RenewalsProps, 'account' | 'monitors'>): ReactNode {
  const { pricing, credit_cents: credit } = account
  const [now] = useState(() => Date.now())
  const stopped = monitors.filter(isStopped)
  const overdue = monitors.filter((monitor) => monitor.billing_state === 'overdue' && !isStopped(monitor))
  const soon = monitors.filter(
    (monitor) => monitor.status === 'enabled' && untilOf(monitor) < now + pricing.renewal_days * dayMs,
  )
  const short = sumOf(overdue, pricing) - credit
  const missing = sumOf(soon, pricing) - credit
  return (
    <>
      {stopped.length > 0 && (
        <Notice tone="bad">
          Not checked any more, because the time paid for is over: {named(stopped.length)}. Renew below; where credit
          does not cover that, top it up first.
        </Notice>
      )}
      {overdue.length > 0 && (
        <Notice tone="warn">
          Overdue: {named(overdue.length)}. {short > 0 && `Credit is ${dollars(short)} short. `}Renewal follows within
          the hour once credit covers it; {pricing.grace_days} days after their end, checks pause.
        </Notice>
      )}
      {overdue.length === 0 && missing > 0 && (
        <Notice tone="warn">
          Credit does not cover what renews in the next {pricing.renewal_days} days: {dollars(missing)} are missing.
        </Notice>
      )}
    </>
  )
}

/** Paused with nothing paid: only a renewal starts it again. */
function isStopped({ status, billing_state: state }: MonitorRecord): boolean {
  return status === 'paused' && state === 'overdue'
}

const columns = [
  { title: 'Monitor' },
  { title: 'Renews', isExtra: true },
  { title: 'Cost', align: 'right' },
  { title: 'Renew now', align: 'right' },
] as const

type RenewalProps = { monitor: MonitorRecord; pricing: Pricing; onRenew: () => void }

function Renewal({ monitor, pricing, onRenew }: RenewalProps): ReactNode {
  const { name, locations } = monitor
  return (
    <tr>
      <Cell>
        <span className="font-medium">{name}</span>
        <div className="text-muted">
          {locations.length} location{locations.length === 1 ? '' : 's'}
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
        <Button aria-label={`Renew ${name}`} onClick={onRenew}>
          Renew
        </Button>
      </Cell>
    </tr>
  )
}

function When({ monitor }: { monitor: MonitorRecord }): ReactNode {
  const { paid_until: until, status, billing_state: state } = monitor
  if (until === null) return null
  const end = <Time at={until} by="day" />
  if (isStopped(monitor)) return <>ended {end}, paused</>
  if (state === 'overdue') return <>overdue since {end}</>
  return status === 'paused' ? <>paused, not renewed by itself; ends {end}</> : end
}

type RenewProps = { monitor: MonitorRecord; account: AccountRecord; onClose: () => void }

function Renew({ monitor, account, onClose }: RenewProps): ReactNode {
  const { pricing, credit_cents: credit } = account
  const money = useMoney()
  const changed = useChanged()
  const toast = useToast()
  const submit = async (): Promise<void> => {
    await money.renew(monitor.id)
    await changed('account', 'credit', 'monitors', 'paid monitors')
    toast(`${monitor.name} is renewed.`)
    onClose()
  }
  return (
    <FormDialog title={`Renew ${monitor.name}?`} submit="Renew" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        {dollars(sumOf([monitor], pricing))} of the credit of {dollars(credit)} buy {pricing.renewal_days} more days.
        What is left of the present ones is kept.
      </p>
    </FormDialog>
  )
}
