import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type WorkspaceRecord, createWorkspace } from '../api/console.ts'
import { startSignOn } from '../api/single-sign-on.ts'
import { Button } from '../parts/button.tsx'
import { TextField } from '../parts/form/field.tsx'
import { Form } from '../parts/form/form.tsx'
import { Door, linkClass } from '../parts/page.tsx'
import { settingsQuery, useMe, workspacesQuery } from '../session/session.ts'
import { chosenOf, keepChoice } from '../session/workspace-choice.ts'
import { useWorkspacesChanged } from '../session/workspace.tsx'
import { useSignOut } from './menus.tsx'

/** For a person without a workspace: a way to one where there is one, to the account, and out. */
export function FirstWorkspace(): ReactNode {
  const { data: workspaces } = useSuspenseQuery(workspacesQuery)
  return workspaces.length === 0 ? <NoWorkspaceYet /> : <AskedForProvider workspaces={workspaces} />
}

type AskedProps = { workspaces: readonly WorkspaceRecord[] }

function goTo(workspaceId: string): void {
  keepChoice(workspaceId)
  location.assign('/')
}

/** The session did not begin by the single sign-on of the workspace, which asks for that. */
function AskedForProvider({ workspaces }: AskedProps): ReactNode {
  const { email } = useMe()
  const leave = useSignOut()
  const name = chosenOf(workspaces)?.name ?? ''
  const others = workspaces.filter((each) => each.asks_for_provider !== true)
  return (
    <Door title={t`${name} asks for single sign-on`} lead={t`Its members come by its identity provider.`}>
      <Form isWide submit={t`Sign in with single sign-on`} onSubmit={() => startSignOn(email, '/')} />
      {others.map((other) => (
        <Button key={other.id} isWide onClick={() => goTo(other.id)}>
          {other.name}
        </Button>
      ))}
      <Button look="quiet" isWide onClick={leave}>
        <Trans>Sign out</Trans>
      </Button>
    </Door>
  )
}

function NoWorkspaceYet(): ReactNode {
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
