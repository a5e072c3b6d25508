/** A bounded queue in which owners take turns, however much one of them has waiting. */
export type OwnerQueue<Item> = {
  /** False, without having kept it, when the owner or all of them have too much waiting already. */
  push: (owner: string, item: Item) => boolean
  /** The first item of the owner who was served longest ago, among those who may be served. */
  take: (mayServe: (owner: string) => boolean) => { owner: string; item: Item } | null
  /** False where it does not wait any more. */
  remove: (owner: string, item: Item) => boolean
}

export function createOwnerQueue<Item>({ maxEach, max }: { maxEach: number; max: number }): OwnerQueue<Item> {
  /** No list is empty, and the owner who was served last comes last. */
  const waiting = new Map<string, Item[]>()
  let total = 0
  return {
    push: (owner, item) => {
      const items = waiting.get(owner) ?? []
      if (total >= max || items.length >= maxEach) return false
      items.push(item)
      waiting.set(owner, items)
      total += 1
      return true
    },
    take: (mayServe) => {
      for (const [owner, [item, ...rest]] of waiting) {
        if (item === undefined || !mayServe(owner)) continue
        waiting.delete(owner)
        if (rest.length > 0) waiting.set(owner, rest)
        total -= 1
        return { owner, item }
      }
      return null
    },
    remove: (owner, item) => {
      const items = waiting.get(owner) ?? []
      const rest = items.filter((each) => each !== item)
      total -= items.length - rest.length
      if (rest.length > 0) waiting.set(owner, rest)
      else waiting.delete(owner)
      return rest.length < items.length
    },
  }
}
