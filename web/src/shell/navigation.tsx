import { i18n } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Bars, Icon } from '../parts/icons.tsx'
import { numberText } from '../parts/language.ts'
import { useHasPayments } from '../session/session.ts'
import { useWorkspace } from '../session/workspace.tsx'
import { usePalette } from './palette-door.tsx'
import { type Place, mainPlaces, moneyPlaces, ownPlaces, placesFor, workspacePlaces } from './places.ts'
import { useShownStanding } from './standing.tsx'

const settingsPlace: Place = { to: '/settings', label: msg`Settings`, icon: 'settings' }

/** The pages of a workspace, and one way to everything that is set. */
export function Navigation(): ReactNode {
  const { open = 0 } = useShownStanding() ?? {}
  return (
    <Pages>
      <Places places={mainPlaces} open={open} />
      <Places places={[settingsPlace]} />
    </Pages>
  )
}

/** For people in no workspace. */
export function OwnNavigation(): ReactNode {
  const toOne: Place = { to: '/monitors', label: msg`Workspace`, icon: 'workspace' }
  return (
    <Pages>
      <Places places={[toOne]} />
      <Places title={t`You`} places={ownPlaces} />
    </Pages>
  )
}

export function isOwnPage(pathname: string): boolean {
  return ownPlaces.some(({ to }) => to === pathname)
}

/** On a low screen they are scrolled, and the account stays in sight; the room around them is for rings. */
function Pages({ children }: { children: ReactNode }): ReactNode {
  return (
    <nav aria-label={t`Pages`} className="-m-1 flex min-h-0 flex-col gap-4 p-1 md:overflow-y-auto">
      {children}
    </nav>
  )
}

type PlacesProps = { title?: string; places: readonly Place[]; open?: number }

export function Places({ title, places, open = 0 }: PlacesProps): ReactNode {
  return (
    <div>
      {title !== undefined && <p className="px-2.5 pb-1 text-xs font-medium text-muted">{title}</p>}
      <ul>
        {places.map(({ to, label, icon }) => (
          <li key={to}>
            <Link
              to={to}
              className="flex items-center gap-2.5 rounded-lg px-2.5 py-1.5 text-sm hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-text max-md:py-2.5"
            >
              <Icon name={icon} />
              <span className="grow">{i18n._(label)}</span>
              {to === '/incidents' && <OpenCount of={open} />}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Of incidents that nobody has acknowledged. */
function OpenCount({ of }: { of: number }): ReactNode {
  if (of === 0) return null
  return (
    <span className="rounded-md bg-bad-fill px-1.5 text-xs leading-5 font-semibold text-white tabular-nums">
      {numberText(of)}
      <span className="sr-only">
        {' '}
        <Trans comment="a number of incidents stands before">open</Trans>
      </span>
    </span>
  )
}

/** The places of the settings that the person may see, by whom they belong to. */
export function useSettingsPlaces(): { title: string; places: readonly Place[] }[] {
  const { isOwner } = useWorkspace()
  const viewer = { isOwner, hasPayments: useHasPayments() }
  return [
    { title: t`Workspace`, places: placesFor(workspacePlaces, viewer) },
    { title: t`Billing`, places: placesFor(moneyPlaces, viewer) },
    { title: t`You`, places: ownPlaces },
  ].filter(({ places }) => places.length > 0)
}

const barItem =
  'relative flex min-h-14 w-full flex-col items-center justify-center gap-1 rounded-lg text-xs text-muted aria-[current=page]:font-medium aria-[current=page]:text-accent-text aria-expanded:text-accent-text'

type BarProps = { isOpen: boolean; onMenu: () => void }

/** At the lower end of a phone, where a thumb is. */
export function BottomBar({ isOpen, onMenu }: BarProps): ReactNode {
  const { open = 0 } = useShownStanding() ?? {}
  const openPalette = usePalette()
  const link = ({ to, label, icon }: Place): ReactNode => (
    <Link to={to} className={barItem}>
      <Icon name={icon} />
      <span>{i18n._(label)}</span>
      {to === '/incidents' && (
        <span className="absolute top-1 left-1/2 ml-1.5">
          <OpenCount of={open} />
        </span>
      )}
    </Link>
  )
  const [monitors, incidents, , , , statusPages] = mainPlaces
  return (
    <Bar isOpen={isOpen} onMenu={onMenu}>
      {monitors !== undefined && <li>{link(monitors)}</li>}
      {incidents !== undefined && <li>{link(incidents)}</li>}
      <li>
        <button type="button" aria-haspopup="dialog" onClick={() => openPalette('find')} className={barItem}>
          <Icon name="search" />
          <Trans>Find</Trans>
        </button>
      </li>
      {statusPages !== undefined && <li>{link(statusPages)}</li>}
    </Bar>
  )
}

/** With nothing beside the menu, for people in no workspace. */
export function Bar({ isOpen, onMenu, children }: BarProps & { children?: ReactNode }): ReactNode {
  return (
    <nav
      aria-label={t`Shortcuts`}
      className="fixed inset-x-0 bottom-0 z-40 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="grid auto-cols-fr grid-flow-col px-1">
        {children}
        <li>
          <button type="button" aria-expanded={isOpen} aria-controls="navigation" onClick={onMenu} className={barItem}>
            <Bars />
            <Trans>Menu</Trans>
          </button>
        </li>
      </ul>
    </nav>
  )
}
