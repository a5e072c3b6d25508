import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { kindGroups, kindTitle } from '../pages/monitor/kinds.ts'
import { kindsFor, looksLikeTarget } from '../parts/targets.ts'
import { useLeave } from '../parts/form/unsaved.tsx'
import { useHasPayments } from '../session/session.ts'
import { useMayWrite } from '../session/use-monitors.ts'
import { useWorkspace } from '../session/workspace.tsx'
import { useSignOut } from '../shell/menus.tsx'
import {
  type Place,
  innerPlaces,
  mainPlaces,
  moneyPlaces,
  ownPlaces,
  placesFor,
  workspacePlaces,
} from '../shell/places.ts'
import { chooseTheme, themes } from '../shell/theme.ts'
import { type Entry, type GroupName, entryOf } from './find.ts'
import { placeWords } from './place-words.ts'

/** Pages, settings, and what can be done anywhere. `showKeys` opens the table of keys. */
export function useActions(showKeys: () => void): readonly Entry[] {
  const { isOwner } = useWorkspace()
  const hasPayments = useHasPayments()
  const mayWrite = useMayWrite()
  const workspaces = useWorkspaceEntries()
  const signOut = useSignOut()
  const fixed = useMemo(() => {
    const viewer = { isOwner, hasPayments }
    const inSettings = placesFor([...workspacePlaces, ...moneyPlaces, ...ownPlaces], viewer)
    return [
      ...placesFor([...mainPlaces, ...innerPlaces], viewer).map((place) => placeEntry(place, 'pages')),
      ...inSettings.map((place) => placeEntry(place, 'settings')),
      ...(mayWrite ? creations() : []),
      ...themeEntries(),
    ]
  }, [isOwner, hasPayments, mayWrite])
  return [
    ...fixed,
    ...workspaces,
    action('keys', { title: t`Keyboard shortcuts`, icon: 'keyboard', also: t`keys help ?`, run: showKeys }),
    action('sign out', { title: t`Sign out`, icon: 'leave', also: t`log out leave`, run: signOut }),
  ]
}

type Action = Pick<Entry, 'title' | 'icon'> & { detail?: string; also?: string; run: () => void }

export function action(name: string, { run, ...shown }: Action): Entry {
  return entryOf({ key: name, group: 'actions', ...shown, goal: { run } })
}

function placeEntry({ to, label, icon }: Place, group: GroupName): Entry {
  const also = placeWords[to]
  const others = [also === undefined ? '' : i18n._(also), group === 'settings' ? t`settings` : ''].join(' ')
  return entryOf({ key: to, group, title: i18n._(label), icon, also: others, goal: { href: to } })
}

function creations(): Entry[] {
  const made = [
    { href: '/monitors/new', title: t`New monitor`, also: t`add create` },
    ...kindGroups
      .flatMap(({ kinds }) => kinds)
      .map((kind) => {
        const name = kindTitle(kind)
        return { href: `/monitors/new?kind=${kind}`, title: t`New monitor: ${name}`, also: t`add create` }
      }),
    { href: '/status-pages/new', title: t`New status page`, also: t`add create` },
    { href: '/maintenance/new', title: t`New maintenance window`, also: t`add create plan` },
    { href: '/reports/new', title: t`New report`, also: t`add create` },
  ]
  return made.map(({ href, ...shown }) =>
    entryOf({ key: href, group: 'actions', ...shown, icon: 'plus', goal: { href } }),
  )
}

const mostWays = 3

/** What was typed may be a target: the likeliest kinds of monitors for it. */
export function watchEntries(typed: string): Entry[] {
  if (!looksLikeTarget(typed)) return []
  const target = typed.trim()
  return kindsFor(target)
    .slice(0, mostWays)
    .map((kind) => {
      const name = kindTitle(kind)
      const shown = { title: t`New monitor: ${name}`, detail: target, icon: 'plus' } as const
      return entryOf({
        key: `watch ${kind}`,
        group: 'actions',
        ...shown,
        goal: { href: `/monitors/new?kind=${kind}`, pasted: target },
      })
    })
}

function themeEntries(): Entry[] {
  return themes().map(({ value, label }) =>
    action(`theme ${value}`, {
      title: t`Colours: ${label}`,
      icon: 'theme',
      also: t`theme mode appearance`,
      run: () => chooseTheme(value),
    }),
  )
}

function useWorkspaceEntries(): Entry[] {
  const { workspace, all, choose } = useWorkspace()
  const leave = useLeave()
  return all
    .filter(({ id }) => id !== workspace.id)
    .map(({ id, name }) =>
      action(`workspace ${id}`, {
        title: t`Switch to ${name}`,
        icon: 'workspace',
        also: t`workspace`,
        run: () => leave(() => choose(id)),
      }),
    )
}
