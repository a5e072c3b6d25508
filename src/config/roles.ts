/** What a process does (architecture.md, Roles). `perigee start` does all of it. */
export const roles = ['api', 'engine', 'jobs', 'prober'] as const
export type ProcessRole = (typeof roles)[number]
export type Roles = ReadonlySet<ProcessRole>

export const allRoles: Roles = new Set(roles)
