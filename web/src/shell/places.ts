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
  /** Other words that people look for it by. */
  also?: MessageDescriptor
}

export const mainPlaces: readonly Place[] = [
  { to: '/monitors', label: msg`Monitors`, icon: 'monitors', also: msg`overview home dashboard` },
  { to: '/incidents', label: msg`Incidents`, icon: 'incidents', also: msg`outages alerts` },
  { to: '/objectives', label: msg`Objectives`, icon: 'objectives', also: msg`slo error budget` },
  { to: '/maintenance', label: msg`Maintenance`, icon: 'maintenance', also: msg`planned windows silence` },
  { to: '/reports', label: msg`Reports`, icon: 'reports', also: msg`weekly monthly print` },
  { to: '/status-pages', label: msg`Status pages`, icon: 'statusPages', also: msg`public page subscribers` },
  { to: '/contacts', label: msg`Contacts`, icon: 'contacts', also: msg`notifications channels email webhook` },
]

/** Pages below others, which the palette leads to all the same. */
export const innerPlaces: readonly Place[] = [
  { to: '/contacts/on-call', label: msg`On call`, icon: 'onCall', also: msg`schedules rota shifts` },
]

export const workspacePlaces: readonly Place[] = [
  { to: '/settings/workspace', label: msg`General`, icon: 'workspace', also: msg`workspace name delete` },
  { to: '/settings/import', label: msg`Moving in`, icon: 'moveIn', also: msg`import kuma gatus` },
  { to: '/settings/screens', label: msg`Screens`, icon: 'screens', also: msg`wall tv kiosk dashboard` },
  { to: '/settings/members', label: msg`Members`, icon: 'members', also: msg`people invite roles team` },
  {
    to: '/settings/single-sign-on',
    label: msg`Single sign-on`,
    icon: 'security',
    isForOwners: true,
    also: msg`sso oidc openid identity provider`,
  },
  { to: '/settings/tokens', label: msg`API tokens`, icon: 'tokens', isForOwners: true, also: msg`keys` },
  { to: '/settings/agents', label: msg`Agents`, icon: 'agents', isForOwners: true, also: msg`mcp` },
  { to: '/settings/audit-log', label: msg`Audit log`, icon: 'audit', isForOwners: true, also: msg`history who` },
  { to: '/settings/plan', label: msg`Plan and usage`, icon: 'plan', isForOwners: true, also: msg`slots limits` },
]

export const moneyPlaces: readonly Place[] = [
  { to: '/settings/credit', label: msg`Credit`, icon: 'credit', isForOwners: true, isOfMoney: true },
  { to: '/settings/payments', label: msg`Payments`, icon: 'payments', isForOwners: true, isOfMoney: true },
  { to: '/settings/billing', label: msg`Billing details`, icon: 'reports', isForOwners: true, isOfMoney: true },
]

/** Pages of the person herself, with and without a workspace. */
export const ownPlaces: readonly Place[] = [
  { to: '/settings/account', label: msg`Account`, icon: 'account', also: msg`name email profile` },
  {
    to: '/settings/security',
    label: msg`Security`,
    icon: 'security',
    also: msg`password passkey two-factor sessions devices`,
  },
]

type Viewer = { isOwner: boolean; hasPayments: boolean }

/** Which of them a person may see, in an installation that takes payments or not. */
export function placesFor(places: readonly Place[], { isOwner, hasPayments }: Viewer): readonly Place[] {
  return places.filter(
    ({ isForOwners, isOfMoney }) => (isOwner || isForOwners !== true) && (hasPayments || isOfMoney !== true),
  )
}
