/** What a process does. `perigee start` does all of it (docs/design/partitions-and-bus.md). */
export const roles = ['api', 'engine', 'jobs', 'prober'] as const
export type ProcessRole = (typeof roles)[number]
export type Roles = ReadonlySet<ProcessRole>

export const allRoles: Roles = new Set(roles)

/** What a process of its own may do. One that visits pages alone is a prober all the same. */
export const partCommands = [...roles, 'browser-prober'] as const
export type PartCommand = (typeof partCommands)[number]
