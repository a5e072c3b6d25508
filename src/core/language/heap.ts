/** An item that waits for its time. The heap writes `heapIndex`, which is -1 while the item is in no heap. */
export type Timed = { dueMs: number; heapIndex: number }

/** A binary min-heap by `dueMs` whose members can be taken out or moved at any time. */
export class Heap<Item extends Timed> {
  readonly #items: Item[] = []
  readonly #onFirst: () => void

  /** `onFirst` is called when an item was placed before all others. */
  constructor(onFirst: () => void = () => {}) {
    this.#onFirst = onFirst
  }

  get size(): number {
    return this.#items.length
  }

  /** In no particular order. */
  values(): Iterable<Item> {
    return this.#items.values()
  }

  /** The item that is due first. */
  peek(): Item | undefined {
    return this.#items[0]
  }

  /** Adds the item, or moves it after its `dueMs` has changed. */
  place(item: Item): void {
    if (item.heapIndex === -1) {
      item.heapIndex = this.#items.length
      this.#items.push(item)
    }
    this.#rise(item)
    this.#sink(item)
    if (item.heapIndex === 0) this.#onFirst()
  }

  remove(item: Item): void {
    const index = item.heapIndex
    if (index === -1) return
    item.heapIndex = -1
    const last = this.#items.pop()
    if (last === undefined || last === item) return
    this.#items[index] = last
    last.heapIndex = index
    this.#rise(last)
    this.#sink(last)
  }

  #rise(item: Item): void {
    const items = this.#items
    let index = item.heapIndex
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = items[above]
      if (parent === undefined || parent.dueMs <= item.dueMs) break
      items[index] = parent
      parent.heapIndex = index
      index = above
    }
    items[index] = item
    item.heapIndex = index
  }

  #sink(item: Item): void {
    const items = this.#items
    let index = item.heapIndex
    for (;;) {
      const left = items[2 * index + 1]
      const right = items[2 * index + 2]
      const child = right !== undefined && left !== undefined && right.dueMs < left.dueMs ? right : left
      if (child === undefined || child.dueMs >= item.dueMs) break
      const below = child.heapIndex
      items[index] = child
      child.heapIndex = index
      index = below
    }
    items[index] = item
    item.heapIndex = index
  }
}
