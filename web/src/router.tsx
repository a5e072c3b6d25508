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
import { readIncidentFilter } from './pages/incidents/incident-filter.ts'
import { readMonitorsEarly } from './pages/monitors/monitors-query.ts'
import { readView } from './pages/monitors/monitors-view.ts'
import { NotFound, Trouble } from './pages/trouble.tsx'
import { Waiting } from './parts/waiting.tsx'
import { MeProvider, localReturn, meQuery, returnSearch, workspacesQuery } from './session/session.ts'

const root = createRootRouteWithContext<{ client: QueryClient }>()({ component: Outlet })

type Return = { return_to?: string }

/** Every page that leads to being signed in says where it goes on. */
function readReturn({ return_to: to }: Record<string, unknown>): Return {
  return typeof to === 'string' ? { return_to: localReturn(to) } : {}
}

/** One part of an address that may be there, and says what is shown. */
function textIn<Name extends string>(name: Name) {
  return (search: Record<string, unknown>): { [each in Name]?: string } => {
    const value = search[name]
    const shown: { [each in Name]?: string } = {}
    if (typeof value === 'string' && value !== '') Object.assign(shown, { [name]: value })
    return shown
  }
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
  // It shows them: they come while the scripts do.
  loader: ({ context }) => void context.client.prefetchQuery(workspacesQuery),
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
})

const signIn = () => import('./pages/people/sign-in.tsx')
const links = () => import('./pages/people/mail-links.tsx')
const doors = () => import('./pages/people/set-up-invitation.tsx')

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
    component: lazyRouteComponent(() => import('./pages/people/sign-up.tsx'), 'SignUpPage'),
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
  component: lazyRouteComponent(() => import('./pages/people/claim.tsx'), 'ClaimPage'),
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
    path: '/welcome',
    validateSearch: textIn('step'),
    component: lazyRouteComponent(() => import('./pages/welcome/page.tsx'), 'WelcomePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/monitors',
    validateSearch: readView,
    loader: ({ context }) => void readMonitorsEarly(context.client),
    component: lazyRouteComponent(() => import('./pages/monitors/monitors.tsx'), 'MonitorsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/incidents',
    validateSearch: readIncidentFilter,
    component: lazyRouteComponent(() => import('./pages/incidents/incidents.tsx'), 'IncidentsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/incidents/$id',
    component: lazyRouteComponent(() => import('./pages/incidents/incident.tsx'), 'IncidentPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/monitors/new',
    validateSearch: textIn('kind'),
    component: lazyRouteComponent(() => import('./pages/monitor/form-pages.tsx'), 'NewMonitorPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/monitors/$id',
    validateSearch: textIn('tab'),
    component: lazyRouteComponent(() => import('./pages/monitor/page.tsx'), 'MonitorPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/monitors/$id/edit',
    component: lazyRouteComponent(() => import('./pages/monitor/form-pages.tsx'), 'EditMonitorPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/contacts',
    component: lazyRouteComponent(() => import('./pages/contacts/contacts.tsx'), 'ContactsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/contacts/$id',
    validateSearch: textIn('state'),
    component: lazyRouteComponent(() => import('./pages/contacts/contact.tsx'), 'ContactPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/maintenance',
    component: lazyRouteComponent(() => import('./pages/maintenance/maintenance.tsx'), 'MaintenancePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/maintenance/new',
    component: lazyRouteComponent(() => import('./pages/maintenance/maintenance-form.tsx'), 'NewMaintenancePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/maintenance/$id',
    component: lazyRouteComponent(() => import('./pages/maintenance/maintenance-form.tsx'), 'ChangeMaintenancePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/status-pages',
    component: lazyRouteComponent(() => import('./pages/status-pages/status-pages.tsx'), 'StatusPagesPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/status-pages/new',
    component: lazyRouteComponent(() => import('./pages/status-pages/status-page.tsx'), 'NewStatusPagePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/status-pages/$id',
    validateSearch: textIn('tab'),
    component: lazyRouteComponent(() => import('./pages/status-pages/status-page.tsx'), 'StatusPagePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/workspace',
    component: lazyRouteComponent(() => import('./pages/workspaces/workspace.tsx'), 'WorkspacePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/members',
    component: lazyRouteComponent(() => import('./pages/people/members.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/tokens',
    component: lazyRouteComponent(() => import('./pages/people/tokens.tsx'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/agents',
    component: lazyRouteComponent(() => import('./pages/people/agents.tsx'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/audit-log',
    component: lazyRouteComponent(() => import('./pages/workspaces/audit-log.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/plan',
    component: lazyRouteComponent(() => import('./pages/money/plan.tsx'), 'PlanPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/credit',
    component: lazyRouteComponent(() => import('./pages/money/credit.tsx'), 'CreditPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/payments',
    component: lazyRouteComponent(() => import('./pages/money/payments.tsx'), 'PaymentsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/payments/$id',
    component: lazyRouteComponent(() => import('./pages/money/receipt.tsx'), 'ReceiptPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/billing',
    component: lazyRouteComponent(() => import('./pages/money/billing.tsx'), 'BillingPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/take-over',
    component: lazyRouteComponent(() => import('./pages/workspaces/take-over.tsx'), 'TakeOverPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/account',
    component: lazyRouteComponent(() => import('./pages/people/account.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/security',
    component: lazyRouteComponent(() => import('./pages/people/security.tsx'), 'SecurityPage'),
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
