import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { inLanguage, listed } from '../language.ts'
import { Notice } from '../notice.tsx'
import type { Restored as RestoredDraft } from './draft-keeper.ts'
import { PartsContext } from './draft-parts.ts'
import type { DraftState } from './use-draft.ts'

/** Around the fields of a form: what is within it keeps its part of the draft. */
export function Restored({ of, className, children }: NoteProps & { children: ReactNode }): ReactNode {
  return (
    <PartsContext value={of.keeper}>
      <RestoredNote of={of} className={className} />
      {children}
    </PartsContext>
  )
}

type NoteProps = { of: DraftState; className?: string | undefined }

/** Above the fields of a form that says what was typed earlier. */
function RestoredNote({ of: { keeper, restored }, className = '' }: NoteProps): ReactNode {
  if (restored === null) return null
  const { isChangedSince, hadSecrets } = restored
  return (
    <div className={className}>
      <Notice tone={isChangedSince ? 'warn' : 'plain'}>
        <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
          <div className="min-w-0 grow basis-60">
            <p>{typedText(restored.at)}</p>
            {hadSecrets && (
              <p>
                <Trans>Passwords and other secrets are not kept: type them again.</Trans>
              </p>
            )}
            {isChangedSince && <p>{sinceText(restored)}</p>}
          </div>
          <Button onClick={() => keeper.discard()}>
            <Trans context="what was typed">Discard</Trans>
          </Button>
        </div>
      </Notice>
    </div>
  )
}

const clock = inLanguage((locale) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))
const day = inLanguage((locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }))

function typedText(at: number): string {
  const [time, date] = [clock().format(at), day().format(at)]
  return date === day().format(Date.now())
    ? t`Restored what you had typed at ${time}.`
    : t`Restored what you had typed on ${date} at ${time}.`
}

function sinceText({ labels, isHeldDisputed }: RestoredDraft): string {
  if (labels.length > 0) {
    const names = listed(labels)
    return t`It was changed since. Saving replaces what others saved: ${names}.`
  }
  return isHeldDisputed
    ? t`It was changed since. Saving replaces what others saved.`
    : t`It was changed since. What you had not touched shows what is saved now.`
}
