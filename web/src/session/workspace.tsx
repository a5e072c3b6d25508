import { type UseSuspenseQueryResult, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, createContext, use, useMemo, useState } from 'react'
import { type WorkspaceApi, type WorkspaceRecord, workspaceApi } from '../api/console.ts'
import { workspacesQuery } from './session.ts'
import { chosenOf, keepChoice, readChoice } from './workspace-choice.ts'

type Current = { workspace: WorkspaceRecord; all: readonly WorkspaceRecord[]; choose: (id: string) => void }

const WorkspaceContext = createContext<Current | null>(null)

type ProviderProps = { none: ReactNode; children: ReactNode }

/** `none` is shown to a person without any workspace, and where the session does not lead to the one that was chosen. */
export function WorkspaceProvider({ none, children }: ProviderProps): ReactNode {
  const { data: all } = useSuspenseQuery(workspacesQuery)
  const [chosen, setChosen] = useState(readChoice)
  const workspace = chosenOf(all, chosen)
  const current = useMemo(() => {
    const choose = (id: string): void => {
      keepChoice(id)
      setChosen(id)
    }
    return workspace === undefined || workspace.asks_for_provider === true ? null : { workspace, all, choose }
  }, [workspace, all])
  return current === null ? none : <WorkspaceContext value={current}>{children}</WorkspaceContext>
}

export function useWorkspace(): Current & { api: WorkspaceApi; isOwner: boolean } {
  const current = use(WorkspaceContext)
  if (current === null) throw new Error('A page of a workspace is shown without one.')
  const api = useMemo(() => workspaceApi(current.workspace.id), [current.workspace.id])
  return { ...current, api, isOwner: current.workspace.role === 'owner' }
}

/** Whether there is one: people in none have an account as well. */
export function useHasWorkspace(): boolean {
  return use(WorkspaceContext) !== null
}

/** After one was made, joined, left or deleted: reads which there are, and goes on in the present one. */
export function useWorkspacesChanged(): (goOnAt?: string) => Promise<void> {
  const client = useQueryClient()
  const router = useRouter()
  return async (goOnAt = '/monitors') => {
    await client.invalidateQueries({ queryKey: workspacesQuery.queryKey })
    // A page of a workspace that is left or deleted holds nothing that could be saved.
    router.history.push(goOnAt, undefined, { ignoreBlocker: true })
  }
}

type Read<T> = (api: WorkspaceApi) => Promise<T>
type Reading<T> = { read: Read<T>; everyMs?: number }

/** Reads a thing of the current workspace; `name` is what `useChanged` says when it is another. */
export function useRead<T>(name: string, { read, everyMs }: Reading<T>): UseSuspenseQueryResult<T> {
  const query = useReading(name, read)
  return useSuspenseQuery({
    ...query,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  })
}

/** Begins to read what a part of the page will need while the page itself still waits for something else. */
export function useReadAhead<T>(name: string, { read, isNeeded }: { read: Read<T>; isNeeded: boolean }): void {
  const query = useReading(name, read)
  const client = useQueryClient()
  if (isNeeded && client.getQueryState(query.queryKey) === undefined) void client.prefetchQuery(query)
}

function useReading<T>(name: string, read: Read<T>): { queryKey: string[]; queryFn: () => Promise<T> } {
  const { workspace, api } = useWorkspace()
  return { queryKey: ['workspace', workspace.id, name], queryFn: () => read(api) }
}

/** Has these things read again. */
export function useChanged(): (...names: string[]) => Promise<void> {
  const client = useQueryClient()
  const { workspace } = useWorkspace()
  return async (...names) => {
    await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: ['workspace', workspace.id, name] })))
  }
}
