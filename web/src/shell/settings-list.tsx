import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Chevron, Icon } from '../parts/icons.tsx'
import { Places, useSettingsPlaces } from './navigation.tsx'

/** Beside the settings, and before them for the keyboard: the way to the page leads past it. */
export function SettingsList(): ReactNode {
  const { pathname } = useLocation()
  return pathname.startsWith('/settings/') ? <List pathname={pathname} /> : null
}

/** Where it has no room beside them it is a button that opens it. */
function List({ pathname }: { pathname: string }): ReactNode {
  const groups = useSettingsPlaces()
  // Another page closes it.
  const [openAt, setOpenAt] = useState<string | null>(null)
  const isOpen = openAt === pathname
  const present = groups.flatMap(({ places }) => places).find(({ to }) => pathname.startsWith(to))
  return (
    <nav
      aria-label={t`Settings`}
      className="shrink-0 max-lg:px-4 max-lg:pt-4 md:max-lg:px-10 lg:w-52 lg:py-8 lg:pl-8 print:hidden"
    >
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls="settings"
        onClick={() => setOpenAt(isOpen ? null : pathname)}
        className="flex w-full items-center gap-2.5 rounded-lg border border-line bg-surface px-3 py-2 text-left text-sm hover:bg-sunken lg:hidden"
      >
        <Icon name={present?.icon ?? 'settings'} />
        <span className="grow">
          <span className="text-muted">{t`Settings`}</span>
          {present !== undefined && <span className="font-medium"> · {i18n._(present.label)}</span>}
        </span>
        <Chevron />
      </button>
      <div
        id="settings"
        className={`flex flex-col gap-5 max-lg:mt-2 max-lg:rounded-lg max-lg:border max-lg:border-line max-lg:bg-surface max-lg:p-2 lg:sticky lg:top-8 ${isOpen ? '' : 'max-lg:hidden'}`}
      >
        {groups.map(({ title, places }) => (
          <Places key={title} title={title} places={places} />
        ))}
      </div>
    </nav>
  )
}
