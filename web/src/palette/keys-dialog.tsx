import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useId, useState } from 'react'
import { CloseButton, Dialog } from '../parts/overlays/dialog.tsx'
import { areSingleKeysOn, switchSingleKeys, withCommand } from '../parts/keys.ts'

type Key = { keys: readonly string[]; does: string }

/** Every key of the console, where it does something of its own. docs/console.md has the same. */
function keyGroups(): { title: string; keys: readonly Key[] }[] {
  return [
    {
      title: t`Everywhere`,
      keys: [
        { keys: [withCommand('K')], does: t`find a monitor, an incident, a page or an action` },
        { keys: ['?'], does: t`show these keys` },
        { keys: [t`Esc`], does: t`close what is open` },
      ],
    },
    {
      title: t`In the palette`,
      keys: [
        { keys: ['↑', '↓'], does: t`go through the results` },
        { keys: [t`Enter`], does: t`go there, or do it` },
        { keys: [withCommand(t`Enter`)], does: t`open it in a new tab` },
      ],
    },
    {
      title: t`In the list of monitors`,
      keys: [
        { keys: ['/'], does: t`search; ↓ from there goes into the list` },
        { keys: ['↑', '↓', t`PgUp`, t`PgDn`, t`Home`, t`End`], does: t`go from monitor to monitor` },
        { keys: [t`Enter`], does: t`open the monitor` },
        { keys: [t`Space`], does: t`select it; with Shift, every one from the last selected on` },
        { keys: [t`Shift ↑`, t`Shift ↓`], does: t`select on the way` },
      ],
    },
    {
      title: t`On daily bars`,
      keys: [{ keys: ['←', '→'], does: t`go from day to day` }],
    },
    {
      title: t`In the layout of a status page`,
      keys: [{ keys: [t`Alt ↑`, t`Alt ↓`], does: t`move the group or the monitor` }],
    },
  ]
}

export function KeysDialog({ onClose }: { onClose: () => void }): ReactNode {
  const id = useId()
  const [isOn, setOn] = useState(areSingleKeysOn)
  const change = (next: boolean): void => {
    switchSingleKeys(next)
    setOn(next)
  }
  return (
    <Dialog title={t`Keyboard shortcuts`} onClose={onClose}>
      <div className="flex flex-col gap-5">
        <table className="w-full text-sm">
          <caption className="sr-only">
            <Trans>Keys, and what they do</Trans>
          </caption>
          {keyGroups().map(({ title, keys }) => (
            <tbody key={title}>
              <tr>
                <th colSpan={2} scope="rowgroup" className="pt-3 pb-1 text-left font-medium text-muted">
                  {title}
                </th>
              </tr>
              {keys.map((each) => (
                <KeyRow key={each.does} of={each} />
              ))}
            </tbody>
          ))}
        </table>
        <p className="flex items-start gap-2.5 text-sm">
          <input
            id={id}
            type="checkbox"
            checked={isOn}
            onChange={(event) => change(event.currentTarget.checked)}
            className="mt-0.5 size-4 shrink-0 accent-accent"
          />
          <label htmlFor={id}>
            <Trans>Single keys such as / and ? work in this browser</Trans>
          </label>
        </p>
        <div>
          <CloseButton>
            <Trans>Close</Trans>
          </CloseButton>
        </div>
      </div>
    </Dialog>
  )
}

function KeyRow({ of: { keys, does } }: { of: Key }): ReactNode {
  return (
    <tr className="align-top">
      <td className="w-36 py-1 pr-3">
        <span className="flex flex-wrap gap-1">
          {keys.map((key) => (
            <kbd key={key} className="rounded border border-edge/60 bg-sunken px-1.5 font-sans text-xs leading-5">
              {key}
            </kbd>
          ))}
        </span>
      </td>
      <td className="py-1">{does}</td>
    </tr>
  )
}
