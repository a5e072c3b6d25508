import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { LinkProps } from '@tanstack/react-router'
import type { IconName } from '../parts/icons.tsx'

/** A page that has a place of its own, in the navigation, in the settings, or only in the palette. */
export type Place = {
  to: NonNullable<LinkProps['to']>
  label: MessageDescriptor
  icon: IconName
  isForOwners?: true
  /** About money: there is no such page where payments are off. */
  isOfMoney?: true
}

export const mainPlaces: readonly Place[] = [
  { to: '/monitors', label: msg`Monitors`, icon: 'monitors' },
  { to: '/incidents', label: msg`Incidents`, icon: 'incidents' },
  { to: '/objectives', label: msg`Objectives`, icon: 'objectives' },
  { to: '/maintenance', label: msg`Maintenance`, icon: 'maintenance' },
  { to: '/reports', label: msg`Reports`, icon: 'reports' },
  { to: '/status-pages', label: msg`Status pages`, icon: 'statusPages' },
  { to: '/contacts', label: msg`Contacts`, icon: 'contacts' },
]

/** Pages below others, which the palette leads to all the same. */
export const innerPlaces: readonly Place[] = [
  { to: '/contacts/on-call', label: msg`On call`, icon: 'onCall' },
  { to: '/exposures', label: msg`Exposures`, icon: 'security' },
]

export const workspacePlaces: readonly Place[] = [
  { to: '/settings/workspace', label: msg`General`, icon: 'workspace' },
  { to: '/settings/import', label: msg`Moving in`, icon: 'moveIn' },
  { to: '/settings/screens', label: msg`Screens`, icon: 'screens' },
  { to: '/settings/members', label: msg`Members`, icon: 'members' },
  {
    to: '/settings/single-sign-on',
    label: msg`Single sign-on`,
    icon: 'security',
    isForOwners: true,
  },
  { to: '/settings/tokens', label: msg`API tokens`, icon: 'tokens', isForOwners: true },
  { to: '/settings/agents', label: msg`Agents`, icon: 'agents', isForOwners: true },
  { to: '/settings/audit-log', label: msg`Audit log`, icon: 'audit', isForOwners: true },
  { to: '/settings/plan', label: msg`Plan and usage`, icon: 'plan', isForOwners: true },
]

export const moneyPlaces: readonly Place[] = [
  { to: '/settings/credit', label: msg`Credit`, icon: 'credit', isForOwners: true, isOfMoney: true },
  { to: '/settings/payments', label: msg`Payments`, icon: 'payments', isForOwners: true, isOfMoney: true },
  { to: '/settings/billing', label: msg`Billing details`, icon: 'reports', isForOwners: true, isOfMoney: true },
]

/** Pages of the person herself, with and without a workspace. */
export const ownPlaces: readonly Place[] = [
  { to: '/settings/account', label: msg`Account`, icon: 'account' },
  {
    to: '/settings/security',
    label: msg`Security`,
    icon: 'security',
  },
]

type Viewer = { isOwner: boolean; hasPayments: boolean }

/** Which of them a person may see, in an installation that takes payments or not. */
export function placesFor(places: readonly Place[], { isOwner, hasPayments }: Viewer): readonly Place[] {
  return places.filter(
    ({ isForOwners, isOfMoney }) => (isOwner || isForOwners !== true) && (hasPayments || isOfMoney !== true),
  )
}
