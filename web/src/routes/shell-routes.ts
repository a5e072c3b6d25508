import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { readIncidentFilter } from '../pages/incidents/incident-filter.ts'
import { readAuditView } from '../pages/workspaces/audit-filter.ts'
import { type Chosen, readChosen, readMonitorSearch } from '../pages/results/chart-range.ts'
import { readMonitorsEarly } from '../pages/monitors/monitors-query.ts'
import { readView } from '../pages/monitors/monitors-view.ts'
import { shell } from './frames.tsx'

export const shellRoutes = [
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
    component: lazyRouteComponent(() => import('../pages/welcome/page.tsx'), 'WelcomePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/monitors',
    validateSearch: readView,
    loader: ({ context }) => void readMonitorsEarly(context.client),
    component: lazyRouteComponent(() => import('../pages/monitors/monitors.tsx'), 'MonitorsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/incidents',
    validateSearch: readIncidentFilter,
    component: lazyRouteComponent(() => import('../pages/incidents/incidents.tsx'), 'IncidentsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/incidents/$id',
    component: lazyRouteComponent(() => import('../pages/incidents/incident.tsx'), 'IncidentPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/monitors/new',
    validateSearch: (search) => ({ ...textIn('kind')(search), ...textIn('from')(search) }),
    component: lazyRouteComponent(() => import('../pages/monitor-form/form-pages.tsx'), 'NewMonitorPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/monitors/$id',
    validateSearch: readMonitorSearch,
    component: lazyRouteComponent(() => import('../pages/monitor/page.tsx'), 'MonitorPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/monitors/$id/time',
    validateSearch: (search: Record<string, unknown>): Partial<Chosen> => readChosen(search) ?? {},
    component: lazyRouteComponent(() => import('../pages/results/time-page.tsx'), 'TimePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/monitors/$id/edit',
    component: lazyRouteComponent(() => import('../pages/monitor-form/form-pages.tsx'), 'EditMonitorPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/contacts',
    component: lazyRouteComponent(() => import('../pages/contacts/contacts.tsx'), 'ContactsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/contacts/on-call',
    component: lazyRouteComponent(() => import('../pages/contacts/on-call.tsx'), 'OnCallPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/contacts/$id',
    validateSearch: textIn('state'),
    component: lazyRouteComponent(() => import('../pages/contacts/contact.tsx'), 'ContactPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/objectives',
    component: lazyRouteComponent(() => import('../pages/objectives/objectives.tsx'), 'ObjectivesPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/objectives/$id',
    component: lazyRouteComponent(() => import('../pages/objectives/objective.tsx'), 'ObjectivePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/exposures',
    validateSearch: textIn('status'),
    component: lazyRouteComponent(() => import('../pages/software/all-exposures.tsx'), 'ExposuresPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/maintenance',
    component: lazyRouteComponent(() => import('../pages/maintenance/maintenance.tsx'), 'MaintenancePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/maintenance/new',
    component: lazyRouteComponent(() => import('../pages/maintenance/maintenance-form.tsx'), 'NewMaintenancePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/maintenance/$id',
    component: lazyRouteComponent(() => import('../pages/maintenance/maintenance-form.tsx'), 'ChangeMaintenancePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/reports',
    component: lazyRouteComponent(() => import('../pages/reports/reports.tsx'), 'ReportsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/reports/new',
    component: lazyRouteComponent(() => import('../pages/reports/report-form.tsx'), 'NewReportPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/reports/$id',
    component: lazyRouteComponent(() => import('../pages/reports/report-form.tsx'), 'ChangeReportPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/reports/$id/print',
    validateSearch: textIn('period'),
    component: lazyRouteComponent(() => import('../pages/reports/report-page.tsx'), 'ReportPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/status-pages',
    component: lazyRouteComponent(() => import('../pages/status-pages/status-pages.tsx'), 'StatusPagesPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/status-pages/new',
    component: lazyRouteComponent(() => import('../pages/status-pages/status-page.tsx'), 'NewStatusPagePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/status-pages/$id',
    validateSearch: textIn('tab'),
    component: lazyRouteComponent(() => import('../pages/status-pages/status-page.tsx'), 'StatusPagePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings',
    beforeLoad: () => {
      throw redirect({ to: '/settings/workspace', replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/workspace',
    component: lazyRouteComponent(() => import('../pages/workspaces/workspace.tsx'), 'WorkspacePage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/import',
    component: lazyRouteComponent(() => import('../pages/imports/page.tsx'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/screens',
    component: lazyRouteComponent(() => import('../pages/monitors/screens.tsx'), 'ScreensPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/members',
    component: lazyRouteComponent(() => import('../pages/people/members.tsx'), 'MembersPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/single-sign-on',
    component: lazyRouteComponent(() => import('../pages/people/single-sign-on.tsx'), 'SingleSignOnSettingsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/tokens',
    component: lazyRouteComponent(() => import('../pages/people/tokens.tsx'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/agents',
    component: lazyRouteComponent(() => import('../pages/people/agents.tsx'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/audit-log',
    validateSearch: readAuditView,
    component: lazyRouteComponent(() => import('../pages/workspaces/audit-log.tsx'), 'AuditLogPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/plan',
    component: lazyRouteComponent(() => import('../pages/money/plan.tsx'), 'PlanPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/credit',
    component: lazyRouteComponent(() => import('../pages/money/credit.tsx'), 'CreditPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/payments',
    component: lazyRouteComponent(() => import('../pages/money/payments.tsx'), 'PaymentsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/payments/$id',
    component: lazyRouteComponent(() => import('../pages/money/receipt.tsx'), 'ReceiptPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/billing',
    component: lazyRouteComponent(() => import('../pages/money/billing.tsx'), 'BillingPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/take-over',
    component: lazyRouteComponent(() => import('../pages/workspaces/take-over.tsx'), 'TakeOverPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/account',
    component: lazyRouteComponent(() => import('../pages/people/account.tsx'), 'AccountPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/settings/security',
    component: lazyRouteComponent(() => import('../pages/people/security.tsx'), 'SecurityPage'),
  }),
]

/** One part of an address that may be there, and says what is shown. */
function textIn<Name extends string>(name: Name) {
  return (search: Record<string, unknown>): { [each in Name]?: string } => {
    const value = search[name]
    const shown: { [each in Name]?: string } = {}
    if (typeof value === 'string' && value !== '') Object.assign(shown, { [name]: value })
    return shown
  }
}
