import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../workspace.tsx'

type Entry = { to: NonNullable<LinkProps['to']>; label: string; isForOwners?: true }

type Group = { title: string | null; entries: readonly Entry[] }

/** What people have whatever the workspace, and without one. */
const own: Group = {
  title: 'You',
  entries: [
    { to: '/settings/account', label: 'Account' },
    { to: '/settings/security', label: 'Security' },
  ],
}

const groups: readonly Group[] = [
  {
    title: null,
    entries: [
      { to: '/monitors', label: 'Monitors' },
      { to: '/incidents', label: 'Incidents' },
      { to: '/maintenance', label: 'Maintenance' },
      { to: '/status-pages', label: 'Status pages' },
      { to: '/contacts', label: 'Contacts' },
    ],
  },
  {
    title: 'Workspace',
    entries: [
      { to: '/settings/workspace', label: 'General' },
      { to: '/settings/members', label: 'Members' },
      { to: '/settings/tokens', label: 'API tokens', isForOwners: true },
      { to: '/settings/agents', label: 'Agents', isForOwners: true },
      { to: '/settings/audit-log', label: 'Audit log', isForOwners: true },
    ],
  },
  {
    title: 'Billing',
    entries: [
      { to: '/settings/plan', label: 'Plan and usage', isForOwners: true },
      { to: '/settings/credit', label: 'Credit', isForOwners: true },
      { to: '/settings/payments', label: 'Payments', isForOwners: true },
      { to: '/settings/billing', label: 'Billing details', isForOwners: true },
    ],
  },
  own,
]

export function Navigation(): ReactNode {
  const { isOwner } = useWorkspace()
  const shown = groups.filter(({ entries }) => isOwner || entries.some(({ isForOwners }) => isForOwners !== true))
  return <Groups groups={shown} isOwner={isOwner} />
}

/** For people in no workspace. */
export function OwnNavigation(): ReactNode {
  const toOne: Group = { title: null, entries: [{ to: '/monitors', label: 'Workspace' }] }
  return <Groups groups={[toOne, own]} isOwner={false} />
}

export function isOwnPage(pathname: string): boolean {
  return own.entries.some(({ to }) => to === pathname)
}

function Groups({ groups: shown, isOwner }: { groups: readonly Group[]; isOwner: boolean }): ReactNode {
  return (
    <nav aria-label="Pages" className="flex flex-col gap-4">
      {shown.map(({ title, entries }) => (
        <div key={title}>
          {title !== null && <p className="px-2.5 pb-1 text-xs font-medium text-muted">{title}</p>}
          <ul>
            {entries
              .filter(({ isForOwners }) => isOwner || isForOwners !== true)
              .map(({ to, label }) => (
                <li key={label}>
                  <Link
                    to={to}
                    className="block rounded-lg px-2.5 py-1.5 text-sm hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-text"
                  >
                    {label}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
