import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ContactForms, type ContactsApi, contactsApi, readContactForms } from '../../api/contacts.ts'
import { useChanged, useRead, useWorkspace } from '../../session/workspace.tsx'
import { useSendsMail } from '../../session/session.ts'
import { type Contact, isMailbox } from './contact-words.ts'

/** Alerts are sent and fail without anything else changing. */
export const readAgainMs = 15_000

export function useContactsApi(): ContactsApi {
  const { workspace } = useWorkspace()
  return useMemo(() => contactsApi(workspace.id), [workspace.id])
}

const formsQuery = queryOptions({ queryKey: ['contact-forms'], queryFn: readContactForms, staleTime: Infinity })

export function useContactForms(): ContactForms {
  return useSuspenseQuery(formsQuery).data
}

/** All contacts of the workspace with how they do, the oldest first. */
export function useContacts(): Contact[] {
  const api = useContactsApi()
  const { data: contacts } = useRead('contacts', { read: () => api.list(), everyMs: readAgainMs })
  const { data: states } = useRead('contact-states', { read: () => api.listStates(), everyMs: readAgainMs })
  // Read with the page, so that its forms open at once.
  useContactForms()
  const sendsMail = useSendsMail()
  const byId = new Map(states.map((state) => [state.id, state]))
  return contacts.flatMap((contact) => {
    const state = byId.get(contact.id)
    return state === undefined ? [] : [{ contact, state, isMailKept: isMailbox(contact.kind) && !sendsMail }]
  })
}

export function useContactsChanged(): () => Promise<void> {
  const changed = useChanged()
  return () => changed('contacts', 'contact-states')
}

/** The key under which the log of a contact is cached. */
export function logKey(id: string): string {
  return `deliveries ${id}`
}
