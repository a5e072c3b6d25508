import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { ApiError } from '../api/ask.ts'
import { type Offer, topUpApi } from '../api/pay.ts'
import { useMoney } from '../money.ts'
import { Arrival } from '../parts/arrival.tsx'
import { Button, ButtonLink } from '../parts/button.tsx'
import { TextField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { centsOf, dollars } from '../parts/money.ts'
import { Notice } from '../parts/notice.tsx'
import { Section } from '../parts/page.tsx'
import { settingsQuery } from '../session.ts'
import { useRead, useWorkspace } from '../workspace.tsx'
import { Elsewhere } from './paying-elsewhere.tsx'
import { SandboxPaying, type Wish } from './paying.tsx'

/** Where payments are off there is nothing to buy. */
export function TopUp(): ReactNode {
  const { data: settings } = useSuspenseQuery(settingsQuery)
  if (settings.payments === 'off')
    return (
      <Section title="Top up">
        <Notice>Payments are switched off here, so no credit can be bought. What is there can be spent.</Notice>
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
  const range = `from ${dollars(account.pricing.minimum_top_up_cents)} to ${dollars(terms.maximum_top_up_cents)}`
  const submit = async (): Promise<void> => {
    const amountCents = centsOf(amount)
    if (amountCents === null) throw refusedAmount('Is no amount of dollars, such as 5 or 12.50.')
    try {
      const [vat, offers] = await Promise.all([
        money.previewVat(amountCents),
        isSandbox ? [] : topUp.askOffers(amountCents),
      ])
      onAsked({ amountCents, vat }, offers)
    } catch (error) {
      // The service says it in cents.
      throw isAboutAmount(error) ? refusedAmount(`Must be ${range}.`) : error
    }
  }
  return (
    <Section title="Top up" lead="You see the price with its VAT before anything is paid.">
      <Form submit="Show the price" onSubmit={submit}>
        <div role="group" aria-label="Usual amounts" className="flex flex-wrap gap-2">
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
          label="Amount in dollars"
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          onChange={(event) => setAmount(event.target.value)}
          hint={`${range.charAt(0).toUpperCase()}${range.slice(1)}.`}
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
  return (
    <Arrival>
      <Section title={`${dollars(amountCents)} are paid`}>
        <div className="flex flex-col gap-4">
          <Notice tone="good">Credit is {dollars(creditCents)} now.</Notice>
          <div className="flex flex-wrap gap-2">
            <ButtonLink to="/settings/payments" look="primary">
              To the payments
            </ButtonLink>
            <Button onClick={onAnother}>Top up again</Button>
          </div>
        </div>
      </Section>
    </Arrival>
  )
}
