import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { ApiError } from '../../api/ask.ts'
import { type Offer, topUpApi } from '../../api/pay.ts'
import { useMoney } from '../../session/use-money.ts'
import { Arrival } from '../../parts/arrival.tsx'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { TextField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { centsOf, dollars, typedCents } from '../../parts/money.ts'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { settingsQuery } from '../../session/session.ts'
import { useRead, useWorkspace } from '../../session/workspace.tsx'
import { Elsewhere } from './paying-elsewhere.tsx'
import { SandboxPaying, type Wish } from './paying.tsx'

/** Where payments are off there is nothing to buy. */
export function TopUp(): ReactNode {
  const { data: settings } = useSuspenseQuery(settingsQuery)
  if (settings.payments === 'off')
    return (
      <Section title={t`Top up`}>
        <Notice>
          <Trans>Payments are switched off here, so you cannot buy credit. Existing credit can be spent.</Trans>
        </Notice>
      </Section>
    )
  return <Buying isSandbox={settings.payments === 'sandbox'} />
}

type Step =
  | { at: 'amount' }
  | { at: 'offer'; wish: Wish; offers: Offer[] }
  | { at: 'paid'; amountCents: number; creditCents: number }

/** First how much, then the price, then paying, which is another thing where no money moves. */
function Buying({ isSandbox }: { isSandbox: boolean }): ReactNode {
  const [step, setStep] = useState<Step>({ at: 'amount' })
  const restart = (): void => setStep({ at: 'amount' })
  switch (step.at) {
    case 'amount':
      return <AskAmount isSandbox={isSandbox} onAsked={(wish, offers) => setStep({ at: 'offer', wish, offers })} />
    case 'offer':
      return isSandbox ? (
        <SandboxPaying
          wish={step.wish}
          onPaid={(creditCents) => setStep({ at: 'paid', amountCents: step.wish.amountCents, creditCents })}
          onBack={restart}
        />
      ) : (
        <Elsewhere {...step} onBack={restart} />
      )
    case 'paid':
      return <Bought {...step} onAnother={restart} />
  }
}

type AskAmountProps = { isSandbox: boolean; onAsked: (wish: Wish, offers: Offer[]) => void }

const quickCents = [500, 1000, 2500, 5000]

function AskAmount({ isSandbox, onAsked }: AskAmountProps): ReactNode {
  const { workspace } = useWorkspace()
  const { data: account } = useRead('account', { read: (api) => api.readAccount() })
  const money = useMoney()
  const { data: terms } = useRead('plan terms', { read: () => money.readPlanTerms() })
  const topUp = useMemo(() => topUpApi(workspace.id), [workspace.id])
  const [amount, setAmount] = useState('10.00')
  const least = dollars(account.pricing.minimum_top_up_cents)
  const most = dollars(terms.maximum_top_up_cents)
  const submit = async (): Promise<void> => {
    const amountCents = typedCents(amount, 'amount_cents')
    try {
      const [vat, offers] = await Promise.all([
        money.previewVat(amountCents),
        isSandbox ? [] : topUp.askOffers(amountCents),
      ])
      onAsked({ amountCents, vat }, offers)
    } catch (error) {
      // The service says it in cents.
      throw isAboutAmount(error) ? refusedAmount(t`Must be from ${least} to ${most}.`) : error
    }
  }
  return (
    <Section title={t`Top up`} lead={t`You see the price with its VAT before anything is paid.`}>
      <Form submit={t`Show the price`} onSubmit={submit} unsaved={false}>
        <div role="group" aria-label={t`Common amounts`} className="flex flex-wrap gap-2">
          {quickCents.map((cents) => (
            <Button
              key={cents}
              aria-pressed={centsOf(amount) === cents}
              onClick={() => setAmount((cents / 100).toFixed(2))}
            >
              {dollars(cents)}
            </Button>
          ))}
        </div>
        <TextField
          name="amount_cents"
          label={t`Amount in dollars`}
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          hint={t`From ${least} to ${most}.`}
        />
      </Form>
    </Section>
  )
}

function isAboutAmount(error: unknown): boolean {
  return error instanceof ApiError && 'amount_cents' in error.fields
}

function refusedAmount(message: string): ApiError {
  return new ApiError({ status: 422, code: 'validation_failed', message, fields: { amount_cents: [message] } })
}

type BoughtProps = { amountCents: number; creditCents: number; onAnother: () => void }

function Bought({ amountCents, creditCents, onAnother }: BoughtProps): ReactNode {
  const [amount, credit] = [dollars(amountCents), dollars(creditCents)]
  return (
    <Arrival>
      <Section title={t`${amount} is paid`}>
        <div className="flex flex-col gap-4">
          <Notice tone="good">
            <Trans>Credit is {credit} now.</Trans>
          </Notice>
          <div className="flex flex-wrap gap-2">
            <ButtonLink to="/settings/payments" look="primary">
              <Trans>To the payments</Trans>
            </ButtonLink>
            <Button onClick={onAnother}>
              <Trans>Top up again</Trans>
            </Button>
          </div>
        </div>
      </Section>
    </Arrival>
  )
}
