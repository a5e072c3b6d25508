import { type ReactNode, useMemo, useState } from 'react'
import type { VatPreviewRecord } from '../api/money.ts'
import { credentialOf, topUpApi } from '../api/pay.ts'
import { Arrival } from '../parts/arrival.tsx'
import { Button } from '../parts/button.tsx'
import { Fact, Facts } from '../parts/facts.tsx'
import { SelectField } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { percentOf, vatWords } from '../parts/money-words.ts'
import { dollars } from '../parts/money.ts'
import { Notice } from '../parts/notice.tsx'
import { Section } from '../parts/page.tsx'
import { useChanged, useWorkspace } from '../workspace.tsx'

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
  /** Only the same credential may be sent again, as long as nobody knows. */
  | { at: 'unknown'; credential: string }

/** What stands for cards in the sandbox (docs/payments.md), and what becomes of each. */
const sandboxCards = [
  { value: 'spt_test_ok', label: 'A card that pays' },
  { value: 'spt_test_declined', label: 'A card that is declined' },
  { value: 'spt_test_timeout', label: 'A card whose processor does not answer at first' },
] as const

/** Answers challenges itself: no money moves. */
export function SandboxPaying({ wish, onPaid, onBack }: PayingProps): ReactNode {
  const { state, payBy, lookAgain } = useSandboxPayment(wish, onPaid)
  if (state.at === 'unknown') return <Settling wish={wish} onLook={() => lookAgain(state.credential)} />
  return (
    <Arrival>
      <Section title={`Pay ${dollars(wish.amountCents)}`}>
        <div className="flex flex-col gap-4">
          <Notice tone="warn">Sandbox: no money moves. The payment and its receipt are marked as tests.</Notice>
          <Price wish={wish} />
          <Form
            submit={`Pay ${dollars(wish.amountCents)}`}
            onSubmit={(value) => payBy(value('spt'))}
            beside={state.at !== 'waiting' && <Button onClick={onBack}>Another amount</Button>}
          >
            <SelectField name="spt" label="Card" options={sandboxCards} />
            {state.at === 'refused' && <Notice tone="bad">Not paid: {state.message}</Notice>}
            {state.at === 'waiting' && state.tries > 0 && (
              <Notice>The processor has not said yet whether it charged. Asking again ({state.tries}) …</Notice>
            )}
          </Form>
        </div>
      </Section>
    </Arrival>
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

/** What is paid, and what of it is VAT. */
export function Price({ wish: { amountCents, vat } }: { wish: Wish }): ReactNode {
  return (
    <div className="flex flex-col gap-2">
      <Facts>
        <Fact term="Net">{dollars(vat.net_cents)}</Fact>
        <Fact term={`VAT ${percentOf(vat.vat_rate)}`}>{dollars(vat.vat_cents)}</Fact>
        <Fact term="You pay">
          <strong>{dollars(amountCents)}</strong>
        </Fact>
      </Facts>
      <p className="text-sm text-muted">{vatWords(vat)} All of it becomes credit.</p>
    </div>
  )
}

function Settling({ wish, onLook }: { wish: Wish; onLook: () => Promise<void> }): ReactNode {
  return (
    <Arrival>
      <Section title={`${dollars(wish.amountCents)} are being settled`}>
        <div className="flex flex-col gap-4">
          <Notice tone="warn">
            Nobody has said yet whether it was charged. It is never charged twice: looking again sends the same payment,
            and the service goes on asking by itself. Once it is paid, it stands among the payments.
          </Notice>
          <Form submit="Look again" onSubmit={onLook} />
        </div>
      </Section>
    </Arrival>
  )
}
