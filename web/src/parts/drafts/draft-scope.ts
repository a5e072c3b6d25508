import { createContext } from 'react'

/** Whose drafts these are, and of which workspace. */
export type Scope = { person: string; workspace: string }

/** Where there is none, forms keep no drafts, as at the doors of the console. */
export const DraftScope = createContext<Scope | null>(null)
