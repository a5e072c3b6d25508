import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { BillingDetailsRecord, VatPreviewRecord } from '../../api/money.ts'
import { useMoney } from '../../session/use-money.ts'
import { AreaField, SelectField, TextField } from '../../parts/form/field.tsx'
import { Form, type Values } from '../../parts/form/form.tsx'
import { countryName, vatWords } from '../../parts/money-words.ts'
import { dollars } from '../../parts/money.ts'
import { Notice } from '../../parts/notice.tsx'
import { PageHead, Section } from '../../parts/page.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { settingsQuery } from '../../session/session.ts'
import { useChanged, useRead, useWorkspace } from '../../session/workspace.tsx'
import { ForOwners } from '../workspaces/for-owners.tsx'

export function BillingPage(): ReactNode {
  const { workspace } = useWorkspace()
  const { data: settings } = useSuspenseQuery(settingsQuery)
  return (
    <ForOwners title={t`Billing details`}>
      <PageHead
        title={t`Billing details`}
        lead={t`They appear on future receipts and decide their VAT. Earlier receipts stay as they are.`}
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
    toast(t`The billing details are saved.`)
  }
  return (
    <Section title={t`Customer`}>
      {/* Another form once they are saved: the service writes a VAT id in its own way. */}
      <Form key={billing_vat_id} submit={t`Save`} onSubmit={submit}>
        <TextField
          name="billing_name"
          label={t`Name or company`}
          defaultValue={billing_name ?? ''}
          autoComplete="organization"
        />
        <AreaField name="billing_address" label={t`Address`} defaultValue={billing_address ?? ''} rows={3} />
        <SelectField
          name="billing_country"
          label={t`Country`}
          defaultValue={billing_country ?? ''}
          options={[
            { value: '', label: t({ message: 'Not given', context: 'country' }) },
            ...countryOptions(settings.countries),
          ]}
        />
        <TextField
          name="billing_vat_id"
          label={t`VAT id`}
          defaultValue={billing_vat_id ?? ''}
          autoComplete="off"
          hint={t`For businesses in the EU, with the country letters, such as DE811569869.`}
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
  return named.toSorted((one, other) => one.label.localeCompare(other.label, i18n.locale))
}

const vatName = 'vat'
const exampleCents = 1000

function Vat(): ReactNode {
  const money = useMoney()
  const { data: vat } = useRead(vatName, { read: () => money.previewVat(exampleCents) })
  const doubt = doubts[vat.vat_id_state]
  return (
    <Section title={t`VAT`}>
      <div className="flex flex-col gap-3">
        <p>
          {vatWords(vat)}
          {vat.vat_cents > 0 && ` ${partText(vat)}`}
        </p>
        {doubt !== null && <Notice tone="warn">{i18n._(doubt)}</Notice>}
      </div>
    </Section>
  )
}

function partText({ amount_cents: amountCents, vat_cents: vatCents }: VatPreviewRecord): string {
  const [amount, part] = [dollars(amountCents), dollars(vatCents)]
  return t`${part} of ${amount} is VAT.`
}

const doubts: Readonly<Record<VatPreviewRecord['vat_id_state'], MessageDescriptor | null>> = {
  none: null,
  valid: null,
  unanswered: msg`The tax authorities have not confirmed the VAT id yet. They are asked again every hour; until they do, VAT is charged as to a consumer.`,
  unknown: msg`The tax authorities do not know this VAT id, so VAT is charged as to a consumer. They are asked again every week.`,
}
