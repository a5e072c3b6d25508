/** A claim about the product that a machine tries to refute for as long as it is given. */
export type Proof = {
  name: string
  /** It takes as long as it takes, and is left out of short runs. Otherwise it ends when its budget does. */
  takesItsTime?: true
  /** It is played in long runs alone, or where it is asked for, for so many minutes where no others are given. */
  longMinutes?: number
  run: (order: Order) => Promise<Outcome>
}

export type Order = {
  /** Everything that is drawn is drawn from it. */
  seed: number
  budgetMs: number
  /** Tries so few that any machine has the time, and so the same everywhere. */
  isShort: boolean
  /** Tells a person how it goes. */
  report: (line: string) => void
  /** Of all that the seed stands for, this one case alone is tried. */
  only: string | null
}

export type Outcome = {
  /** What was tried and how often, in words. */
  load: string
  /** Faults that were played and survived; null where none is played. */
  survived: number | null
  findings: Finding[]
  /** Facts that were acknowledged and are gone; null where none was acknowledged. */
  lost: number | null
}

export type Finding = {
  /** What is wrong, in a sentence; the first of several alike. */
  what: string
  /** The case that shows it, as `--case` takes it. */
  case: string
}
