import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PaymentRecord } from './payment.ts'
import { receiptMarkdown } from './receipt-markdown.ts'
import { type Receipt, type ReceiptParts, issueReceipt, receiptSchema } from './receipt.ts'

const seller = {
  name: 'Perigee Test OOD',
  address: '1 Example Street\n1000 Sofia',
  country: 'BG',
  companyId: '175074752',
  vatId: 'BG175074752',
  isOssRegistered: false,
  needsConfirmedVatIds: false,
  euroRate: null,
}
const customer = { billing_name: null, billing_address: null, billing_country: null, billing_vat_id: null }
const vat = { treatment: 'domestic', rate: '20.00', netCents: 42, vatCents: 8, note: null } as const
const payment: PaymentRecord = {
  id: '5b0d9a52-5a3f-4f0e-9a44-0d3c2f5f0b11',
  method: 'card',
  reference: 'pi_3Example',
  amount_cents: 50,
  currency: 'usd',
  purpose: 'monitor',
  net_cents: 42,
  vat_cents: 8,
  vat_rate: '20.00',
  vat_treatment: 'domestic',
  livemode: true,
  created_at: '2026-11-21T12:00:00.000Z',
}

function issue(parts: Partial<ReceiptParts> = {}): Receipt {
  const receipt = issueReceipt({
    number: 17,
    payment,
    description: '1 location, 30 days',
    seller,
    customer,
    vat,
    ...parts,
  })
  return receiptSchema.parse(receipt)
}

describe('a receipt', () => {
  it('says who sold what to whom, when, and the VAT of it', () => {
    assert.deepEqual(issue(), {
      title: 'Receipt',
      receipt_number: '0000000017',
      issued_at: '2026-11-21T12:00:00.000Z',
      payment: {
        id: payment.id,
        method: 'card',
        reference: 'pi_3Example',
        amount_cents: 50,
        currency: 'usd',
        created_at: '2026-11-21T12:00:00.000Z',
        livemode: true,
      },
      seller: {
        name: 'Perigee Test OOD',
        address: '1 Example Street\n1000 Sofia',
        country: 'BG',
        company_id: '175074752',
        vat_id: 'BG175074752',
      },
      customer,
      lines: [{ description: '1 location, 30 days', quantity: 1, unit_gross_cents: 50, gross_cents: 50 }],
      net_cents: 42,
      vat_rate: '20.00',
      vat_cents: 8,
      gross_cents: 50,
      vat_treatment: 'domestic',
      vat_note: null,
    })
  })

  it('is an invoice where the customer gave a VAT id', () => {
    assert.equal(issue({ customer: { ...customer, billing_vat_id: 'DE811569869' } }).title, 'Invoice')
  })

  it('of a test payment has a number that no real one has', () => {
    assert.equal(issue({ payment: { ...payment, livemode: false } }).receipt_number, 'TEST-0000000017')
  })

  // Half a cent goes up: 50 cents at 0.89 are 44.5.
  for (const [rate, net, inVat] of [
    ['0.8612', '0.36', '0.07'],
    ['1', '0.42', '0.08'],
    ['0.125', '0.05', '0.01'],
    ['123.456789', '51.85', '9.88'],
  ] as const)
    it(`tells net and VAT in euro at ${rate} for a dollar`, () => {
      const priced = { ...seller, euroRate: { rate, date: '2026-11-20' } }
      assert.deepEqual(issue({ seller: priced }).vat_eur, { net, vat: inVat, rate, rate_date: '2026-11-20' })
    })
})

describe('a receipt in Markdown', () => {
  it('has every member of the JSON', () => {
    const business = {
      billing_name: 'Muster GmbH',
      billing_address: 'Hauptstr. 1\n10115 Berlin',
      billing_country: 'DE',
      billing_vat_id: 'DE811569869',
    }
    const text = receiptMarkdown(
      issue({
        seller: { ...seller, euroRate: { rate: '0.86', date: '2026-11-20' } },
        customer: business,
        vat: {
          treatment: 'reverse_charge',
          rate: '0.00',
          netCents: 50,
          vatCents: 0,
          note: 'Reverse charge: see the law.',
        },
      }),
    )
    assert.equal(
      text,
      `# Invoice 0000000017

|  |  |
| --- | --- |
| Number | 0000000017 |
| Issued at | 2026-11-21T12:00:00.000Z |
| Payment | 5b0d9a52-5a3f-4f0e-9a44-0d3c2f5f0b11 |
| Method | card |
| Reference | pi_3Example |
| Paid at | 2026-11-21T12:00:00.000Z |

## Seller

Perigee Test OOD${'  '}
1 Example Street${'  '}
1000 Sofia${'  '}
BG${'  '}
Company id 175074752${'  '}
VAT id BG175074752

## Customer

Muster GmbH${'  '}
Hauptstr. 1${'  '}
10115 Berlin${'  '}
DE${'  '}
VAT id DE811569869

| Description | Quantity | Unit price, VAT included | Amount, VAT included |
| --- | --- | --- | --- |
| 1 location, 30 days | 1 | 0.50 USD | 0.50 USD |

|  |  |
| --- | --- |
| Net | 0.50 USD |
| VAT 0.00 % | 0.00 USD |
| Total | 0.50 USD |
| VAT treatment | reverse_charge |
| Net in euro | 0.43 EUR |
| VAT in euro | 0.00 EUR |
| Euros per dollar | 0.86 on 2026-11-20 |

Reverse charge: see the law.
`,
    )
  })

  it('says of a test payment that nothing was charged, and of an unknown customer that nobody is named', () => {
    const text = receiptMarkdown(issue({ payment: { ...payment, livemode: false } }))
    assert.match(text, /^# Receipt TEST-0000000017\n\n\*\*Test payment: nothing was charged/)
    assert.match(text, /## Customer\n\nNot named\n/)
  })

  it('reads nothing that a customer wrote as formatting', () => {
    const billing_name = '# Big\n- list\n1. first\n=== \n_x_ *b* `c` [l](http://x) ![i](y) <b>|</b> ~s~ &amp; a_b \\'
    const text = receiptMarkdown(issue({ customer: { ...customer, billing_name } }))
    const shown = text.slice(text.indexOf('## Customer'), text.indexOf('| Description'))
    assert.equal(
      shown,
      `## Customer

\\# Big${'  '}
\\- list${'  '}
1\\. first${'  '}
\\===${'  '}
\\_x\\_ \\*b\\* \\\`c\\\` \\[l\\](http://x) !\\[i\\](y) \\<b\\>\\|\\</b\\> \\~s\\~ \\&amp; a_b \\\\

`,
    )
  })
})
