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

/** `leave` is told how many milliseconds of the processor the task took; null where it came to nothing. */
export type Begun<Task> = { task: Task; leave: (tookMs: number | null) => void }

export type Bounds = {
  /** How many may run at once. */
  places: number
  /** How many may wait. */
  room: number
  /** A clock that never goes back. */
  now?: () => number
}

/** Lanes of shares without a task are kept, so that each check does not make one anew; of many shares they are not. */
const maxIdle = 1_000
/** What the running tasks of one share may take of the processor, if each takes what its tasks took of late. */
const maxHeldMs = 2_000
/** For so long after another share had its turn, a share does not have the processor to itself. */
const sharedMs = 3_600_000

/**
 * A share that has half of the places takes more only while a quarter of them all is free, so that whatever one
 * customer's targets do, a check of another finds a place at once. Where tasks of others were begun within the hour, the
 * running ones of a share, should they all be answered at once, keep the others waiting for two seconds: so of costly
 * tasks fewer run. One share may fill half of the room.
 */
export function createFairQueue<Task>({ places, room, now = () => performance.now() }: Bounds): FairQueue<Task> {
  const lanes = new Map<string | null, Lane<Task>>()
  /** Those in which tasks wait, the next one first. */
  const turns = new Set<Lane<Task>>()
  let waiting = 0
  let running = 0
  const shares = watchShares(now)

  function laneOf(share: string | null): Lane<Task> {
    const lane = lanes.get(share) ?? new Lane<Task>(share)
    lanes.set(share, lane)
    return lane
  }
  function hasPlace(lane: Lane<Task>): boolean {
    if (running >= places || (lane.heldMs >= maxHeldMs && shares.areMany())) return false
    return lane.running < places / 2 || running < (places * 3) / 4
  }
  /** At most two lanes have half of the places, and few take seconds of the processor, so this looks at few. */
  function nextLane(): Lane<Task> | null {
    for (const lane of turns) if (hasPlace(lane)) return lane
    return null
  }
  function leave(lane: Lane<Task>, tookMs: number | null): void {
    running -= 1
    lane.running -= 1
    if (tookMs !== null) lane.note(tookMs)
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
      shares.began(lane.share)
      return { task, leave: (tookMs) => leave(lane, tookMs) }
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

type Shares = {
  /** This one began a task. */
  began: (share: string | null) => void
  /** Whether it was not one alone that did so of late. */
  areMany: () => boolean
}

function watchShares(now: () => number): Shares {
  let last: string | null = null
  let passedMs = Number.NEGATIVE_INFINITY
  return {
    began: (share) => {
      if (share === last || share === null) return
      if (last !== null) passedMs = now()
      last = share
    },
    areMany: () => now() - passedMs < sharedMs,
  }
}

/** A lane in which more tasks wait comes after all others. */
function passTurn<Task>(turns: Set<Lane<Task>>, lane: Lane<Task>): void {
  if (lane.waiting > 0 && turns.size === 1) return
  turns.delete(lane)
  if (lane.waiting > 0) turns.add(lane)
}

/** So many tasks of a share make up what its tasks took of late: enough that one of a few does not decide. */
const ofLate = 64
/** Begun tasks are removed so many at a time, because removing the first of tens of thousands moves all the others. */
const maxBegun = 1_024

/** The tasks of one share in their order. */
class Lane<Task> {
  readonly share: string | null
  running = 0
  #noted = 0
  /** What a task took of the processor, in milliseconds, on average of late. */
  #averageMs = 0
  #tasks: Task[] = []
  /** Those before it have begun. */
  #head = 0

  constructor(share: string | null) {
    this.share = share
  }

  get waiting(): number {
    return this.#tasks.length - this.#head
  }

  /** What the tasks that run may take of the processor; of those whose share is not known yet nothing is known. */
  get heldMs(): number {
    return this.share === null ? 0 : this.running * this.#averageMs
  }

  note(tookMs: number): void {
    if (this.#noted < ofLate) this.#noted += 1
    this.#averageMs += (tookMs - this.#averageMs) / this.#noted
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
