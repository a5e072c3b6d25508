/** A statement is of no more keys than this; the next one follows at once. */
const mostKeys = 100

/**
 * Looks keys up that are asked for in the same turn of the event loop by one call of `find`, which leaves out what is
 * not there. Where it fails, each of them fails.
 */
export function gathered<Found>(
  find: (keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): (key: string) => Promise<Found | undefined> {
  let current: { keys: Set<string>; found: Promise<ReadonlyMap<string, Found>> } | null = null
  const begin = (): NonNullable<typeof current> => {
    const keys = new Set<string>()
    const { promise: turnEnds, resolve } = Promise.withResolvers<void>()
    const turn = {
      keys,
      found: turnEnds.then(() => {
        if (current === turn) current = null
        return find([...keys])
      }),
    }
    setImmediate(resolve)
    return turn
  }
  return async (key) => {
    if (current === null || current.keys.size === mostKeys) current = begin()
    current.keys.add(key)
    return (await current.found).get(key)
  }
}
