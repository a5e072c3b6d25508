import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import type { PolicyRecord } from '../../api/escalation.ts'
import type { OnCallScheduleRecord } from '../../api/on-call.ts'
import { Button } from '../../parts/button.tsx'
import { DeleteDialog } from '../../parts/overlays/dialog.tsx'
import { listed } from '../../parts/language.ts'
import { Badge, Empty, Row, Rows } from '../../parts/list.tsx'
import { Section } from '../../parts/page.tsx'
import { TagBadges } from '../../parts/form/tags-field.tsx'
import { policiesKey, useEscalationApi, usePolicies } from '../../session/use-escalation.ts'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useChanged, useRead } from '../../session/workspace.tsx'
import type { Contact } from './contact-words.ts'
import { PolicyDialog } from './policy-form.tsx'
import { schedulesKey, useOnCallApi } from './use-on-call.ts'

type Asked = { what: 'add' } | { what: 'change' | 'delete'; policy: PolicyRecord }

/** Who is told of an outage after whom. */
export function Policies({ contacts }: { contacts: readonly Contact[] }): ReactNode {
  const policies = usePolicies()
  const onCall = useOnCallApi()
  const { data: schedules } = useRead(schedulesKey, { read: () => onCall.list() })
  const mayWrite = useMayWrite()
  const [asked, setAsked] = useState<Asked | null>(null)
  const close = (): void => setAsked(null)
  const add = (
    <Button onClick={() => setAsked({ what: 'add' })}>
      <Trans>Add an escalation policy</Trans>
    </Button>
  )
  return (
    <Section title={t`Escalation`} action={mayWrite && contacts.length > 0 && add}>
      {policies.length === 0 && (
        <Empty>{t`None: an outage alerts all contacts at once. A policy alerts one step after the other, until someone acknowledges the incident.`}</Empty>
      )}
      <Rows label={t`Escalation policies`}>
        {policies.map((policy) => (
          <PolicyRow
            key={policy.id}
            policy={policy}
            contacts={contacts}
            schedules={schedules}
            onAsk={mayWrite ? setAsked : null}
          />
        ))}
      </Rows>
      {asked?.what === 'add' && <PolicyDialog of={null} contacts={contacts} schedules={schedules} onClose={close} />}
      {asked?.what === 'change' && (
        <PolicyDialog of={asked.policy} contacts={contacts} schedules={schedules} onClose={close} />
      )}
      {asked?.what === 'delete' && <Delete policy={asked.policy} onClose={close} />}
    </Section>
  )
}

type Known = { contacts: readonly Contact[]; schedules: readonly OnCallScheduleRecord[] }
type RowProps = Known & { policy: PolicyRecord; onAsk: ((asked: Asked) => void) | null }

function PolicyRow({ policy, contacts, schedules, onAsk }: RowProps): ReactNode {
  const { name, is_default: isDefault, steps, tags } = policy
  return (
    <Row
      title={
        <>
          {name}
          <TagBadges tags={tags} />
          {isDefault && (
            <Badge>
              <Trans>default</Trans>
            </Badge>
          )}
        </>
      }
      details={
        <ol>
          {numbered(steps).map(({ step, number }) => (
            <li key={number}>{stepText(step, { contacts, schedules })}</li>
          ))}
          {policy.repeats > 0 && (
            <li>{plural(policy.repeats, { one: 'then once more', other: 'then # times more' })}</li>
          )}
        </ol>
      }
      action={
        onAsk !== null && (
          <>
            <Button aria-label={t`Change ${name}`} onClick={() => onAsk({ what: 'change', policy })}>
              <Trans>Change</Trans>
            </Button>
            <Button look="danger" aria-label={t`Delete ${name}`} onClick={() => onAsk({ what: 'delete', policy })}>
              <Trans>Delete</Trans>
            </Button>
          </>
        )
      }
    />
  )
}

/** Two steps may say the same, so that only its place tells one from the other. */
function numbered(steps: PolicyRecord['steps']) {
  return steps.map((step, index) => ({ step, number: index + 1 }))
}

function stepText(step: PolicyRecord['steps'][number], { contacts, schedules }: Known): string {
  const { after_minutes: minutes, contact_ids: ids, schedule_ids: scheduleIds } = step
  const names = contacts.flatMap(({ contact }) => (ids.includes(contact.id) ? [contact.name] : []))
  const onCall = schedules.flatMap(({ id, name }) => (scheduleIds.includes(id) ? [t`who is on call in ${name}`] : []))
  const all = [...names, ...onCall]
  const whom = all.length === 0 ? t`no one: its contacts were deleted` : listed(all)
  return minutes === 0 ? t`at once: ${whom}` : t`after ${minutes} min: ${whom}`
}

function Delete({ policy: { id, name }, onClose }: { policy: PolicyRecord; onClose: () => void }): ReactNode {
  const api = useEscalationApi()
  const changed = useChanged()
  return (
    <DeleteDialog
      title={t`Delete ${name}?`}
      onSubmit={async () => {
        await api.remove(id)
        await changed(policiesKey)
        onClose()
      }}
      onClose={onClose}
    >
      <Trans>Monitors that name it use the default policy from then on, or alert all their contacts at once.</Trans>
    </DeleteDialog>
  )
}
