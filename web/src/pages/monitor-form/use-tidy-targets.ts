import { type RefObject, useLayoutEffect } from 'react'
import type { KindName } from '../../api/monitors.ts'
import { targetFor } from '../../parts/targets.ts'

/** Once the target is left, its field shows what is watched by it, such as https://example.com for example.com. */
export function useTidyTargets(form: RefObject<HTMLFormElement | null>, kind: KindName): void {
  // With the field itself: what is typed as soon as it is there counts.
  useLayoutEffect(() => {
    const element = form.current
    const tidy = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLInputElement) || target.name !== 'url') return
      // What is stored stays as it is: another target would start the monitor anew.
      if (target.value !== target.defaultValue) target.value = targetFor(kind, target.value)
    }
    element?.addEventListener('focusout', tidy)
    return () => element?.removeEventListener('focusout', tidy)
  }, [form, kind])
}
