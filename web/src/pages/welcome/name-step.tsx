import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { TextField } from '../../parts/form/field.tsx'
import { Form } from '../../parts/form/form.tsx'
import { workspacesQuery } from '../../session/session.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import type { GoOn } from './outcome.tsx'

/** For owners. */
export function NameStep({ goOn }: { goOn: GoOn }): ReactNode {
  const { workspace, api } = useWorkspace()
  const client = useQueryClient()
  const submit = async (name: string): Promise<void> => {
    if (name !== workspace.name) {
      await api.renameWorkspace(name)
      await client.invalidateQueries({ queryKey: workspacesQuery.queryKey })
    }
    await goOn(t`The name of the workspace is ${name}.`)
  }
  return (
    <Form submit={t`Save and continue`} onSubmit={(value) => submit(value('name').trim())}>
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
