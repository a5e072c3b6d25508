import { Trans } from '@lingui/react/macro'
import { type ReactNode, Suspense, lazy, useState } from 'react'
import type { SavedViewRecord } from '../../api/saved-views.ts'
import { Chevron } from '../../parts/icons.tsx'
import { MenuDoor } from '../../parts/overlays/menu-door.tsx'
import { useMayWrite } from '../../session/use-monitors.ts'
import type { Asked, ViewsProps } from './saved-views-menu.tsx'
import { chosenView, useSavedViews } from './saved-views.ts'

const load = () => import('./saved-views-menu.tsx')
const SavedViewDialog = lazy(async () => ({ default: (await load()).SavedViewDialog }))

/** The saved views to choose from, which one is chosen, and what can be done with it. */
export function MonitorsViews({ view, onView }: ViewsProps): ReactNode {
  const all = useSavedViews()
  const mayWrite = useMayWrite()
  const [asked, setAsked] = useState<Asked | null>(null)
  const { chosen, isChanged } = chosenView(all, view)
  if (all.length === 0 && !mayWrite) return null
  return (
    <>
      <MenuDoor
        trigger={<Trigger chosen={chosen} isChanged={isChanged} />}
        className="inline-flex min-h-7 max-w-full items-center gap-2 rounded-full border border-edge/60 px-3 py-0.5 text-sm hover:bg-sunken"
        load={load}
      >
        {({ SavedViewItems }) => <SavedViewItems view={view} onView={onView} onAsk={setAsked} />}
      </MenuDoor>
      {asked !== null && (
        <Suspense>
          <SavedViewDialog asked={asked} view={view} onView={onView} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  )
}

function Trigger({ chosen, isChanged }: { chosen: SavedViewRecord | null; isChanged: boolean }): ReactNode {
  if (chosen === null)
    return (
      <>
        <Trans>Saved views</Trans>
        <Chevron />
      </>
    )
  const { name } = chosen
  return (
    <>
      <span className="min-w-0 truncate">
        <Trans>
          View: <span className="font-medium">{name}</span>
        </Trans>
        {isChanged && (
          <>
            {' '}
            <span className="text-muted">
              <Trans comment="A saved view, since it was chosen">· changed</Trans>
            </span>
          </>
        )}
      </span>
      <Chevron />
    </>
  )
}
