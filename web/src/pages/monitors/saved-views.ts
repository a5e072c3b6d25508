import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type SavedChoices, type SavedViewRecord, savedViewsApi } from '../../api/saved-views.ts'
import { useWorkspace } from '../../session/workspace.tsx'
import { type View, readView } from './monitors-view.ts'

const keptMs = 60_000

export const savedViewsKey = 'saved views'

/** Empty until they are read: nothing waits for them. */
export function useSavedViews(): readonly SavedViewRecord[] {
  const { id } = useWorkspace().workspace
  const { data } = useQuery({
    queryKey: ['workspace', id, savedViewsKey],
    queryFn: () => savedViewsApi(id).list(),
    staleTime: keptMs,
  })
  return data ?? none
}

const none: readonly SavedViewRecord[] = []

/** Has those that were made, changed or deleted stand among the others at once. */
export function useSavedViewsChange(): (
  change: (all: readonly SavedViewRecord[]) => readonly SavedViewRecord[],
) => void {
  const client = useQueryClient()
  const { id } = useWorkspace().workspace
  return (change) =>
    client.setQueryData<readonly SavedViewRecord[]>(['workspace', id, savedViewsKey], (all = none) =>
      change(all).toSorted((one, other) => one.name.localeCompare(other.name)),
    )
}

/** What of a view is saved. */
export function choicesOf({ q, kind, state, sort, group, layout }: View): SavedChoices {
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(state === undefined ? {} : { state }),
    ...(q === undefined || q === '' ? {} : { q }),
    ...(sort === undefined || sort === 'state' ? {} : { sort }),
    ...(group === undefined || group === 'none' ? {} : { group }),
    ...(layout === undefined || layout === 'list' ? {} : { layout }),
  }
}

/** The saved view that the address names, else one that is just like what is shown. */
export function chosenView(
  all: readonly SavedViewRecord[],
  view: View,
): { chosen: SavedViewRecord | null; isChanged: boolean } {
  const text = textOf(choicesOf(view))
  const named = all.find(({ id }) => id === view.saved)
  const chosen = named ?? (text === '' ? null : all.find((each) => textOf(each.view) === text)) ?? null
  return { chosen, isChanged: chosen !== null && textOf(chosen.view) !== text }
}

/** The overview as a saved view shows it. */
export function viewOf({ id, view }: SavedViewRecord): View {
  return readView({ ...view, saved: id })
}

/** The address of the overview as a saved view shows it. */
export function viewHref({ id, view }: SavedViewRecord): string {
  return `/monitors?${new URLSearchParams([...partsOf(view), ['saved', id]]).toString()}`
}

function textOf(view: SavedChoices): string {
  return new URLSearchParams(partsOf(view)).toString()
}

function partsOf(view: SavedChoices): [string, string][] {
  return Object.entries(view)
    .flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
}

/** Which view this browser opens first, by workspace. */
export function readFirstView(workspaceId: string): string | null {
  return localStorage.getItem(firstKey(workspaceId))
}

export function keepFirstView(workspaceId: string, id: string | null): void {
  if (id === null) localStorage.removeItem(firstKey(workspaceId))
  else localStorage.setItem(firstKey(workspaceId), id)
}

function firstKey(workspaceId: string): string {
  return `perigee.first-view.${workspaceId}`
}

/** Shows that view where the overview is opened at an address that says nothing of what it shows. */
export function useFirstView(view: View, setView: (view: View) => void): void {
  const { id } = useWorkspace().workspace
  const all = useSavedViews()
  const isOpen = useRef(false)
  useEffect(() => {
    // A person may have chosen something before the saved views were read.
    isOpen.current ||= Object.keys(view).length > 0
    if (isOpen.current || all.length === 0) return
    isOpen.current = true
    const first = all.find((each) => each.id === readFirstView(id))
    if (first !== undefined) setView(viewOf(first))
  })
}
