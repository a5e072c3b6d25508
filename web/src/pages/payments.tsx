import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PaymentRecord } from '../api/money.ts'
import { useMoney } from '../money.ts'
import { Badge, Empty } from '../parts/list.tsx'
import { methodWords, percentOf, purposeWords } from '../parts/money-words.ts'
import { dollars } from '../parts/money.ts'
import { PageHead, Section, linkClass } from '../parts/page.tsx'
import { useShown } from '../parts/shown.tsx'
import { Cell, Table } from '../parts/table.tsx'
import { Time } from '../parts/time.tsx'
import { useRead } from '../workspace.tsx'
import { ForOwners } from './for-owners.tsx'

export function PaymentsPage(): ReactNode {
  return (
    <ForOwners title="Payments">
      <Payments />
    </ForOwners>
  )
}

function Payments(): ReactNode {
  const money = useMoney()
  const { data: payments } = useRead('payments', { read: () => money.listPayments() })
  const { shown, more } = useShown(payments)
  return (
    <>
      <PageHead
        title="Payments"
        lead="What was paid, the newest first, each with its receipt. At most 500 are listed."
      />
      <Section title="Received">
        {payments.length === 0 ? (
          <Empty>None yet.</Empty>
        ) : (
          <Table label="Payments" columns={columns}>
            {shown.map((payment) => (
              <PaymentRow key={payment.id} payment={payment} />
            ))}
          </Table>
        )}
        {more}
      </Section>
    </>
  )
}

const columns = [
  { title: 'Paid at' },
  { title: 'For', isExtra: true },
  { title: 'VAT', align: 'right', isExtra: true },
  { title: 'Amount', align: 'right' },
] as const

function PaymentRow({ payment }: { payment: PaymentRecord }): ReactNode {
  const { id, purpose, method, amount_cents: cents, vat_cents: vat, vat_rate: rate, livemode, created_at: at } = payment
  const what = `${purposeWords[purpose]}, ${methodWords[method].toLowerCase()}`
  return (
    <tr>
      <Cell>
        <Link to="/settings/payments/$id" params={{ id }} className={`inline-block ${linkClass}`}>
          <span className="sr-only">Receipt of {dollars(cents)}, </span>
          <Time at={at} />
        </Link>
        {!livemode && <Badge>Test</Badge>}
        <div className="text-muted sm:hidden">{what}</div>
      </Cell>
      <Cell isExtra>{what}</Cell>
      <Cell align="right" isExtra>
        {dollars(vat)} <span className="text-muted">({percentOf(rate)})</span>
      </Cell>
      <Cell align="right">{dollars(cents)}</Cell>
    </tr>
  )
}
