import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CreditTransactionRecord } from '../../api/money.ts'
import { useMoney } from '../../session/use-money.ts'
import { Empty } from '../../parts/list.tsx'
import { change, dollars } from '../../parts/money.ts'
import { PageHead, Section, linkClass } from '../../parts/page.tsx'
import { useShown } from '../../parts/shown.tsx'
import { Cell, type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useRead, useWorkspace } from '../../session/workspace.tsx'
import { ForOwners } from '../workspaces/for-owners.tsx'
import { TopUp } from './top-up.tsx'

export function CreditPage(): ReactNode {
  const { workspace } = useWorkspace()
  return (
    <ForOwners title={t`Credit`}>
      <PageHead
        title={t`Credit`}
        lead={t`It pays for monitors beyond the slots of the plan and renews them automatically.`}
      />
      <Balance />
      <TopUp key={workspace.id} />
      <Ledger />
    </ForOwners>
  )
}

function Balance(): ReactNode {
  const { data: account } = useRead('account', { read: (api) => api.readAccount() })
  return (
    <Section title={t`Balance`}>
      <p className="text-3xl font-semibold tabular-nums">{dollars(account.credit_cents)}</p>
    </Section>
  )
}

function Ledger(): ReactNode {
  const money = useMoney()
  const { data: transactions } = useRead('credit', { read: () => money.listCredit() })
  const { shown, more } = useShown(transactions)
  return (
    <Section title={t`Transactions`} lead={t`The newest first, with the balance after each. At most 500 are listed.`}>
      {transactions.length === 0 ? (
        <Empty>
          <Trans context="transactions">None yet.</Trans>
        </Empty>
      ) : (
        <Table label={t`Transactions`} columns={columns()}>
          {shown.map((transaction) => (
            <Transaction key={transaction.id} transaction={transaction} />
          ))}
        </Table>
      )}
      {more}
    </Section>
  )
}

function columns(): readonly Column[] {
  return [
    { title: t`When`, isExtra: true },
    { title: t`What` },
    { title: t`Amount`, align: 'right' },
    { title: t`Balance`, align: 'right' },
  ]
}

const reasons: Readonly<Record<CreditTransactionRecord['reason'], MessageDescriptor>> = {
  payment: msg`Payment`,
  monitor: msg`Monitor`,
  renewal: msg`Renewal`,
}

function Transaction({ transaction }: { transaction: CreditTransactionRecord }): ReactNode {
  const { amount_cents: amount, balance_cents: balance, reason, description, payment_id: payment } = transaction
  const when = <Time at={transaction.inserted_at} />
  return (
    <tr>
      <Cell isExtra>{when}</Cell>
      <Cell>
        {payment === null ? (
          i18n._(reasons[reason])
        ) : (
          <Link to="/settings/payments/$id" params={{ id: payment }} className={linkClass}>
            {i18n._(reasons[reason])}
          </Link>
        )}
        {description !== null && <div className="text-muted">{description}</div>}
        <div className="text-muted sm:hidden">{when}</div>
      </Cell>
      <Cell align="right">{change(amount)}</Cell>
      <Cell align="right">{dollars(balance)}</Cell>
    </tr>
  )
}
