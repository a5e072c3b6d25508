import { t } from '@lingui/core/macro'
import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import type { Fields } from '../../api/ask.ts'
import type { TrialRecord } from '../../api/monitors.ts'
import {
  isOfOwnNetwork,
  isSurelyOfOwnNetwork,
  tellsOwnNetwork,
  wasRefusedOwnNetwork,
} from '../../parts/internal-names.ts'
import { CheckField, Fieldset } from '../../parts/schema/fieldset.tsx'
import { type FormOf, privateTarget } from './input.ts'

type FieldProps = { isChosen: boolean; onChoose: (isChosen: boolean) => void }

/** Lets checks reach the network that Perigee stands in. */
export function PrivateTargetField({ isChosen, onChoose }: FieldProps): ReactNode {
  return (
    <Fieldset name={privateTarget} legend={t`Private addresses`}>
      <CheckField
        name={privateTarget}
        label={t`Let checks reach the network that Perigee runs in`}
        hint={t`For private addresses such as 192.168.1.1, and names that lead to them; never for 127.0.0.1, localhost or Perigee itself. Everyone who sees the monitor sees what answers there. The permission ends when someone who is not an owner sets another target.`}
        defaultChecked={isChosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
    </Fieldset>
  )
}

type Offered = FieldProps & { isOffered: boolean; onTyped: () => void }

type Seen = { form: RefObject<HTMLFormElement | null>; fields: Fields; trial: TrialRecord | null }

/** Offered where a target may need it; once chosen, either way, it stays to be seen. */
export function usePrivateTarget(of: FormOf, { form, fields, trial }: Seen): Offered {
  const { record, mayAllowPrivate, wasRefusedPrivate } = of
  const [chosen, setChosen] = useState<boolean | null>(null)
  const { isTyped, onTyped } = useTypedPrivate(form)
  const isAllowed = record?.allow_private_target ?? false
  const isTold =
    wasRefusedPrivate ||
    Object.values(fields).flat().some(tellsOwnNetwork) ||
    (trial !== null && wasRefusedOwnNetwork(trial))
  return {
    isOffered: mayAllowPrivate && (isAllowed || chosen !== null || isTyped || isTold),
    isChosen: chosen ?? isAllowed,
    onChoose: setChosen,
    onTyped,
  }
}

/** Whether a target in the form is of that network: its own, or that of a step. */
function useTypedPrivate(form: Seen['form']): { isTyped: boolean; onTyped: () => void } {
  const [isTyped, setTyped] = useState(false)
  useEffect(() => {
    const element = form.current
    const look = (): void => setTyped(targetsOf(element).some(isOfOwnNetwork))
    look()
    element?.addEventListener('focusout', look)
    return () => element?.removeEventListener('focusout', look)
  }, [form])
  // A half typed target shows the permission only where the target is surely private, and hides it once it no longer is.
  const onTyped = (): void => {
    const targets = targetsOf(form.current)
    setTyped((was) => targets.some(was ? isOfOwnNetwork : isSurelyOfOwnNetwork))
  }
  return { isTyped, onTyped }
}

function targetsOf(form: HTMLFormElement | null): string[] {
  const fields = [...new FormData(form ?? undefined)]
  return fields.flatMap(([name, value]) => (isTarget(name) && typeof value === 'string' ? [value] : []))
}

function isTarget(name: string): boolean {
  return name === 'url' || /^check_options\.steps\.\d+\.url$/.test(name)
}
