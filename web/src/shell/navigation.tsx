import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWorkspace } from '../session/workspace.tsx'

type Entry = { to: NonNullable<LinkProps['to']>; label: MessageDescriptor; isForOwners?: true }

type Group = { title: MessageDescriptor | null; entries: readonly Entry[] }

/** Pages of the person herself, with and without a workspace. */
const own: Group = {
  title: msg`You`,
  entries: [
    { to: '/settings/account', label: msg`Account` },
    { to: '/settings/security', label: msg`Security` },
  ],
}

const groups: readonly Group[] = [
  {
    title: null,
    entries: [
      { to: '/monitors', label: msg`Monitors` },
      { to: '/incidents', label: msg`Incidents` },
      { to: '/objectives', label: msg`Objectives` },
      { to: '/maintenance', label: msg`Maintenance` },
      { to: '/reports', label: msg`Reports` },
      { to: '/status-pages', label: msg`Status pages` },
      { to: '/contacts', label: msg`Contacts` },
    ],
  },
  {
    title: msg`Workspace`,
    entries: [
      { to: '/settings/workspace', label: msg`General` },
      { to: '/settings/members', label: msg`Members` },
      { to: '/settings/tokens', label: msg`API tokens`, isForOwners: true },
      { to: '/settings/agents', label: msg`Agents`, isForOwners: true },
      { to: '/settings/audit-log', label: msg`Audit log`, isForOwners: true },
    ],
  },
  {
    title: msg`Billing`,
    entries: [
      { to: '/settings/plan', label: msg`Plan and usage`, isForOwners: true },
      { to: '/settings/credit', label: msg`Credit`, isForOwners: true },
      { to: '/settings/payments', label: msg`Payments`, isForOwners: true },
      { to: '/settings/billing', label: msg`Billing details`, isForOwners: true },
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
  const toOne: Group = { title: null, entries: [{ to: '/monitors', label: msg`Workspace` }] }
  return <Groups groups={[toOne, own]} isOwner={false} />
}

export function isOwnPage(pathname: string): boolean {
  return own.entries.some(({ to }) => to === pathname)
}

/** On a low screen they are scrolled, and the account stays in sight; the room around them is for rings. */
function Groups({ groups: shown, isOwner }: { groups: readonly Group[]; isOwner: boolean }): ReactNode {
  return (
    <nav aria-label={t`Pages`} className="-m-1 flex min-h-0 flex-col gap-4 p-1 md:overflow-y-auto">
      {shown.map(({ title, entries }) => (
        <div key={entries[0]?.to}>
          {title !== null && <p className="px-2.5 pb-1 text-xs font-medium text-muted">{i18n._(title)}</p>}
          <ul>
            {entries
              .filter(({ isForOwners }) => isOwner || isForOwners !== true)
              .map(({ to, label }) => (
                <li key={to}>
                  <Link
                    to={to}
                    className="block rounded-lg px-2.5 py-1.5 text-sm hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-text"
                  >
                    {i18n._(label)}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
