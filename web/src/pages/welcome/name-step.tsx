import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { workspacesQuery } from '../../session/session.ts'
import { useWorkspace } from '../../session/workspace.tsx'

/** For owners. */
export function NameStep(): ReactNode {
  const { workspace, api } = useWorkspace()
  const client = useQueryClient()
  const navigate = useNavigate()
  const submit = async (name: string): Promise<void> => {
    if (name !== workspace.name) {
      await api.renameWorkspace(name)
      await client.invalidateQueries({ queryKey: workspacesQuery.queryKey })
    }
    await navigate({ to: '/welcome', search: { step: 'monitors' } })
  }
  return (
    <Form submit={t`Save and go on`} onSubmit={(value) => submit(value('name').trim())}>
      <TextField
        name="name"
        label={t`Name of the workspace`}
        defaultValue={workspace.name}
        hint={t`Such as your company or your team.`}
        autoComplete="organization"
      />
    </Form>
  )
}
