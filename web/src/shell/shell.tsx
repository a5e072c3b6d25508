import { Trans } from '@lingui/react/macro'
import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { type FocusEvent, type ReactNode, lazy, useEffect, useMemo, useRef, useState } from 'react'
import { Mark } from '../parts/icons.tsx'
import { DraftScope } from '../parts/drafts/draft-scope.ts'
import { Framed } from '../parts/page.tsx'
import { ToastPlace } from '../parts/overlays/toast.tsx'
import { UnsavedForms } from '../parts/form/unsaved.tsx'
import { Awaited, Waiting } from '../parts/waiting.tsx'
import { useMe } from '../session/session.ts'
import { WorkspaceProvider, useWorkspace } from '../session/workspace.tsx'
import { AccountMenu, WorkspaceMenu } from './menus.tsx'
import { Bar, BottomBar, Navigation, OwnNavigation, isOwnPage } from './navigation.tsx'
import { OperatorTroubles } from './operator-troubles.tsx'
import { PaletteButton, PaletteDoor } from './palette-door.tsx'
import { SettingsList } from './settings-list.tsx'
import { StandingProvider } from './standing.tsx'

/** Few people are ever without a workspace. */
const FirstWorkspace = lazy(async () => ({ default: (await import('./first-workspace.tsx')).FirstWorkspace }))

/** Around every page for people who are signed in. */
export function Shell(): ReactNode {
  return (
    <UnsavedForms>
      <WorkspaceProvider none={<NoWorkspace />}>
        <StandingProvider>
          <PaletteDoor>
            <Drafts>
              <Frame bar={BottomBar} aside={<SettingsList />} banner={<OperatorTroubles />}>
                <WorkspaceMenu />
                <PaletteButton />
                <Navigation />
              </Frame>
            </Drafts>
          </PaletteDoor>
        </StandingProvider>
      </WorkspaceProvider>
    </UnsavedForms>
  )
}

/** Around pages whose forms keep drafts. */
function Drafts({ children }: { children: ReactNode }): ReactNode {
  const { id: person } = useMe()
  const { id: workspace } = useWorkspace().workspace
  const scope = useMemo(() => ({ person, workspace }), [person, workspace])
  return <DraftScope value={scope}>{children}</DraftScope>
}

/** A person without a workspace still has an account, with what keeps it safe. */
function NoWorkspace(): ReactNode {
  // The address of the page in the outlet; the location is ahead of it.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' })
  if (!isOwnPage(pathname))
    return (
      <Awaited fallback={<Waiting />}>
        <FirstWorkspace />
      </Awaited>
    )
  return (
    <Frame bar={Bar}>
      <OwnNavigation />
    </Frame>
  )
}

type Menu = { isOpen: boolean; onMenu: () => void }
type FrameProps = { bar: (menu: Menu) => ReactNode; aside?: ReactNode; banner?: ReactNode; children: ReactNode }

/** `bar` is what a phone has at its lower end, `children` the navigation, and `aside` what stands before some pages. */
function Frame({ bar, aside, banner, children }: FrameProps): ReactNode {
  return (
    <>
      <a
        href="#main"
        className="sr-only z-50 rounded-lg bg-accent px-4 py-2 text-white focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        <Trans>To the page</Trans>
      </a>
      <div className="mx-auto flex min-h-dvh max-w-7xl max-md:flex-col">
        <Sidebar bar={bar}>{children}</Sidebar>
        <div className="min-w-0 grow lg:flex">
          {aside}
          <Main banner={banner} />
        </div>
      </div>
    </>
  )
}

/** On small screens it lies over the page while the menu is open. */
function Sidebar({ bar: LowerBar, children }: Pick<FrameProps, 'bar' | 'children'>): ReactNode {
  const { pathname } = useLocation()
  // Another page closes it.
  const [openAt, setOpenAt] = useState<string | null>(null)
  const isOpen = openAt === pathname
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    // Whatever has the focus then lies below it.
    if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) setOpenAt(null)
  }
  return (
    <header
      onBlur={onBlur}
      className="flex shrink-0 flex-col gap-4 border-line p-3 max-md:border-b md:sticky md:top-0 md:h-dvh md:w-60 md:border-r print:hidden"
    >
      <p className="flex items-center gap-2 px-2 text-lg font-semibold tracking-tight">
        <Mark /> Perigee
      </p>
      <LowerBar isOpen={isOpen} onMenu={() => setOpenAt(isOpen ? null : pathname)} />
      <div
        id="navigation"
        className={`flex min-h-0 grow flex-col gap-4 max-md:fixed max-md:inset-x-0 max-md:top-0 max-md:bottom-14 max-md:z-30 max-md:overflow-y-auto max-md:bg-ground max-md:p-4 max-md:pb-6 ${isOpen ? '' : 'max-md:hidden'}`}
      >
        {children}
        <div className="grow" />
        <AccountMenu />
      </div>
      <div className="max-md:pointer-events-none max-md:fixed max-md:inset-x-3 max-md:bottom-17 max-md:z-20 md:order-last md:-mt-2">
        <ToastPlace />
      </div>
    </header>
  )
}

/** Takes the focus when another page comes, so that a screen reader goes on there. */
function Main({ banner }: Pick<FrameProps, 'banner'>): ReactNode {
  const { pathname } = useLocation()
  // That of the page in the outlet; the location is ahead of it.
  const page = useMatches({ select: (matches) => matches.at(-1)?.routeId })
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current !== pathname) main.current?.focus()
    shown.current = pathname
  }, [pathname])
  return (
    <main id="main" ref={main} tabIndex={-1} className="min-w-0 grow px-4 pt-6 pb-24 md:px-10 md:py-8 print:p-0">
      <Framed value>
        {banner}
        <Awaited key={page} fallback={<Waiting />}>
          <Outlet />
        </Awaited>
      </Framed>
    </main>
  )
}
