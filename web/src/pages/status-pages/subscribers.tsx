import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { StatusPageRecord, SubscriberRecord } from '../../api/status-pages.ts'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { TextField } from '../../parts/form/field.tsx'
import type { Values } from '../../parts/form/form.tsx'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { useShown } from '../../parts/shown.tsx'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useSendsMail } from '../../session/session.ts'
import { useChanged, useRead } from '../../session/workspace.tsx'
import { SigningSecret } from '../contacts/contact-secret.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { statusPageKey, useStatusPagesApi } from './page-api.ts'

type Asked = { what: 'add' } | { what: 'secret'; secret: string } | { what: 'remove'; subscriber: SubscriberRecord }

function subscribersKey(pageId: string): string {
  return `status-subscribers ${pageId}`
}

/** Who is told of what happens on a page. */
export function Subscribers({ page: { id } }: { page: StatusPageRecord }): ReactNode {
  const api = useStatusPagesApi()
  const { data: subscribers } = useRead(subscribersKey(id), { read: () => api.listSubscribers(id) })
  const { shown, more } = useShown(subscribers)
  const mayWrite = useMayWrite()
  const sendsMail = useSendsMail()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  return (
    <Section
      title={t`Subscribers`}
      lead={
        sendsMail
          ? t`They are notified when an incident begins or ends, and when you write something. People subscribe on the page itself.`
          : t`They are notified when an incident begins or ends, and when you write something. This installation sends no mail, so people cannot subscribe with an address.`
      }
      action={
        mayWrite && (
          <Button onClick={() => setAsked({ what: 'add' })}>
            <Trans>Add a webhook</Trans>
          </Button>
        )
      }
    >
      {subscribers.length === 0 && (
        <Empty>
          <Trans>No one has subscribed yet.</Trans>
        </Empty>
      )}
      <Rows label={t`Subscribers`}>
        {shown.map((subscriber) => (
          <SubscriberRow
            key={subscriber.id}
            subscriber={subscriber}
            onRemove={mayWrite ? () => setAsked({ what: 'remove', subscriber }) : null}
          />
        ))}
      </Rows>
      {more}
      {asked?.what === 'add' && (
        <AddWebhook pageId={id} onAdded={(secret) => setAsked({ what: 'secret', secret })} onClose={close} />
      )}
      {asked?.what === 'secret' && <SigningSecret secret={asked.secret} onClose={close} />}
      {asked?.what === 'remove' && <Remove pageId={id} subscriber={asked.subscriber} onClose={close} />}
    </Section>
  )
}

type RowProps = { subscriber: SubscriberRecord; onRemove: (() => void) | null }

function SubscriberRow({ subscriber, onRemove }: RowProps): ReactNode {
  const { destination, kind, confirmed, created_at: at } = subscriber
  return (
    <Row
      title={
        <>
          {destination}
          {!confirmed && (
            <Badge>
              <Trans>not confirmed</Trans>
            </Badge>
          )}
        </>
      }
      details={
        <>
          {kind === 'email' ? t`Email` : t`Webhook`},{' '}
          <Trans>
            since <Time at={at} by="day" />
          </Trans>
        </>
      }
      action={
        onRemove !== null && (
          <Button aria-label={t`Remove ${destination}`} onClick={onRemove}>
            <Trans>Remove</Trans>
          </Button>
        )
      }
    />
  )
}

type AddProps = { pageId: string; onAdded: (secret: string) => void; onClose: () => void }

function AddWebhook({ pageId, onAdded, onClose }: AddProps): ReactNode {
  const api = useStatusPagesApi()
  const changed = useChanged()
  const submit = async (value: Values): Promise<void> => {
    const secret = await api.addWebhook(pageId, value('destination'))
    await changed(subscribersKey(pageId), statusPageKey(pageId))
    onAdded(secret)
  }
  return (
    <FormDialog title={t`Add a webhook`} submit={t`Add`} onSubmit={submit} onClose={onClose}>
      <TextField
        name="destination"
        label={t`Address`}
        hint={t`An https:// address. Messages are signed; the secret is shown only once.`}
        placeholder="https://example.com/hooks/status"
        autoComplete="off"
      />
    </FormDialog>
  )
}

type RemoveProps = { pageId: string; subscriber: SubscriberRecord; onClose: () => void }

function Remove({ pageId, subscriber: { id, destination }, onClose }: RemoveProps): ReactNode {
  const api = useStatusPagesApi()
  const changed = useChanged()
  const toast = useToast()
  const submit = async (): Promise<void> => {
    await api.removeSubscriber(id)
    await changed(subscribersKey(pageId), statusPageKey(pageId))
    toast(t`${destination} gets no more updates.`)
    onClose()
  }
  return (
    <FormDialog title={t`Remove ${destination}?`} submit={t`Remove`} look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        <Trans>Nothing more is sent there. It gets no message about the removal, and can subscribe again.</Trans>
      </p>
    </FormDialog>
  )
}
