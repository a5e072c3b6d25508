import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BillingDetailsRecord, VatPreviewRecord } from '../api/money.ts'
import { useMoney } from '../money.ts'
import { AreaField, SelectField, TextField } from '../parts/field.tsx'
import { Form, type Values } from '../parts/form.tsx'
import { countryName, vatWords } from '../parts/money-words.ts'
import { dollars } from '../parts/money.ts'
import { Notice } from '../parts/notice.tsx'
import { PageHead, Section } from '../parts/page.tsx'
import { useToast } from '../parts/toast.tsx'
import { settingsQuery } from '../session.ts'
import { useChanged, useRead, useWorkspace } from '../workspace.tsx'
import { ForOwners } from './for-owners.tsx'

export function BillingPage(): ReactNode {
  const { workspace } = useWorkspace()
  const { data: settings } = useSuspenseQuery(settingsQuery)
  return (
    <ForOwners title="Billing details">
      <PageHead
        title="Billing details"
        lead="They stand on the receipts of payments to come, and decide their VAT. Earlier receipts stay as they are."
      />
      <Details key={workspace.id} />
      {settings.payments !== 'off' && <Vat />}
    </ForOwners>
  )
}

function Details(): ReactNode {
  const { data: account } = useRead('account', { read: (api) => api.readAccount() })
  const { data: settings } = useSuspenseQuery(settingsQuery)
  const money = useMoney()
  const changed = useChanged()
  const toast = useToast()
  const { billing_name, billing_address, billing_country, billing_vat_id } = account.billing_details
  const submit = async (value: Values): Promise<void> => {
    await money.updateBilling(detailsOf(value))
    await changed('account', vatName)
    toast('The billing details are saved.')
  }
  return (
    <Section title="Customer">
      {/* Another form once they are saved: the service writes a VAT id in its own way. */}
      <Form key={billing_vat_id} submit="Save" onSubmit={submit}>
        <TextField
          name="billing_name"
          label="Name or company"
          defaultValue={billing_name ?? ''}
          autoComplete="organization"
        />
        <AreaField name="billing_address" label="Address" defaultValue={billing_address ?? ''} rows={3} />
        <SelectField
          name="billing_country"
          label="Country"
          defaultValue={billing_country ?? ''}
          options={[{ value: '', label: 'Not given' }, ...countryOptions(settings.countries)]}
        />
        <TextField
          name="billing_vat_id"
          label="VAT id"
          defaultValue={billing_vat_id ?? ''}
          autoComplete="off"
          hint="Of businesses in the EU, with the letters of its country, such as DE811569869."
        />
      </Form>
    </Section>
  )
}

function detailsOf(value: Values): BillingDetailsRecord {
  const given = (name: string): string | null => value(name).trim() || null
  return {
    billing_name: given('billing_name'),
    billing_address: given('billing_address'),
    billing_country: given('billing_country'),
    billing_vat_id: given('billing_vat_id'),
  }
}

function countryOptions(codes: readonly string[]): { value: string; label: string }[] {
  const named = codes.map((code) => ({ value: code, label: countryName(code) }))
  return named.toSorted((one, other) => one.label.localeCompare(other.label, 'en'))
}

const vatName = 'vat'
const exampleCents = 1000

function Vat(): ReactNode {
  const money = useMoney()
  const { data: vat } = useRead(vatName, { read: () => money.previewVat(exampleCents) })
  const doubt = doubts[vat.vat_id_state]
  return (
    <Section title="VAT">
      <div className="flex flex-col gap-3">
        <p>
          {vatWords(vat)}
          {vat.vat_cents > 0 && ` Of ${dollars(vat.amount_cents)}, ${dollars(vat.vat_cents)} are VAT.`}
        </p>
        {doubt !== null && <Notice tone="warn">{doubt}</Notice>}
      </div>
    </Section>
  )
}

const doubts: Readonly<Record<VatPreviewRecord['vat_id_state'], string | null>> = {
  none: null,
  valid: null,
  unanswered:
    'The tax authorities have not confirmed the VAT id yet. They are asked again every hour; until they do, VAT is charged as to a consumer.',
  unknown:
    'The tax authorities do not know this VAT id, so VAT is charged as to a consumer. They are asked again every week.',
}
