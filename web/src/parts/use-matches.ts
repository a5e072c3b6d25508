import { useSyncExternalStore } from 'react'

/** Whether the window is as a media query says, kept true while it changes. */
export function useMatches(media: string): boolean {
  return useSyncExternalStore(
    (tell) => {
      const query = matchMedia(media)
      query.addEventListener('change', tell)
      return () => query.removeEventListener('change', tell)
    },
    () => matchMedia(media).matches,
  )
}
