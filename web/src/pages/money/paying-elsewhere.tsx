import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Offer } from '../../api/pay.ts'
import { Arrival } from '../../parts/arrival.tsx'
import { Button } from '../../parts/button.tsx'
import { CopyText } from '../../parts/copy.tsx'
import { dollars } from '../../parts/money.ts'
import { Section, linkClass } from '../../parts/page.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { settingsQuery } from '../../session/session.ts'
import { useChanged } from '../../session/workspace.tsx'
import { Price, type Wish } from './paying.tsx'

type ElsewhereProps = { wish: Wish; offers: readonly Offer[]; onBack: () => void }

/**
 * Cards are granted by wallets of agents, and tokens of a chain are signed for with a key: neither is a thing for a page
 * that takes no scripts but its own. So it says who can pay, and how.
 */
export function Elsewhere({ wish, offers, onBack }: ElsewhereProps): ReactNode {
  const { data: settings } = useSuspenseQuery(settingsQuery)
  const changed = useChanged()
  const toast = useToast()
  const look = async (): Promise<void> => {
    await changed('account', 'credit', 'payments')
    toast(t`The balance is up to date.`)
  }
  const amount = dollars(wish.amountCents)
  const known = offers.flatMap((offer) => wayOf(offer, { wish, service: settings.public_url }) ?? [])
  // A method that is offered by two names is one way.
  const ways = [...new Map(known.map((way) => [way.command, way])).values()]
  return (
    <Arrival>
      <Section title={t`Pay ${amount}`}>
        <div className="flex flex-col gap-5">
          <Price wish={wish} />
          <p>
            <Trans>
              You pay with a wallet or an agent, not on this page. Either needs a token of this workspace that can read
              and write: create one under{' '}
              <Link to="/settings/tokens" className={linkClass}>
                API tokens
              </Link>
              . The commands read it from the file perigee.key.
            </Trans>
          </p>
          {ways.map(({ title, needs, command }) => (
            <Way key={title} title={title} needs={needs} text={command} />
          ))}
          <Way
            title={t`By an agent`}
            needs={t`Give this to an agent that can pay and has the token.`}
            text={agentText(settings.public_url, wish)}
          />
          <div className="flex flex-wrap gap-2">
            <Button look="primary" onClick={() => void look()}>
              <Trans>Check the payment</Trans>
            </Button>
            <Button onClick={onBack}>
              <Trans>Another amount</Trans>
            </Button>
          </div>
        </div>
      </Section>
    </Arrival>
  )
}

function Way({ title, needs, text }: { title: string; needs: string; text: string }): ReactNode {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-medium">{title}</h3>
      <p className="text-sm text-muted wrap-anywhere">{needs}</p>
      <CopyText label={title} text={text} />
    </section>
  )
}

type Target = { wish: Wish; service: string }

/**
 * Told by what an offer asks for, since its method may have another name. Null for an offer that the console does not
 * know.
 */
function wayOf({ request }: Offer, target: Target): { title: string; needs: string; command: string } | null {
  const details = membersOf(request['methodDetails'])
  const { networkId, chainId, decimals } = details
  if (typeof networkId === 'string') {
    const amount = dollars(Number(request['amount']))
    return {
      title: t`By card`,
      needs: t`With a shared payment token that your wallet grants to ${networkId}, good for ${amount}.`,
      command: `${commandFor(target)} --card spt_…`,
    }
  }
  if (typeof chainId !== 'number') return null
  const token = String(membersOf(details['domain'])['name'])
  return {
    title: t`By stablecoin`,
    needs: t`With ${token} on the chain ${chainId}, from the account whose private key is in the file payer.key.`,
    command: `${commandFor(target)} --key payer.key --token ${chainId}:${String(request['currency'])}:${String(decimals)}`,
  }
}

function commandFor({ wish, service }: Target): string {
  const amount = (wish.amountCents / 100).toFixed(2)
  return `perigee pay ${service} --credit ${amount} --api-key perigee.key --budget ${amount}`
}

function agentText(service: string, { amountCents }: Wish): string {
  const amount = dollars(amountCents)
  const body = `{"amount_cents": ${amountCents}}`
  return t`Buy credit of ${amount} at ${service}: POST /api/v1/credits with ${body} and the token in X-API-Key. It answers 402 with what it takes; pay that, and send the same request again.`
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
