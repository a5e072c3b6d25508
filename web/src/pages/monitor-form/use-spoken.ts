import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'
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
  const [data, setData] = useState<FormData | null>(null)
  useLayoutEffect(() => {
    const element = form.current
    let frame = 0
    // Once it is drawn: a choice may have added fields, which count as well. What follows is drawn in that very frame:
    // later it could move a button that is pressed by then, which would hear no click.
    const read = (): void => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => flushSync(() => setData(new FormData(element ?? undefined))))
    }
    read()
    for (const name of told) element?.addEventListener(name, read)
    return () => {
      cancelAnimationFrame(frame)
      for (const name of told) element?.removeEventListener(name, read)
    }
  }, [form])
  if (data === null) return null
  return { payload: readMonitor(data, of).payload, data, of, locations, contacts, policies }
}

const told = ['input', 'change', 'focusout'] as const
