import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PaymentRecord } from '../../api/money.ts'
import { useMoney } from '../../session/use-money.ts'
import { Badge, Empty } from '../../parts/list.tsx'
import { percentOf, purposeWords } from '../../parts/money-words.ts'
import { dollars } from '../../parts/money.ts'
import { PageHead, Section, linkClass } from '../../parts/page.tsx'
import { useShown } from '../../parts/shown.tsx'
import { Cell, type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useRead } from '../../session/workspace.tsx'
import { ForOwners } from '../workspaces/for-owners.tsx'

export function PaymentsPage(): ReactNode {
  return (
    <ForOwners title={t`Payments`}>
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
        title={t`Payments`}
        lead={t`What was paid, the newest first, each with its receipt. At most 500 are listed.`}
      />
      <Section title={t`Received`}>
        {payments.length === 0 ? (
          <Empty>
            <Trans context="payments">None yet.</Trans>
          </Empty>
        ) : (
          <Table label={t`Payments`} columns={columns()}>
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

function columns(): readonly Column[] {
  return [
    { title: t`Paid at` },
    { title: t`For`, isExtra: true },
    { title: t`VAT`, align: 'right', isExtra: true },
    { title: t`Amount`, align: 'right' },
  ]
}

/** Behind what was paid for: "Credit, card". */
const methods: Readonly<Record<PaymentRecord['method'], MessageDescriptor>> = {
  card: msg({ message: 'card', context: 'paid by' }),
  chain: msg({ message: 'stablecoin', context: 'paid by' }),
}

function PaymentRow({ payment }: { payment: PaymentRecord }): ReactNode {
  const { id, purpose, method, amount_cents: cents, vat_cents: vat, vat_rate: rate, livemode, created_at: at } = payment
  const amount = dollars(cents)
  const what = `${i18n._(purposeWords[purpose])}, ${i18n._(methods[method])}`
  return (
    <tr>
      <Cell>
        <Link to="/settings/payments/$id" params={{ id }} className={`inline-block ${linkClass}`}>
          <span className="sr-only">
            <Trans>Receipt of {amount},</Trans>{' '}
          </span>
          <Time at={at} />
        </Link>
        {!livemode && (
          <Badge>
            <Trans context="payment">Test</Trans>
          </Badge>
        )}
        <div className="text-muted sm:hidden">{what}</div>
      </Cell>
      <Cell isExtra>{what}</Cell>
      <Cell align="right" isExtra>
        {dollars(vat)} <span className="text-muted">({percentOf(rate)})</span>
      </Cell>
      <Cell align="right">{amount}</Cell>
    </tr>
  )
}
