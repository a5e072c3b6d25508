import { Trans } from '@lingui/react/macro'
import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { Bars, Mark } from '../parts/icons.tsx'
import { UnsavedForms } from '../parts/unsaved.tsx'
import { Waiting } from '../parts/waiting.tsx'
import { WorkspaceProvider } from '../session/workspace.tsx'
import { FirstWorkspace } from './first-workspace.tsx'
import { OperatorTroubles } from './operator-troubles.tsx'
import { AccountMenu, WorkspaceMenu } from './menus.tsx'
import { Navigation, OwnNavigation, isOwnPage } from './navigation.tsx'

/** Around every page for people who are signed in. */
export function Shell(): ReactNode {
  return (
    <UnsavedForms>
      <WorkspaceProvider none={<NoWorkspace />}>
        <Frame banner={<OperatorTroubles />}>
          <WorkspaceMenu />
          <Navigation />
        </Frame>
      </WorkspaceProvider>
    </UnsavedForms>
  )
}

/** A person without a workspace still has an account, with what keeps it safe. */
function NoWorkspace(): ReactNode {
  // The address of the page in the outlet; the location is ahead of it.
  const pathname = useMatches({ select: (matches) => matches.at(-1)?.pathname ?? '/' })
  if (!isOwnPage(pathname)) return <FirstWorkspace />
  return (
    <Frame>
      <OwnNavigation />
    </Frame>
  )
}

/** `banner` stands above every page. */
function Frame({ banner, children }: { banner?: ReactNode; children: ReactNode }): ReactNode {
  return (
    <>
      <a
        href="#main"
        className="sr-only z-30 rounded-lg bg-accent px-4 py-2 text-white focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        <Trans>To the page</Trans>
      </a>
      <div className="mx-auto flex min-h-dvh max-w-7xl max-md:flex-col">
        <Sidebar>{children}</Sidebar>
        <Main banner={banner} />
      </div>
    </>
  )
}

/** On small screens it is a bar, with a button that opens the rest. */
function Sidebar({ children }: { children: ReactNode }): ReactNode {
  const { pathname } = useLocation()
  // Another page closes it.
  const [openAt, setOpenAt] = useState<string | null>(null)
  const isOpen = openAt === pathname
  return (
    <header className="flex shrink-0 flex-col gap-4 border-line p-3 max-md:border-b md:sticky md:top-0 md:h-dvh md:w-60 md:border-r print:hidden">
      <div className="flex items-center justify-between gap-2">
        <p className="flex items-center gap-2 px-2 text-lg font-semibold tracking-tight">
          <Mark /> Perigee
        </p>
        <div className="md:hidden">
          <Button
            look="quiet"
            aria-expanded={isOpen}
            aria-controls="navigation"
            onClick={() => setOpenAt(isOpen ? null : pathname)}
          >
            <Bars /> <Trans>Menu</Trans>
          </Button>
        </div>
      </div>
      <div id="navigation" className={`flex min-h-0 grow flex-col gap-4 md:flex ${isOpen ? '' : 'max-md:hidden'}`}>
        {children}
        <div className="grow" />
        <AccountMenu />
      </div>
    </header>
  )
}

/** Takes the focus when another page comes, so that a screen reader goes on there. */
function Main({ banner }: { banner: ReactNode }): ReactNode {
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current !== pathname) main.current?.focus()
    shown.current = pathname
  }, [pathname])
  return (
    <main id="main" ref={main} tabIndex={-1} className="min-w-0 grow px-4 py-6 md:px-10 md:py-8 print:p-0">
      {banner}
      <Suspense fallback={<Waiting />}>
        <Outlet />
      </Suspense>
    </main>
  )
}
