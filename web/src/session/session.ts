import { type QueryClient, queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useLocation, useRouter } from '@tanstack/react-router'
import { createContext, use } from 'react'
import { type Me, readMe } from '../api/auth.ts'
import { listWorkspaces, readSettings } from '../api/console.ts'

const keptMs = 60_000

export const meQuery = queryOptions({ queryKey: ['me'], queryFn: readMe, staleTime: keptMs })
export const workspacesQuery = queryOptions({ queryKey: ['workspaces'], queryFn: listWorkspaces, staleTime: keptMs })
export const settingsQuery = queryOptions({ queryKey: ['settings'], queryFn: readSettings, staleTime: Infinity })

/** Whether mail leaves this installation. */
export function useSendsMail(): boolean {
  return useSuspenseQuery(settingsQuery).data.sends_mail
}

/** Whether anything can be paid for in this installation. Where nothing can, the console says no word of money. */
export function useHasPayments(): boolean {
  return useSuspenseQuery(settingsQuery).data.payments !== 'off'
}

const MeContext = createContext<Me | null>(null)

/** Around pages for people who are signed in. */
export const MeProvider = MeContext.Provider

/** Who is signed in, on such pages; while one of them ends, who was. */
export function useMe(): Me {
  const me = use(MeContext)
  if (me === null) throw new Error('Nobody is signed in on a page for people who are.')
  return me
}

/** Goes on as another person, or signed out: everything that was read before is forgotten. */
export function useEnter(): (path: string) => void {
  const client = useQueryClient()
  const router = useRouter()
  return (path) => {
    client.clear()
    // Nothing that a page still holds could be saved any more.
    router.history.push(path, undefined, { ignoreBlocker: true })
  }
}

/** Forgets what only a person may see, because the service says that the session has ended. */
export function forgetMe(client: QueryClient): void {
  client.setQueryData(meQuery.queryKey, null)
}

/**
 * The page to go to after signing in. Only a path of this service: the browser's own parser says whether an address is
 * one, because the browser would follow it.
 */
export function localReturn(text: string): string {
  if (text === '' || !URL.canParse(text, location.origin)) return '/'
  const { origin, pathname, search, hash } = new URL(text, location.origin)
  return origin === location.origin && !pathname.startsWith('//') ? pathname + search + hash : '/'
}

/** The part of an address that carries the way back. */
export function returnSearch(to: string): { return_to?: string } {
  return to === '/' ? {} : { return_to: to }
}

/** A parameter behind "#", which browsers tell no server. Another link in the same tab changes it. */
export function useSecret(name: string): string {
  const { hash } = useLocation()
  return new URLSearchParams(hash).get(name) ?? ''
}
