import type { Random } from './random.ts'

/** How often something goes wrong, as probabilities for each occasion. */
export type Faults = {
  /** Of each way of a message or an answer: it takes up to `slowestMs`. */
  slow: number
  slowestMs: number
  /** Of each statement: the connection breaks before it comes there. */
  refused: number
  /** Of each statement and commit: it is done, and the answer is lost. */
  unanswered: number
  /** Of each transaction: the database asks for another try. */
  conflict: number
  /** Of each statement, and of each message: the process ends just then. */
  crash: number
  /** Of each message on the bus. */
  lost: number
  doubled: number
  /** Of each second of each process: it stands still for some seconds. */
  stall: number
  /** Of each second of each process: it is stopped as an operator does it, or loses the broker for a while. */
  stop: number
  away: number
  /** Of each second: the clock of the database jumps by up to 40 minutes, ahead or back. */
  jump: number
  /** Of each second: a person changes, pauses or resumes a monitor. */
  person: number
  /** Of each message to a person: it does not arrive, or it does and its answer does not. */
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
