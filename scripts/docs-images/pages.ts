// Every page that is photographed: where it is, who looks at it, and what is done there first.
import type { Page } from 'playwright-core'
import { fill } from '../../test/browser/support/console.ts'
import type { Links } from './links.ts'
import { slug } from './public-side.ts'

export type Shot = {
  /** The name of the file, and of the row in the index. */
  name: string
  title: string
  path: string
  /** Who looks: an owner who is signed in, one who has just begun, or somebody who is not. Default the owner. */
  by?: 'newcomer' | 'stranger'
  /** Documents show it large. */
  isTall?: boolean
  /** Makes the page as it shall be seen; the page waits for everything itself. */
  first?: (page: Page) => Promise<void>
}

const monitorTabs = [
  ['results', 'its results'],
  ['incidents', 'its incidents'],
  ['software', 'its software'],
  ['settings', 'its settings'],
] as const

const welcomeSteps = [
  ['monitors', 'what is watched'],
  ['contacts', 'who is told'],
  ['status-page', 'who may see it'],
  ['workspace', 'the workspace'],
  ['done', 'the end'],
] as const

const settingsPages = [
  ['workspace', 'General settings'],
  ['import', 'Moving in'],
  ['screens', 'Screens'],
  ['members', 'Members'],
  ['single-sign-on', 'Single sign-on'],
  ['tokens', 'API tokens'],
  ['agents', 'Agents'],
  ['audit-log', 'Audit log'],
  ['plan', 'Plan and usage'],
  ['credit', 'Credit'],
  ['payments', 'Payments'],
  ['billing', 'Billing details'],
  ['take-over', 'Take over a workspace'],
  ['account', 'Account'],
  ['security', 'Security'],
] as const

const doors = [
  ['sign-in', 'Signing in', '/sign-in'],
  ['sign-in-second-factor', 'Signing in, second step', '/sign-in/second-factor'],
  ['sign-in-link', 'Signing in by a link', '/sign-in/link#token=x'],
  ['sign-up', 'Signing up', '/sign-up'],
  ['verify-email', 'Confirming an address', '/verify-email#token=x'],
  ['forgot-password', 'Forgotten password', '/forgot-password'],
  ['reset-password', 'New password', '/reset-password#token=x'],
] as const

export function shotsOf(links: Links): Shot[] {
  return [...watching(links), ...caring(links), ...publishing(links), ...settingUp(links), ...outside(links)]
}

function watching({ monitor, incident }: Links): Shot[] {
  const shop = `/monitors/${monitor('Shop front')}`
  return [
    ...welcomeSteps.map(([step, what]) => ({
      name: `welcome-${step}`,
      title: `The first steps: ${what}`,
      path: `/welcome?step=${step}`,
      by: 'newcomer' as const,
    })),
    { name: 'monitors', title: 'Monitors', path: '/monitors', isTall: true },
    { name: 'incidents', title: 'Incidents', path: '/incidents' },
    { name: 'incident', title: 'An incident', path: `/incidents/${incident}`, isTall: true },
    { name: 'monitor', title: 'A monitor', path: shop, isTall: true },
    ...monitorTabs.map(([tab, what]) => ({
      name: `monitor-${tab}`,
      title: `A monitor: ${what}`,
      path: `${shop}?tab=${tab}`,
    })),
    {
      name: 'monitor-time',
      title: 'What happened at a time',
      path: `/monitors/${monitor('Checkout API')}/time?since=${hoursAgo(24)}&until=${hoursAgo(0)}`,
      isTall: true,
    },
    { name: 'monitor-down', title: 'A monitor that is down', path: `/monitors/${monitor('Checkout API')}` },
    { name: 'monitor-heartbeat', title: 'A heartbeat monitor', path: `/monitors/${monitor('Hourly backup')}` },
    {
      name: 'monitor-maintenance',
      title: 'A monitor in maintenance',
      path: `/monitors/${monitor('Warehouse database')}`,
    },
    { name: 'monitor-kinds', title: 'A new monitor: its kind', path: '/monitors/new' },
    {
      name: 'monitor-new-http',
      title: 'A new monitor of a web page',
      path: '/monitors/new?kind=http',
      first: (page) => fill(page, { Name: 'Recipes', Address: 'https://recipes.harbourtea.example/' }),
    },
    { name: 'monitor-new-dns', title: 'A new monitor of DNS', path: '/monitors/new?kind=dns' },
    {
      name: 'monitor-new-game-server',
      title: 'A new monitor of a game server',
      path: '/monitors/new?kind=game_server',
    },
    { name: 'monitor-change', title: 'Changing a monitor', path: `/monitors/${monitor('Checkout API')}/edit` },
  ]
}

function caring({ contact, window, report, objective }: Links): Shot[] {
  return [
    { name: 'contacts', title: 'Contacts', path: '/contacts' },
    {
      name: 'contact-add',
      title: 'Adding a contact',
      path: '/contacts',
      first: async (page) => {
        await page.getByRole('button', { name: 'Add a contact' }).click()
        await page.getByRole('dialog').waitFor()
      },
    },
    { name: 'contact', title: 'A contact', path: `/contacts/${contact}` },
    { name: 'on-call', title: 'Who is on call', path: '/contacts/on-call' },
    { name: 'objectives', title: 'Service level objectives', path: '/objectives' },
    { name: 'objective', title: 'An objective', path: `/objectives/${objective}` },
    { name: 'maintenance', title: 'Maintenance', path: '/maintenance' },
    { name: 'maintenance-new', title: 'Planning maintenance', path: '/maintenance/new' },
    { name: 'maintenance-change', title: 'Changing maintenance', path: `/maintenance/${window}` },
    { name: 'reports', title: 'Reports', path: '/reports' },
    { name: 'reports-new', title: 'A new report', path: '/reports/new' },
    { name: 'reports-change', title: 'Changing a report', path: `/reports/${report}` },
    { name: 'report', title: 'A report', path: `/reports/${report}/print`, isTall: true },
  ]
}

function publishing({ statusPage }: Links): Shot[] {
  const page = `/status-pages/${statusPage}`
  return [
    { name: 'status-pages', title: 'Status pages', path: '/status-pages' },
    { name: 'status-page-new', title: 'A new status page', path: '/status-pages/new' },
    { name: 'status-page-form', title: 'A status page in the console', path: page },
    ...(['announcements', 'subscribers', 'embed'] as const).map((tab) => ({
      name: `status-page-${tab}`,
      title: `A status page: ${tab}`,
      path: `${page}?tab=${tab}`,
    })),
  ]
}

function settingUp({ receipt, claim }: Links): Shot[] {
  return [
    ...settingsPages.map(([page, title]) => ({ name: `settings-${page}`, title, path: `/settings/${page}` })),
    { name: 'receipt', title: 'A receipt', path: `/settings/payments/${receipt}` },
    { name: 'claim', title: 'Letting an agent in', path: claim },
  ]
}

function outside({ setUp, invitation }: Links): Shot[] {
  const by = 'stranger'
  return [
    { name: 'set-up', title: 'The first start', path: setUp, by },
    { name: 'invitation', title: 'An invitation', path: invitation, by },
    ...doors.map(([name, title, path]) => ({ name, title, path, by }) as const),
    { name: 'status', title: 'The public status page', path: `/status/${slug}`, by, isTall: true },
    { name: 'status-history', title: 'Its history', path: `/status/${slug}/history`, by },
    { name: 'status-embedded', title: 'The status page in a frame', path: `/status/${slug}/embed`, by },
    { name: 'reference', title: 'The API reference', path: '/reference', by },
  ]
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString()
}
