import { escapeMarkdown, markdownTable } from '#core/language/markdown.ts'
import { decimal } from './quote.ts'
import type { Receipt } from './receipt.ts'

/** A receipt for people: every member that is not null. No text of it is read as formatting. */
export function receiptMarkdown(receipt: Receipt): string {
  const { title, receipt_number: number, payment, lines } = receipt
  const blocks = [
    `# ${title} ${number}`,
    ...(payment.livemode ? [] : ['**Test payment: nothing was charged, and this is not a document for accounting.**']),
    markdownTable(['', ''], factsOf(receipt)),
    party('Seller', sellerLines(receipt)),
    party('Customer', customerLines(receipt)),
    markdownTable(
      ['Description', 'Quantity', 'Unit price, VAT included', 'Amount, VAT included'],
      lines.map((line) => [
        line.description,
        String(line.quantity),
        dollars(line.unit_gross_cents),
        dollars(line.gross_cents),
      ]),
    ),
    markdownTable(['', ''], totalsOf(receipt)),
    ...(receipt.vat_note === null ? [] : [escapeMarkdown(receipt.vat_note)]),
  ]
  return `${blocks.join('\n\n')}\n`
}

function factsOf({ receipt_number: number, issued_at: issuedAt, payment }: Receipt): string[][] {
  return [
    ['Number', number],
    ['Issued at', issuedAt],
    ['Payment', payment.id],
    ['Method', payment.method],
    ['Reference', payment.reference],
    ['Paid at', payment.created_at],
  ]
}

function sellerLines({ seller }: Receipt): string[] {
  return [
    seller.name,
    seller.address,
    seller.country,
    ...(seller.company_id === null ? [] : [`Company id ${seller.company_id}`]),
    `VAT id ${seller.vat_id}`,
  ]
}

function customerLines({ customer }: Receipt): string[] {
  const { billing_vat_id: vatId } = customer
  const lines = [customer.billing_name, customer.billing_address, customer.billing_country]
  const known = [...lines, vatId === null ? null : `VAT id ${vatId}`].filter((line) => line !== null && line !== '')
  return known.length === 0 ? ['Not named'] : known.map(String)
}

function totalsOf({ net_cents, vat_rate, vat_cents, gross_cents, vat_treatment, vat_eur }: Receipt): string[][] {
  return [
    ['Net', dollars(net_cents)],
    [`VAT ${vat_rate} %`, dollars(vat_cents)],
    ['Total', dollars(gross_cents)],
    ['VAT treatment', vat_treatment],
    ...(vat_eur === undefined
      ? []
      : [
          ['Net in euro', `${vat_eur.net} EUR`],
          ['VAT in euro', `${vat_eur.vat} EUR`],
          ['Euros per dollar', `${vat_eur.rate} on ${vat_eur.rate_date}`],
        ]),
  ]
}

function dollars(cents: number): string {
  return `${decimal(cents)} USD`
}

function party(name: string, lines: string[]): string {
  const shown = lines.flatMap((line) => line.split(/[\r\n]+/)).map((line) => escapeLine(line.trim()))
  return `## ${name}\n\n${shown.filter((line) => line !== '').join('  \n')}`
}

/** What makes a heading, a rule or a list at the start of a line, beside the characters that `escapeMarkdown` treats. */
function escapeLine(text: string): string {
  return escapeMarkdown(text)
    .replace(/^[#+=-]/, '\\$&')
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}
