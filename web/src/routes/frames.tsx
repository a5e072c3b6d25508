import { type QueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, createRootRouteWithContext, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Awaited, Waiting, WaitingFrame } from '../parts/waiting.tsx'
import { MeProvider, localReturn, meQuery, returnSearch, settingsQuery, workspacesQuery } from '../session/session.ts'

export const root = createRootRouteWithContext<{ client: QueryClient }>()({ component: Root })

function Root(): ReactNode {
  return (
    <Awaited fallback={<Waiting />}>
      <Outlet />
    </Awaited>
  )
}

type Return = { return_to?: string }

/** Every page that leads to being signed in says where it goes on. */
function readReturn({ return_to: to }: Record<string, unknown>): Return {
  return typeof to === 'string' ? { return_to: localReturn(to) } : {}
}

/** For people who are not signed in; others go on at once. */
export const outside = createRoute({
  getParentRoute: () => root,
  id: 'outside',
  validateSearch: readReturn,
  beforeLoad: async ({ context, search }) => {
    const me = await context.client.ensureQueryData(meQuery)
    if (me !== null) throw redirect({ href: search.return_to ?? '/' })
  },
})

/** For people who are signed in; others are asked to. */
export const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ context, location }) => {
    const me = await context.client.ensureQueryData(meQuery)
    if (me === null) throw redirect({ to: '/sign-in', search: returnSearch(location.href) })
  },
  component: Inside,
})

/** From the moment when the service says that the person is signed out, nothing is shown until the way in appears. */
function Inside(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  if (me === null) return <Waiting />
  return (
    <MeProvider value={me}>
      <Outlet />
    </MeProvider>
  )
}

export const shell = createRoute({
  getParentRoute: () => inside,
  id: 'shell',
  // It shows the workspaces: they come while the scripts do. A dialog that has to wait for the settings would hide the
  // page below it, which then loses the focus.
  loader: async ({ context: { client } }) => {
    void client.prefetchQuery(settingsQuery)
    await client.prefetchQuery(workspacesQuery)
  },
  pendingMs: 250,
  pendingComponent: WaitingFrame,
  component: lazyRouteComponent(() => import('../shell/shell.tsx'), 'Shell'),
})
