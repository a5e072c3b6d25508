import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { createWorkspace } from '../api/console.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/form/field.tsx'
import { Form } from '../parts/form/form.tsx'
import { Door, linkClass } from '../parts/page.tsx'
import { settingsQuery } from '../session/session.ts'
import { useWorkspacesChanged } from '../session/workspace.tsx'
import { useSignOut } from './menus.tsx'

/** For a person without a workspace: a way to one where there is one, to the account, and out. */
export function FirstWorkspace(): ReactNode {
  const { data: settings } = useSuspenseQuery(settingsQuery)
  const leave = useSignOut()
  const mayCreate = settings.sign_up === 'open'
  const way = mayCreate ? t`Create one, or have someone invite you to theirs.` : t`Have someone invite you to theirs.`
  return (
    <Door
      title={t`You are not in a workspace`}
      lead={t`Monitors, contacts and members are in a workspace. ${way}`}
      below={
        <Trans>
          You still have{' '}
          <Link to="/settings/account" className={linkClass}>
            your account
          </Link>{' '}
          and{' '}
          <Link to="/settings/security" className={linkClass}>
            your sign-in settings
          </Link>
          .
        </Trans>
      }
    >
      {mayCreate && <Creation />}
      <Button look="quiet" isWide onClick={leave}>
        <Trans>Sign out</Trans>
      </Button>
    </Door>
  )
}

function Creation(): ReactNode {
  const changed = useWorkspacesChanged()
  const submit = async (name: string): Promise<void> => {
    await createWorkspace(name)
    await changed('/welcome')
  }
  return (
    <Form isWide unsaved={false} submit={t`Create the workspace`} onSubmit={(value) => submit(value('name'))}>
      <TextField name="name" label={t`Name`} defaultValue={t`My workspace`} />
    </Form>
  )
}
