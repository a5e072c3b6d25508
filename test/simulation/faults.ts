import type { Random } from './random.ts'

/** How often something goes wrong, as probabilities for each occasion. */
export type Faults = {
  /** A message or an answer takes up to `slowestMs`. */
  slow: number
  slowestMs: number
  /** The connection breaks before a statement comes there. */
  refused: number
  /** A statement or a commit is done, and its answer is lost. */
  unanswered: number
  /** The database asks for another try of a transaction. */
  conflict: number
  /** The process ends at a statement, or at a message. */
  crash: number
  /** A message on the bus is lost, or comes twice. */
  lost: number
  doubled: number
  /** In a second, a process begins to stand still for some seconds. */
  stall: number
  /** In a second, a process is stopped as an operator does it, or loses the broker for a while. */
  stop: number
  away: number
  /** In a second, the clock of the database jumps by up to 40 minutes, ahead or back. */
  jump: number
  /** In a second, a person changes, pauses or resumes a monitor. */
  person: number
  /** In a second, a person plans a maintenance, or ends one. */
  maintenance: number
  /** A job calls later than its monitor allows. */
  late: number
  /** A message to a person does not arrive, or it does and its answer does not. */
  receiver: number
}

export const noFaults: Faults = {
  slow: 0,
  slowestMs: 20,
  refused: 0,
  unanswered: 0,
  conflict: 0,
  crash: 0,
  lost: 0,
  doubled: 0,
  stall: 0,
  stop: 0,
  away: 0,
  jump: 0,
  person: 0,
  maintenance: 0,
  late: 0,
  receiver: 0,
}

export const manyFaults: Faults = {
  slow: 0.02,
  slowestMs: 3_000,
  refused: 0.002,
  unanswered: 0.002,
  conflict: 0.002,
  crash: 0.000_2,
  lost: 0.01,
  doubled: 0.01,
  stall: 0.000_5,
  stop: 0.000_3,
  away: 0.000_3,
  jump: 0.000_3,
  person: 0.02,
  maintenance: 0.005,
  late: 0.02,
  receiver: 0.1,
}

export type Fault = Exclude<keyof Faults, 'slowestMs'>

/** The faults of one run, as they happen. */
export type Mischief = {
  /** Whether this one happens now. */
  strikes: (fault: Fault) => boolean
  slowestMs: number
  /** How many happened, without messages that only took their time. */
  struck: () => number
  /** Nothing goes wrong any more. */
  end: () => void
}

export function createMischief(random: Random, faults: Faults): Mischief {
  let struck = 0
  let now = faults
  return {
    strikes: (fault) => {
      const happens = random.happens(now[fault])
      if (happens && fault !== 'slow') struck += 1
      return happens
    },
    slowestMs: faults.slowestMs,
    struck: () => struck,
    end: () => (now = noFaults),
  }
}
