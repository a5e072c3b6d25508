/** Locks of rows, taken in the order of their keys, so that two who want the same never wait for each other. */
export class RowLocks<Row extends number | string> {
  readonly #owners = new Map<Row, object>()
  #waiting: (() => void)[] = []

  isFree(row: Row): boolean {
    return !this.#owners.has(row)
  }

  /** Resolves when the owner has all of them. */
  async take(rows: readonly Row[], owner: object): Promise<void> {
    for (const row of rows.toSorted((one, other) => (one < other ? -1 : 1))) {
      while ((this.#owners.get(row) ?? owner) !== owner) await this.#anyRelease()
      this.#owners.set(row, owner)
    }
  }

  release(owner: object): void {
    for (const [row, of] of this.#owners) if (of === owner) this.#owners.delete(row)
    for (const wake of this.#waiting.splice(0)) wake()
  }

  #anyRelease(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
