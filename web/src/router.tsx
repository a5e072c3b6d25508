import { type QueryClient, useSuspenseQuery } from '@tanstack/react-query'
import {
  Outlet,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NotFound, Trouble } from './pages/trouble.tsx'
import { Waiting } from './parts/waiting.tsx'
import { MeProvider, localReturn, meQuery, returnSearch } from './session.ts'

const root = createRootRouteWithContext<{ client: QueryClient }>()({ component: Outlet })

type Return = { return_to?: string }

/** Every page that leads to being signed in says where it goes on. */
function readReturn({ return_to: to }: Record<string, unknown>): Return {
  return typeof to === 'string' ? { return_to: localReturn(to) } : {}
}

/** For people who are not signed in; others go on at once. */
const outside = createRoute({
  getParentRoute: () => root,
  id: 'outside',
  validateSearch: readReturn,
  beforeLoad: async ({ context, search }) => {
    const me = await context.client.ensureQueryData(meQuery)
    if (me !== null) throw redirect({ href: search.return_to ?? '/' })
  },
})

/** For people who are signed in; others are asked to. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  beforeLoad: async ({ context, location }) => {
    const me = await context.client.ensureQueryData(meQuery)
    if (me === null) throw redirect({ to: '/sign-in', search: returnSearch(location.href) })
  },
  component: Inside,
})

/** Nothing is shown any more from the moment when somebody turns out to be signed out, until the way in appears. */
function Inside(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  if (me === null) return <Waiting />
  return (
    <MeProvider value={me}>
      <Outlet />
    </MeProvider>
  )
}

const shell = createRoute({
  getParentRoute: () => inside,
  id: 'shell',
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})

const signIn = () => import('./pages/sign-in.tsx')
const links = () => import('./pages/mail-links.tsx')
const doors = () => import('./pages/doors.tsx')

const outsideRoutes = [
  createRoute({
    getParentRoute: () => outside,
    path: '/sign-in',
    component: lazyRouteComponent(signIn, 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => outside,
    path: '/sign-in/second-factor',
    component: lazyRouteComponent(signIn, 'SecondFactorPage'),
  }),
  createRoute({
    getParentRoute: () => outside,
    path: '/sign-up',
    component: lazyRouteComponent(() => import('./pages/sign-up.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => outside,
    path: '/forgot-password',
    component: lazyRouteComponent(signIn, 'ForgotPasswordPage'),
  }),
]

/** Behind links of mails and of the first start, for whoever opens them. */
const linkRoutes = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in/link',
    component: lazyRouteComponent(links, 'SignInLinkPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/verify-email',
    component: lazyRouteComponent(links, 'VerifyEmailPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reset-password',
    component: lazyRouteComponent(links, 'ResetPasswordPage'),
  }),
  createRoute({ getParentRoute: () => root, path: '/set-up', component: lazyRouteComponent(doors, 'SetUpPage') }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitation',
    component: lazyRouteComponent(doors, 'InvitationPage'),
  }),
]

const claimRoute = createRoute({
  getParentRoute: () => inside,
  path: '/claim',
  validateSearch: (search): { claim_attempt_token: string } => {
    const { claim_attempt_token: token } = search
    return { claim_attempt_token: typeof token === 'string' ? token : '' }
  },
  component: lazyRouteComponent(() => import('./pages/claim.tsx'), 'ClaimPage'),
})

const shellRoutes = [
  createRoute({
    getParentRoute: () => shell,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: '/monitors', replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/monitors',
    component: lazyRouteComponent(() => import('./pages/monitors.tsx'), 'MonitorsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/workspace',
    component: lazyRouteComponent(() => import('./pages/workspace.tsx'), 'WorkspacePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/members',
    component: lazyRouteComponent(() => import('./pages/members.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/tokens',
    component: lazyRouteComponent(() => import('./pages/tokens.tsx'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/agents',
    component: lazyRouteComponent(() => import('./pages/agents.tsx'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/audit-log',
    component: lazyRouteComponent(() => import('./pages/audit-log.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/account',
    component: lazyRouteComponent(() => import('./pages/account.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/security',
    component: lazyRouteComponent(() => import('./pages/security.tsx'), 'SecurityPage'),
  }),
]

const tree = root.addChildren([
  outside.addChildren(outsideRoutes),
  ...linkRoutes,
  inside.addChildren([claimRoute, shell.addChildren(shellRoutes)]),
])

export function createConsoleRouter(client: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { client },
    defaultPreload: 'intent',
    defaultPendingComponent: Waiting,
    defaultErrorComponent: Trouble,
    defaultNotFoundComponent: NotFound,
    scrollRestoration: true,
    // As every other page writes them: no value is taken for JSON.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const pairs = Object.entries(search).filter(([, value]) => value !== undefined)
      const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
      return text === '' ? '' : `?${text}`
    },
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
