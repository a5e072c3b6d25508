import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, Suspense, lazy, useState } from 'react'
import { signOut } from '../api/auth.ts'
import { Chevron } from '../parts/icons.tsx'
import { MenuDoor } from '../parts/overlays/menu-door.tsx'
import { forgetDrafts } from '../parts/drafts/draft-store.ts'
import { problemOf } from '../parts/problem.ts'
import { useToast } from '../parts/overlays/toast.tsx'
import { useEnter, useMe } from '../session/session.ts'
import { useWorkspace } from '../session/workspace.tsx'

const load = () => import('./menu-items.tsx')
const CreateWorkspace = lazy(async () => ({ default: (await load()).CreateWorkspace }))

const trigger =
  'flex w-full items-center justify-between gap-2 rounded-lg border border-line bg-surface px-2.5 py-1.5 text-left text-sm hover:bg-sunken'

export function WorkspaceMenu(): ReactNode {
  const { workspace } = useWorkspace()
  const [isCreating, setCreating] = useState(false)
  const { name } = workspace
  return (
    <>
      <MenuDoor
        label={t`Workspace: ${name}`}
        className={trigger}
        load={load}
        trigger={
          <>
            <span className="truncate font-medium">{name}</span>
            <Chevron />
          </>
        }
      >
        {({ WorkspaceItems }) => <WorkspaceItems onCreate={() => setCreating(true)} />}
      </MenuDoor>
      {isCreating && (
        <Suspense>
          <CreateWorkspace onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  )
}

export function useSignOut(): () => void {
  const enter = useEnter()
  const toast = useToast()
  const goOn = (): void => {
    forgetDrafts(localStorage)
    enter('/sign-in')
  }
  return () => void signOut().then(goOn, (error: unknown) => toast(problemOf(error).message))
}

export function AccountMenu(): ReactNode {
  const me = useMe()
  const leave = useSignOut()
  return (
    <MenuDoor
      className={trigger}
      load={load}
      trigger={
        <>
          <span className="min-w-0">
            <span className="sr-only">
              <Trans comment="the name follows">Account of</Trans>{' '}
            </span>
            <span className="block truncate font-medium">{me.name}</span>
            <span className="block truncate text-xs text-muted">{me.email}</span>
          </span>
          <Chevron />
        </>
      }
    >
      {({ AccountItems }) => <AccountItems onLeave={leave} />}
    </MenuDoor>
  )
}
