import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import type { Receipt } from '../../api/money.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { countryName, percentOf, vatWords } from '../../parts/money-words.ts'
import { dollars } from '../../parts/money.ts'
import { Notice } from '../../parts/notice.tsx'
import { Cell, type Column, Table } from '../../parts/table.tsx'

/** Every member of a receipt, as it goes on paper. */
export function ReceiptPaper({ receipt }: { receipt: Receipt }): ReactNode {
  const { payment, lines, vat_note: note } = receipt
  return (
    <article
      aria-label={t`Receipt`}
      className="flex max-w-3xl flex-col gap-6 rounded-xl border border-line bg-surface p-5 sm:p-8 print:max-w-none print:border-0 print:p-0"
    >
      {!payment.livemode && (
        <Notice tone="warn">
          <Trans>Test payment: nothing was charged, and this is not a document for accounting.</Trans>
        </Notice>
      )}
      <div className="grid gap-6 sm:grid-cols-2 print:grid-cols-2">
        <Party title={t`Seller`} lines={sellerLines(receipt)} />
        <Party title={t`Customer`} lines={customerLines(receipt)} />
      </div>
      <Facts>
        <Fact term={t`Number`}>{receipt.receipt_number}</Fact>
        <Fact term={t`Issued`}>
          <Moment at={receipt.issued_at} />
        </Fact>
        <Fact term={t`Paid`}>
          <Moment at={payment.created_at} />
        </Fact>
        <Fact term={t`Payment`}>{payment.id}</Fact>
      </Facts>
      <Table label={t`Lines`} columns={columns()}>
        {lines.map((line) => (
          <tr key={line.description}>
            <Cell>{line.description}</Cell>
            <Cell align="right">{line.quantity}</Cell>
            <Cell align="right" isExtra>
              {dollars(line.unit_gross_cents)}
            </Cell>
            <Cell align="right">{dollars(line.gross_cents)}</Cell>
          </tr>
        ))}
      </Table>
      <Totals receipt={receipt} />
      <p className="text-sm text-muted">{note ?? vatWords(receipt)}</p>
    </article>
  )
}

/** The same for every reader, so in UTC. */
function Moment({ at }: { at: string }): ReactNode {
  return <time dateTime={at}>{at.slice(0, 16).replace('T', ' ')} UTC</time>
}

function columns(): readonly Column[] {
  return [
    { title: t`Description` },
    { title: t`Quantity`, align: 'right' },
    { title: t`Each, VAT included`, align: 'right', isExtra: true },
    { title: t`Amount, VAT included`, align: 'right' },
  ]
}

function Party({ title, lines }: { title: string; lines: readonly string[] }): ReactNode {
  return (
    <section>
      <h2 className="mb-1 text-xs font-medium text-muted">{title}</h2>
      <address className="text-sm whitespace-pre-line wrap-anywhere not-italic">{lines.join('\n')}</address>
    </section>
  )
}

function sellerLines({ seller }: Receipt): string[] {
  const { name, address, country, company_id: company, vat_id: vatId } = seller
  return [
    name,
    address,
    countryName(country),
    ...(company === null ? [] : [t`Company id ${company}`]),
    t`VAT id ${vatId}`,
  ]
}

function customerLines({ customer }: Receipt): string[] {
  const { billing_name: name, billing_address: address, billing_country: country, billing_vat_id: vatId } = customer
  const lines = [
    name,
    address,
    country === null ? null : countryName(country),
    vatId === null ? null : t`VAT id ${vatId}`,
  ].filter((line) => line !== null)
  return lines.length === 0 ? [t({ message: 'Not named', context: 'customer' })] : lines
}

function Totals({ receipt }: { receipt: Receipt }): ReactNode {
  const { net_cents: net, vat_rate: rate, vat_cents: vat, gross_cents: gross, vat_eur: euro } = receipt
  const percent = percentOf(rate)
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-8 gap-y-1.5 self-end text-right text-sm tabular-nums">
      <Sum term={t({ message: 'Net', context: 'price' })}>{dollars(net)}</Sum>
      <Sum term={t`VAT ${percent}`}>{dollars(vat)}</Sum>
      <Sum term={t`Total`} isTotal>
        {dollars(gross)}
      </Sum>
      {euro !== undefined && (
        <>
          <Sum term={t`Net in euro`}>€{euro.net}</Sum>
          <Sum term={t`VAT in euro`}>€{euro.vat}</Sum>
          <Sum term={t`Euros per dollar`}>
            <EuroRate of={euro} />
          </Sum>
        </>
      )}
    </dl>
  )
}

function EuroRate({ of: { rate, rate_date: day } }: { of: NonNullable<Receipt['vat_eur']> }): ReactNode {
  return (
    <Trans>
      {rate} on {day}
    </Trans>
  )
}

type SumProps = { term: string; isTotal?: true; children: ReactNode }

function Sum({ term, isTotal, children }: SumProps): ReactNode {
  const weight = isTotal === true ? 'font-semibold' : ''
  return (
    <>
      <dt className={isTotal === true ? weight : 'text-muted'}>{term}</dt>
      <dd className={weight}>{children}</dd>
    </>
  )
}
