import { type RefObject, useEffect, useState } from 'react'
import { usePolicies } from '../../session/use-escalation.ts'
import { useMonitors } from '../../session/use-monitors.ts'
import { useRead } from '../../session/workspace.tsx'
import { type FormOf, readMonitor } from './input.ts'
import type { Spoken } from './outlook.ts'

/** What the fields say, read again with every change; null until they are there. */
export function useSpoken(form: RefObject<HTMLFormElement | null>, of: FormOf): Spoken | null {
  const monitors = useMonitors()
  const { data: locations } = useRead('locations', { read: () => monitors.listLocations() })
  const { data: contacts } = useRead('contacts', { read: () => monitors.listContacts() })
  const policies = usePolicies()
  const [changes, setChanges] = useState(0)
  const [data, setData] = useState<FormData | null>(null)
  useEffect(() => {
    const element = form.current
    const count = (): void => setChanges((before) => before + 1)
    for (const name of ['input', 'change', 'focusout']) element?.addEventListener(name, count)
    return () => {
      for (const name of ['input', 'change', 'focusout']) element?.removeEventListener(name, count)
    }
  }, [form])
  // After it is drawn: a choice may have added fields, which count as well.
  useEffect(() => setData(new FormData(form.current ?? undefined)), [form, changes])
  if (data === null) return null
  return { payload: readMonitor(data, of).payload, data, of, locations, contacts, policies }
}
