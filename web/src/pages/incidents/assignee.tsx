import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { IncidentRecord } from '../../api/incidents.ts'
import { problemOf } from '../../parts/problem.ts'
import { inputClass } from '../../parts/schema/fieldset.tsx'
import { useToast } from '../../parts/overlays/toast.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import { useRead } from '../../session/workspace.tsx'
import { useIncidentApi } from './comments.tsx'

type AssigneeProps = { incident: Pick<IncidentRecord, 'id' | 'assignee'>; onChange: () => Promise<void> }

/** Who has the incident, and for those who may change it a choice of members. */
export function Assignee({ incident, onChange }: AssigneeProps): ReactNode {
  const { assignee } = incident
  if (!useMayWrite()) return assignee === null ? t`no member` : assignee.name
  return <Choice incident={incident} onChange={onChange} />
}

function Choice({ incident: { id, assignee }, onChange }: AssigneeProps): ReactNode {
  const api = useIncidentApi()
  const toast = useToast()
  const { data: members } = useRead('members', { read: () => api.listMembers() })
  const { mutate, isPending } = useMutation({
    mutationFn: (personId: string | null) => api.assign(id, personId),
    onSuccess: ({ assignee: given }) => {
      const name = given?.name ?? ''
      toast(given === null ? t`It is no longer assigned.` : t`It is assigned to ${name}.`)
      return onChange()
    },
    onError: (error) => toast(problemOf(error).message),
  })
  return (
    <select
      aria-label={t`Assigned to`}
      value={assignee?.id ?? ''}
      disabled={isPending}
      onChange={({ target }) => mutate(target.value === '' ? null : target.value)}
      className={`${inputClass} max-w-56`}
    >
      <option value="">{t`No member`}</option>
      {members.map((member) => (
        <option key={member.id} value={member.id}>
          {member.name}
        </option>
      ))}
    </select>
  )
}
