/** What is waiting, and what has a place; shares take turns. */
export type FairQueue<Task> = {
  /** False where there is no room. A share of null is that of tasks of which it is not known yet. */
  push: (share: string | null, task: Task) => boolean
  /** Whether a task waits that may begin now. */
  mayBegin: () => boolean
  /** The next that may begin; null where none does. It has a place until `leave` is called. */
  next: () => Begun<Task> | null
  /** Forgets what waits. */
  clear: () => void
  readonly waiting: number
  readonly running: number
}

export type Begun<Task> = { task: Task; leave: () => void }

export type Bounds = {
  /** How many may run at once. */
  places: number
  /** How many may wait. */
  room: number
}

/** Lanes of shares without a task are kept, so that each check does not make one anew; of many shares they are not. */
const maxIdle = 1_000

/**
 * A share that has half of the places takes more only while a quarter of them all is free, so that whatever one
 * customer's targets do, a check of another finds a place at once. One share may fill half of the room.
 */
export function createFairQueue<Task>({ places, room }: Bounds): FairQueue<Task> {
  const lanes = new Map<string | null, Lane<Task>>()
  /** Those in which tasks wait, the next one first. */
  const turns = new Set<Lane<Task>>()
  let waiting = 0
  let running = 0

  function laneOf(share: string | null): Lane<Task> {
    const lane = lanes.get(share) ?? new Lane<Task>(share)
    lanes.set(share, lane)
    return lane
  }
  function hasPlace(lane: Lane<Task>): boolean {
    if (running >= places) return false
    return lane.running < places / 2 || running < (places * 3) / 4
  }
  /** At most two lanes have half of the places, so this looks at three. */
  function nextLane(): Lane<Task> | null {
    for (const lane of turns) if (hasPlace(lane)) return lane
    return null
  }
  function leave(lane: Lane<Task>): void {
    running -= 1
    lane.running -= 1
    if (lane.running === 0 && lane.waiting === 0 && lanes.size > maxIdle) lanes.delete(lane.share)
  }

  return {
    push: (share, task) => {
      if (waiting >= room) return false
      const lane = laneOf(share)
      if (share !== null && lane.waiting >= room / 2) return false
      lane.push(task)
      turns.add(lane)
      waiting += 1
      return true
    },
    mayBegin: () => nextLane() !== null,
    next: () => {
      const lane = nextLane()
      const task = lane?.take()
      if (lane === null || task === undefined) return null
      passTurn(turns, lane)
      waiting -= 1
      running += 1
      lane.running += 1
      return { task, leave: () => leave(lane) }
    },
    clear: () => {
      for (const lane of turns) lane.clear()
      turns.clear()
      waiting = 0
    },
    get waiting() {
      return waiting
    },
    get running() {
      return running
    },
  }
}

/** A lane in which more tasks wait comes after all others. */
function passTurn<Task>(turns: Set<Lane<Task>>, lane: Lane<Task>): void {
  if (lane.waiting > 0 && turns.size === 1) return
  turns.delete(lane)
  if (lane.waiting > 0) turns.add(lane)
}

/** Begun tasks are removed so many at a time, because removing the first of tens of thousands moves all the others. */
const maxBegun = 1_024

/** The tasks of one share in their order. */
class Lane<Task> {
  readonly share: string | null
  running = 0
  #tasks: Task[] = []
  /** Those before it have begun. */
  #head = 0

  constructor(share: string | null) {
    this.share = share
  }

  get waiting(): number {
    return this.#tasks.length - this.#head
  }

  push(task: Task): void {
    this.#tasks.push(task)
  }

  take(): Task | undefined {
    const task = this.#tasks[this.#head]
    this.#head += 1
    if (this.#head === maxBegun || this.#head >= this.#tasks.length) {
      this.#tasks.splice(0, this.#head)
      this.#head = 0
    }
    return task
  }

  clear(): void {
    this.#tasks = []
    this.#head = 0
  }
}
