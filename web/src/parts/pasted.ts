import { type HistoryState, useLocation } from '@tanstack/react-router'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** A target for the form of a new monitor. */
    pasted?: string
  }
}

/**
 * What was pasted goes along with an address and not within it: targets may hold secrets, and addresses come into the
 * history of a browser and the logs of proxies. A reload keeps it.
 */
export function pastedState(pasted: string | undefined): HistoryState {
  return pasted === undefined ? {} : { pasted }
}

/** What was pasted on the way to this page. */
export function usePasted(): string | undefined {
  return useLocation({ select: ({ state }) => state.pasted })
}
