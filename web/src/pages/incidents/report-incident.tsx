import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, Suspense, useState } from 'react'
import { Button } from '../../parts/button.tsx'
import { FormDialog } from '../../parts/overlays/dialog.tsx'
import { AreaField, SelectField, TextField } from '../../parts/form/field.tsx'
import { problemOf } from '../../parts/problem.ts'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useMonitors } from '../../session/use-monitors.ts'
import { useRead } from '../../session/workspace.tsx'
import { useIncidentApi } from './comments.tsx'

/** For what no check can see, such as orders that arrive twice. */
export function ReportIncident(): ReactNode {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button onClick={() => setAsked(true)}>
        <Trans>Report an incident</Trans>
      </Button>
      {isAsked && (
        <Suspense>
          <Report onClose={() => setAsked(false)} />
        </Suspense>
      )}
    </>
  )
}

function Report({ onClose }: { onClose: () => void }): ReactNode {
  const api = useIncidentApi()
  const router = useRouter()
  const listing = useMonitors()
  const { data: monitors } = useRead('monitors', { read: (all) => all.listMonitors() })
  const { data: contacts } = useRead('contacts', { read: () => listing.listContacts() })
  return (
    <FormDialog
      title={t`Report an incident`}
      submit={t`Report it`}
      onSubmit={async (value) => {
        const whom = value('alert_channel_ids')
        const { id } = await api.report({
          monitor_id: value('monitor_id'),
          title: value('title'),
          cause: value('cause') || null,
          alert_channel_ids: whom === 'usual' ? null : whom === 'nobody' ? [] : [whom],
        })
        router.history.push(`/incidents/${id}`)
      }}
      onClose={onClose}
    >
      <p className="text-sm text-muted">
        <Trans>For outages that no check can see. Checks do not resolve it, and it does not count in the uptime.</Trans>
      </p>
      <TextField name="title" label={t`What is wrong?`} maxLength={160} aria-required />
      <AreaField name="cause" label={t`What is known`} hint={t`Optional.`} rows={3} maxLength={1000} />
      <SelectField
        name="monitor_id"
        label={t`Monitor`}
        hint={t`Status pages with this monitor show the updates that you write for readers.`}
        options={monitors.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SelectField
        name="alert_channel_ids"
        label={t`Alert`}
        options={[
          { value: 'usual', label: t`Contacts that are alerted when it is down` },
          { value: 'nobody', label: t`No one` },
          ...contacts.map(({ id, name }) => ({ value: id, label: t`Only ${name}` })),
        ]}
      />
    </FormDialog>
  )
}

/** Of an incident that was made by hand. */
export function Resolve({ id, onChange }: { id: string; onChange: () => Promise<void> }): ReactNode {
  const api = useIncidentApi()
  const toast = useToast()
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.resolve(id),
    onSuccess: () => {
      toast(t`It is resolved. Everyone who was alerted gets the recovery.`)
      return onChange()
    },
    onError: (error) => toast(problemOf(error).message),
  })
  return (
    <Button look="primary" isBusy={isPending} onClick={() => mutate()}>
      <Trans>Resolve</Trans>
    </Button>
  )
}
