import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useMemo, useState } from 'react'
import type { VatPreviewRecord } from '../../api/money.ts'
import { credentialOf, topUpApi } from '../../api/pay.ts'
import { Arrival } from '../../parts/arrival.tsx'
import { Button } from '../../parts/button.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { SelectField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { percentOf, vatWords } from '../../parts/money-words.ts'
import { dollars } from '../../parts/money.ts'
import { Notice } from '../../parts/notice.tsx'
import { Section } from '../../parts/page.tsx'
import { useChanged, useWorkspace } from '../../session/workspace.tsx'

export type Wish = { amountCents: number; vat: VatPreviewRecord }

type PayingProps = {
  wish: Wish
  /** With the credit as it is then. */
  onPaid: (creditCents: number) => void
  onBack: () => void
}

type State =
  | { at: 'asked' }
  /** `tries` without an answer so far. */
  | { at: 'waiting'; tries: number }
  /** Nothing was charged. */
  | { at: 'refused'; message: string }
  /** As long as the outcome is unknown, only the same credential may be sent again. */
  | { at: 'unknown'; credential: string }

/** The cards of the sandbox (docs/payments.md), and the outcome of each. */
function sandboxCards(): { value: string; label: string }[] {
  return [
    { value: 'spt_test_ok', label: t`A card that pays` },
    { value: 'spt_test_declined', label: t`A card that is declined` },
    { value: 'spt_test_timeout', label: t`A card whose processor does not answer at first` },
  ]
}

/** Answers challenges itself: no money moves. */
export function SandboxPaying({ wish, onPaid, onBack }: PayingProps): ReactNode {
  const { state, payBy, lookAgain } = useSandboxPayment(wish, onPaid)
  const amount = dollars(wish.amountCents)
  if (state.at === 'unknown') return <Settling wish={wish} onLook={() => lookAgain(state.credential)} />
  return (
    <Arrival>
      <Section title={t`Pay ${amount}`}>
        <div className="flex flex-col gap-4">
          <Notice tone="warn">
            <Trans>Sandbox: no money moves. The payment and its receipt are marked as tests.</Trans>
          </Notice>
          <Price wish={wish} />
          <Form
            submit={t`Pay ${amount}`}
            unsaved={false}
            onSubmit={(value) => payBy(value('spt'))}
            beside={
              state.at !== 'waiting' && (
                <Button onClick={onBack}>
                  <Trans>Another amount</Trans>
                </Button>
              )
            }
          >
            <SelectField name="spt" label={t`Card`} options={sandboxCards()} />
            <Told state={state} />
          </Form>
        </div>
      </Section>
    </Arrival>
  )
}

/** The outcome of the last press. */
function Told({ state }: { state: State }): ReactNode {
  if (state.at === 'refused') {
    const { message } = state
    return (
      <Notice tone="bad">
        <Trans>Not paid: {message}</Trans>
      </Notice>
    )
  }
  if (state.at !== 'waiting' || state.tries === 0) return null
  const { tries } = state
  return (
    <Notice>
      <Trans>The processor has not confirmed the charge yet. Asking again ({tries}) …</Trans>
    </Notice>
  )
}

type SandboxPayment = {
  state: State
  /** Every press answers a challenge of its own. */
  payBy: (spt: string) => Promise<void>
  lookAgain: (credential: string) => Promise<void>
}

function useSandboxPayment({ amountCents }: Wish, onPaid: PayingProps['onPaid']): SandboxPayment {
  const { workspace } = useWorkspace()
  const changed = useChanged()
  const topUp = useMemo(() => topUpApi(workspace.id), [workspace.id])
  const [state, setState] = useState<State>({ at: 'asked' })
  const pay = async (credential: string, tell: (tries: number) => void): Promise<void> => {
    const outcome = await topUp.payUntilKnown(amountCents, { credential, onWait: tell })
    switch (outcome.type) {
      case 'paid':
        await changed('account', 'credit', 'payments')
        onPaid(outcome.account.credit_cents)
        return
      case 'refused':
        setState({ at: 'refused', message: outcome.message })
        return
      case 'unknown':
        setState({ at: 'unknown', credential })
    }
  }
  const onWait = (tries: number): void => setState({ at: 'waiting', tries })
  const payBy = async (spt: string): Promise<void> => {
    onWait(0)
    try {
      const [offer] = await topUp.askOffers(amountCents)
      if (offer === undefined) throw new Error('The service asks for money and takes none.')
      await pay(credentialOf(offer, { spt }), onWait)
    } catch (error) {
      setState({ at: 'asked' })
      throw error
    }
  }
  return { state, payBy, lookAgain: (credential) => pay(credential, () => {}) }
}

/** The amount to pay, and how much of it is VAT. */
export function Price({ wish: { amountCents, vat } }: { wish: Wish }): ReactNode {
  const percent = percentOf(vat.vat_rate)
  return (
    <div className="flex flex-col gap-2">
      <Facts>
        <Fact term={t({ message: 'Net', context: 'price' })}>{dollars(vat.net_cents)}</Fact>
        <Fact term={t`VAT ${percent}`}>{dollars(vat.vat_cents)}</Fact>
        <Fact term={t`You pay`}>
          <strong>{dollars(amountCents)}</strong>
        </Fact>
      </Facts>
      <p className="text-sm text-muted">
        {vatWords(vat)} <Trans>All of it becomes credit.</Trans>
      </p>
    </div>
  )
}

function Settling({ wish, onLook }: { wish: Wish; onLook: () => Promise<void> }): ReactNode {
  const amount = dollars(wish.amountCents)
  return (
    <Arrival>
      <Section title={t`${amount} is being settled`}>
        <div className="flex flex-col gap-4">
          <Notice tone="warn">
            <Trans>
              The processor has not confirmed the charge yet. It is never charged twice: checking again sends the same
              payment, and the service keeps asking by itself. Once it is paid, it appears among the payments.
            </Trans>
          </Notice>
          <Form submit={t`Check again`} onSubmit={onLook} />
        </div>
      </Section>
    </Arrival>
  )
}
