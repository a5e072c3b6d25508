import { type ReactNode, useState } from 'react'
import type { StatusPageRecord, SubscriberRecord } from '../api/status-pages.ts'
import { Button } from '../parts/button.tsx'
import { FormDialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import type { Values } from '../parts/form.tsx'
import { Badge, Empty, Row, Rows } from '../parts/list.tsx'
import { Section } from '../parts/page.tsx'
import { useShown } from '../parts/shown.tsx'
import { Time } from '../parts/time.tsx'
import { useToast } from '../parts/toast.tsx'
import { useChanged, useRead } from '../workspace.tsx'
import { SigningSecret } from './contact-secret.tsx'
import { useMayWrite } from './monitor/use-monitors.ts'
import { statusPageKey, useStatusPagesApi } from './status-page-api.ts'

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
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  return (
    <Section
      title="Subscribers"
      lead="They are told when an incident begins or ends, and of what you write. People subscribe on the page itself."
      action={mayWrite && <Button onClick={() => setAsked({ what: 'add' })}>Add a webhook</Button>}
    >
      {subscribers.length === 0 && <Empty>Nobody has subscribed yet.</Empty>}
      <Rows label="Subscribers">
        {shown.map((subscriber) => (
          <Row
            key={subscriber.id}
            title={
              <>
                {subscriber.destination}
                {!subscriber.confirmed && <Badge>not confirmed</Badge>}
              </>
            }
            details={
              <>
                {subscriber.kind === 'email' ? 'Email' : 'Webhook'}, since <Time at={subscriber.created_at} by="day" />
              </>
            }
            action={
              mayWrite && (
                <Button
                  aria-label={`Remove ${subscriber.destination}`}
                  onClick={() => setAsked({ what: 'remove', subscriber })}
                >
                  Remove
                </Button>
              )
            }
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
    <FormDialog title="Add a webhook" submit="Add" onSubmit={submit} onClose={onClose}>
      <TextField
        name="destination"
        label="Address"
        hint="An https:// address. Messages are signed; the secret is shown once."
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
    toast(`${destination} is told nothing more.`)
    onClose()
  }
  return (
    <FormDialog title={`Remove ${destination}?`} submit="Remove" look="danger" onSubmit={submit} onClose={onClose}>
      <p className="text-muted">
        Nothing more is sent there. It is not told that it was removed, and may subscribe again.
      </p>
    </FormDialog>
  )
}
