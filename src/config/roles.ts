/** What a process does. `perigee start` does all of it (docs/design/partitions-and-bus.md). */
export const roles = ['api', 'engine', 'jobs', 'prober'] as const
export type ProcessRole = (typeof roles)[number]
export type Roles = ReadonlySet<ProcessRole>

export const allRoles: Roles = new Set(roles)
